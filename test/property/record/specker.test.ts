import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fromText, toNumber } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../main/contract/json.ts'
import { games } from '../../../main/referees/games.ts'
import type { Input } from '../../../main/referees/specker/input.ts'
import { ENERGY, type Action, type PublicEvent } from '../../../main/referees/specker/messages.ts'
import { turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { repeats } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { dice } from '../../unit/record/haggle-matches.ts'
import { askedOf, build, record, rowsOf, seedOf, type Played } from '../../unit/record/stage.ts'
import { SUMS } from '../../unit/specker/sums.ts'
import { bundleOf, markets } from '../specker/players.ts'
import { expectRows, grouped, mean, sum, type Row } from './plain.ts'
import { endedWithFaults, expectCommonAnswers } from './common.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('../../unit/specker/sums.ts'))

const game = games.get('specker')!

interface Deal {
  readonly match: number
  readonly challenge: number
  readonly seller: string
  readonly buyer: string
  readonly predicate: string
  readonly price: number
  material: string | null
  /** The quality of its secret solution, once that is revealed. */
  revealed: number | null
  quality: number | null
  payoff: number | null
  refund: number | null
}

type Next = (below: number) => number

/** A match of arbitrary players, and its deals as the public events tell them. */
function playedMatch(match: number, next: Next): { played: Played; deals: readonly Deal[] } {
  const variant = ['classic', 'belief', 'secret', 'base-ball'][next(4)]!
  const config = specker.config.parse({ challenge: SUMS, variant, maxTurns: 2 + next(5), init: 3 * ENERGY })
  const names = ['anna', 'ben', 'cleo', 'dan'].slice(0, 2 + next(3))
  const seats = specker.seats(config, names.length)
  if (typeof seats === 'string') throw new Error(seats)
  const state = specker.rules.initial(config, seats, seedOf(match))
  const inputs: Input[] = []
  const deals = new Map<number, Deal>()
  /** By challenge: predicate and seller. */
  const offers = new Map<number, { readonly predicate: string; readonly seller: number }>()
  while (state.turn !== null) {
    const seat = state.turn
    const decisions = Array.from({ length: 12 }, () => next(1_000_000))
    const kinds = markets[variant]!
    const actions = bundleOf({ decisions, wildness: next(12) === 0 ? 3 : 0 }, turnMessage(state, seat), seat, kinds)
    const input: Input = { type: 'turn', seat, actions }
    const known = state.dropped + state.events.length
    expect(specker.rules.apply(state, input)).toBeNull()
    inputs.push(input)
    const events = state.events.slice(Math.max(0, known - state.dropped))
    follow(events, actions, offers, deals, { match, names, isTwofold: kinds.length > 1 })
  }
  const happenings = inputs.map((input) => ({ input: input as unknown as Json }))
  return { played: { match, config: { ...config }, names, happenings }, deals: [...deals.values()] }
}

interface Setting {
  readonly match: number
  readonly names: readonly string[]
  readonly isTwofold: boolean
}

/** Applies the public events of a turn, whose actions stand in the same order. */
function follow(
  events: readonly PublicEvent[],
  actions: readonly Action[],
  offers: Map<number, { readonly predicate: string; readonly seller: number }>,
  deals: Map<number, Deal>,
  { match, names, isTwofold }: Setting,
): void {
  const offered = actions.filter((action) => action.type === 'offer')
  for (const event of events) {
    if (event.type === 'offered') {
      const { predicate, kind } = offered.shift()!
      const name = `${isTwofold ? `${kind ?? 'classic'} ` : ''}${JSON.stringify(predicate)}`
      offers.set(event.challenge, { predicate: name, seller: event.seat })
    } else if (event.type === 'reoffered')
      offers.set(event.challenge, { ...offers.get(event.undercut)!, seller: event.seat })
    else if (event.type === 'accepted') {
      const { predicate, seller } = offers.get(event.challenge)!
      deals.set(event.challenge, {
        ...{ match, challenge: event.challenge, seller: names[seller]!, buyer: names[event.seat]!, predicate },
        ...{ price: event.price / ENERGY, material: null, revealed: null, quality: null, payoff: null, refund: null },
      })
    } else if (event.type === 'delivered') {
      const action = actions.find((each) => each.type === 'deliver' && each.challenge === event.challenge)
      const deal = deals.get(event.challenge)!
      deal.material = JSON.stringify(action?.type === 'deliver' ? action.instance : null)
    } else if (event.type === 'revealed') deals.get(event.challenge)!.revealed = toNumber(fromText(event.quality)!)
    else if (event.type === 'solved') {
      deals.get(event.challenge)!.quality = toNumber(fromText(event.quality)!)
      deals.get(event.challenge)!.payoff = event.payoff / ENERGY
    } else if (event.type === 'voided') deals.get(event.challenge)!.refund = event.refund / ENERGY
  }
}

test('ready questions about random contests are answered as by following the public events', async () => {
  const folder = temporaryFolder('specker-record')
  let solved = 0
  for (let round = 0; round < repeats({ short: 8, long: 200 }); round++) {
    const next = dice(round + 700)
    const matches = Array.from({ length: 2 + next(5) }, (_, match) => playedMatch(match, next))
    const dir = join(folder, String(round))
    const ended = matches.map(({ played }) => endedWithFaults(game, played, next))
    await record(
      dir,
      game,
      ended.map(({ played }) => played),
    )
    await build(dir, game)
    expectCommonAnswers(dir, game, ended, { agent: ended[0]!.agents[0]!, match: next(ended.length) })
    expect(rowsOf(dir, game, 'SELECT broken FROM matches WHERE broken IS NOT NULL')).toEqual([])
    const deals = matches.flatMap((match) => match.deals)
    solved += deals.filter(({ quality }) => quality !== null).length
    const ask = (name: string): readonly Row[] => askedOf(dir, game, name)
    expectRows(
      rowsOf(dir, game, 'SELECT match, challenge, seller, buyer, predicate, price, quality, payoff, refund FROM deals'),
      deals.map(({ material: _material, revealed: _revealed, ...deal }) => deal),
      [],
    )
    expectRows(ask('weakest-predicates'), predicates(deals))
    expectRows(ask('prices-against-break-even'), prices(deals))
    expectRows(ask('accepted-at-a-loss'), losses(deals), ['line', 'move', 'part'])
    expectRows(ask('solution-quality'), qualities(deals))
    expectRows(ask('who-buys-from-whom'), trade(deals))
    expectRows(ask('opponent-dependence'), dependence(deals))
  }
  expect(solved).toBeGreaterThan(20)
})

const profitOf = ({ payoff, refund, price }: Deal): number | null =>
  payoff === null && refund === null ? null : (payoff ?? 0) + (refund ?? 0) - price

interface Side {
  readonly agent: string
  readonly opponent: string
  readonly side: string
  readonly predicate: string
  readonly price: number
  readonly profit: number
}

const sidesOf = (deals: readonly Deal[]): readonly Side[] =>
  deals.flatMap((deal) => {
    const profit = profitOf(deal)
    if (profit === null) return []
    const { seller, buyer, predicate, price } = deal
    return [
      { agent: seller, opponent: buyer, side: 'seller', predicate, price, profit: -profit },
      { agent: buyer, opponent: seller, side: 'buyer', predicate, price, profit },
    ]
  })

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts)

function predicates(deals: readonly Deal[]) {
  return grouped(sidesOf(deals), ({ agent, side, predicate }) => keyOf(agent, side, predicate)).map(([, same]) => {
    const { agent, side, predicate } = same[0]!
    const profits = same.map(({ profit }) => profit)
    const worst = Math.min(...profits)
    return { agent, side, predicate, deals: same.length, profit: sum(profits), mean: mean(profits), worst }
  })
}

function prices(deals: readonly Deal[]) {
  const even = new Map(
    grouped(
      deals.filter(({ payoff }) => payoff !== null),
      ({ predicate }) => predicate,
    ).map(([predicate, all]) => [predicate, all.map(({ payoff }) => payoff!)]),
  )
  return grouped(deals, ({ seller, predicate }) => keyOf(seller, predicate)).flatMap(([, same]) => {
    const { seller: agent, predicate } = same[0]!
    const payoffs = even.get(predicate)
    if (payoffs === undefined) return []
    const price = mean(same.map((deal) => deal.price))!
    const usual = mean(payoffs)!
    const solutions = payoffs.length
    return [{ agent, predicate, deals: same.length, price, break_even: usual, above: price - usual, solutions }]
  })
}

function losses(deals: readonly Deal[]) {
  return deals.flatMap((deal) => {
    const profit = profitOf(deal)
    if (profit === null || profit >= 0) return []
    const { match, buyer: agent, seller: opponent, predicate, price, quality, payoff, refund } = deal
    return [
      { match, agent, opponent, predicate, price, quality, received: (payoff ?? 0) + (refund ?? 0), loss: -profit },
    ]
  })
}

function qualities(deals: readonly Deal[]) {
  const best = (same: (deal: Deal) => boolean, secrets: boolean): number =>
    Math.max(
      ...deals
        .filter(same)
        .flatMap(({ quality, revealed }) => [quality, secrets ? revealed : null])
        .filter((each) => each !== null),
    )
  const solved = deals.filter(({ quality }) => quality !== null)
  return grouped(solved, ({ buyer }) => buyer).map(([agent, own]) => {
    const below = own.map((deal) => best(({ material }) => material === deal.material, true) - deal.quality!)
    const belowAll = own.map((deal) => best(({ predicate }) => predicate === deal.predicate, false) - deal.quality!)
    return {
      ...{ agent, solutions: own.length, quality: mean(own.map(({ quality }) => quality!)) },
      ...{ below_best: mean(below), below_predicate: mean(belowAll), furthest: Math.max(...below) },
    }
  })
}

function trade(deals: readonly Deal[]) {
  return grouped(deals, ({ buyer, seller, predicate }) => keyOf(buyer, seller, predicate)).map(([, same]) => {
    const { buyer, seller, predicate } = same[0]!
    const profits = same.map(profitOf).filter((each) => each !== null)
    const energy = sum(same.map(({ price }) => price))
    return { buyer, seller, predicate, deals: same.length, energy, profit: profits.length === 0 ? null : sum(profits) }
  })
}

function dependence(deals: readonly Deal[]) {
  const sides = sidesOf(deals)
  const usual = new Map(grouped(sides, ({ agent, side, predicate }) => keyOf(agent, side, predicate)))
  const compared = sides.flatMap((each) => {
    const same = usual.get(keyOf(each.agent, each.side, each.predicate))!
    if (new Set(same.map(({ opponent }) => opponent)).size < 2) return []
    return [{ ...each, difference: each.price - mean(same.map(({ price }) => price))! }]
  })
  return grouped(compared, ({ agent, side, opponent }) => keyOf(agent, side, opponent)).map(([, all]) => {
    const { agent, side, opponent } = all[0]!
    const differences = all.map(({ difference }) => difference)
    return {
      ...{ agent, side, opponent, deals: all.length, price: mean(all.map(({ price }) => price)) },
      ...{ difference: mean(differences), largest: Math.max(...differences.map(Math.abs)) },
    }
  })
}
