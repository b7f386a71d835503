import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import type { Outcome } from '../../../main/contract/game/outcome.ts'
import type { Input } from '../../../main/referees/specker/input.ts'
import { shareOut } from '../../../main/referees/specker/trading/ledger.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import type { State } from '../../../main/referees/specker/state.ts'
import { turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { SUMS } from '../../unit/specker/sums.ts'
import { bundleOf, play } from './players.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('../../unit/specker/sums.ts'))

const { rules } = specker

/** A match of arbitrary settings, and what its players do turn by turn. */
const game = fc.record({
  players: fc.integer({ min: 2, max: 5 }),
  settings: fc.record({
    init: fc.constantFrom(1, 1_000, 400_000_000, 1_500_000_000, 10_000_000_000),
    maxTurns: fc.integer({ min: 1, max: 6 }),
    mindec: fc.constantFrom(1, 1_000_000),
    acceptOrReoffer: fc.constantFrom('all', 'one'),
    order: fc.constantFrom('fixed', 'rotating'),
  }),
  plays: fc.array(fc.oneof({ arbitrary: play, weight: 30 }, { arbitrary: fc.constant('crash' as const), weight: 1 }), {
    minLength: 1,
    maxLength: 60,
  }),
})
type GameRun = typeof game extends fc.Arbitrary<infer T> ? T : never

function shapeOf({ players, settings }: GameRun) {
  const config = specker.config.parse({ challenge: SUMS, ...settings })
  const seats = specker.seats(config, players)
  return { config, seats: typeof seats === 'string' ? [] : seats }
}

function begin(run: GameRun): State {
  const { config, seats } = shapeOf(run)
  return rules.initial(config, seats, '0'.repeat(64))
}

function nextInput(run: GameRun, state: State, turn: number): Input {
  const seat = state.turn!
  const played = run.plays[turn % run.plays.length]!
  return played === 'crash'
    ? { type: 'fault', seat, fault: { kind: 'crash', text: 'It fell.' } }
    : { type: 'turn', seat, actions: bundleOf(played, turnMessage(state, seat), seat) }
}

/** Plays to the end, shows each state, and returns the inputs. */
function playOut(run: GameRun, see: (state: State, inputs: readonly Input[]) => void = () => undefined): Input[] {
  const state = begin(run)
  const inputs: Input[] = []
  see(state, inputs)
  while (state.turn !== null) {
    const input = nextInput(run, state, inputs.length)
    expect(rules.apply(state, input)).toBeNull()
    inputs.push(input)
    expect(inputs.length).toBeLessThanOrEqual(run.players * (run.settings.maxTurns + 2))
    see(state, inputs)
  }
  return inputs
}

const total = (state: State): number => state.players.reduce((sum, player) => sum + player.account, 0)

describe('energy', () => {
  test('is never made nor lost, and no account is ever below 0; players in the game are above 0', () => {
    fc.assert(
      fc.property(game, (run) => {
        playOut(run, (state) => {
          expect(total(state)).toBe(run.players * run.settings.init)
          for (const { account, removed } of state.players) expect(account).toBeGreaterThanOrEqual(removed ? 0 : 1)
        })
      }),
      { numRuns: 150 },
    )
  })

  test('is shared out exactly, nobody getting more than its claim or less than its part', () => {
    const amount = fc.integer({ min: 0, max: 10 ** 15 })
    fc.assert(
      fc.property(amount, fc.array(amount, { maxLength: 8 }), (available, claims) => {
        const shares = shareOut(available, claims)
        const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0)
        const wanted = sum(claims)
        expect(sum(shares)).toBe(Math.min(available, wanted))
        for (const [index, share] of shares.entries()) {
          const claim = claims[index]!
          expect(share).toBeLessThanOrEqual(claim)
          const part = wanted === 0 ? 0n : (BigInt(Math.min(available, wanted)) * BigInt(claim)) / BigInt(wanted)
          expect(BigInt(share) - part).toSatisfy((over: bigint) => over === 0n || over === 1n)
        }
      }),
    )
  })
})

describe('a match', () => {
  test('ends at the latest two rounds after maxTurns, with nothing owed', () => {
    fc.assert(
      fc.property(game, (run) => {
        playOut(run, (state) => {
          expect(state.round).toBeLessThanOrEqual(run.settings.maxTurns + 2 + Number(state.turn === null))
          if (state.turn === null) expect(state.deals.size).toBe(0)
        })
      }),
      { numRuns: 100 },
    )
  })

  test('keeps store, deals and players’ holdings in step', () => {
    fc.assert(
      fc.property(game, (run) => {
        playOut(run, (state) => {
          const held = state.players.flatMap((player) => [...player.offers]).sort((a, b) => a - b)
          expect(held).toEqual([...state.market.offers.keys()])
          const sold = state.players.flatMap((player) => [...player.sales]).sort((a, b) => a - b)
          expect(sold).toEqual([...state.deals.keys()].sort((a, b) => a - b))
          for (const [seat, player] of state.players.entries()) {
            if (player.removed) expect(player.offers.size + player.sales.size + player.purchases.size).toBe(0)
            for (const challenge of player.offers) expect(state.market.offers.get(challenge)?.seller).toBe(seat)
          }
          const prices = new Map<string, number>()
          for (const { key, price } of state.market.offers.values()) {
            prices.set(key, Math.min(price, prices.get(key) ?? Infinity))
          }
          expect(new Map([...state.market.predicates].map(([key, { lowest }]) => [key, lowest]))).toEqual(prices)
        })
      }),
      { numRuns: 100 },
    )
  })

  test('continues the same from a state that was saved, at any point', () => {
    fc.assert(
      fc.property(game, fc.nat(), (run, point) => {
        const saved: string[] = []
        const inputs = playOut(run, (state) => saved.push(JSON.stringify(rules.save(state))))
        const from = point % saved.length
        const { config, seats } = shapeOf(run)
        const state = rules.load(JSON.parse(saved[from]!) as Json, config, seats)
        expect(JSON.stringify(rules.save(state))).toBe(saved[from])
        for (const [index, input] of inputs.slice(from).entries()) {
          const read = specker.input.parse(JSON.parse(JSON.stringify(input)))
          expect(rules.apply(state, read)).toBeNull()
          expect(JSON.stringify(rules.save(state))).toBe(saved[from + index + 1])
        }
      }),
      { numRuns: 60 },
    )
  })

  test('a saved state does not change while the match goes on', () => {
    fc.assert(
      fc.property(game, (run) => {
        const kept: { readonly held: unknown; readonly text: string }[] = []
        playOut(run, (state) => {
          const held = rules.save(state)
          kept.push({ held, text: JSON.stringify(held) })
        })
        for (const { held, text } of kept) expect(JSON.stringify(held)).toBe(text)
      }),
      { numRuns: 30 },
    )
  })

  test('refuses what is nobody’s turn and stays as it was', () => {
    fc.assert(
      fc.property(game, (run) => {
        playOut(run, (state) => {
          const before = JSON.stringify(rules.save(state))
          for (let seat = 0; seat <= run.players; seat++) {
            if (seat === state.turn) continue
            expect(rules.apply(state, { type: 'turn', seat, actions: [] })).toBeTypeOf('string')
            const fault = { kind: 'crash', text: 'It fell.' } as const
            expect(rules.apply(state, { type: 'fault', seat, fault })).toBeTypeOf('string')
          }
          expect(JSON.stringify(rules.save(state))).toBe(before)
        })
      }),
      { numRuns: 40 },
    )
  })
})

describe('ranking', () => {
  const places = (run: GameRun): { readonly outcome: Outcome; readonly state: State } => {
    let last: State | undefined
    playOut(run, (state) => (last = state))
    return { outcome: rules.outcome(last!)!, state: last! }
  }

  test('by account among those who finished, the removed below them in reverse order of removal', () => {
    fc.assert(
      fc.property(game, (run) => {
        const { outcome, state } = places(run)
        expect(outcome.places.map((place) => place.seat)).toEqual(state.players.map((_, seat) => seat))
        for (const a of outcome.places) {
          expect(a.score).toBe(state.players[a.seat]?.account)
          expect(a.rank).toBe(1 + outcome.places.filter((b) => b.rank < a.rank).length)
          for (const b of outcome.places) {
            if (!a.removed && !b.removed) expect(Math.sign(a.rank - b.rank)).toBe(Math.sign(b.score - a.score) + 0)
            if (!a.removed && b.removed) expect(a.rank).toBeLessThan(b.rank)
          }
        }
        const ranks = state.removals.map(({ seat }) => outcome.places[seat]!.rank)
        expect(ranks).toEqual([...ranks].sort((x, y) => y - x))
        expect(new Set(ranks).size).toBe(ranks.length)
      }),
      { numRuns: 100 },
    )
  })

  test('the arbitrary players do play: many matches are finished by somebody after real trade', () => {
    let finished = 0
    let solved = 0
    fc.assert(
      fc.property(game, (run) => {
        const { outcome } = places(run)
        finished += outcome.places.filter((place) => !place.removed).length
        solved += playOut(run).filter((input) => JSON.stringify(input).includes('"solve"')).length
      }),
      { numRuns: 100, seed: 7 },
    )
    expect(finished).toBeGreaterThan(60)
    expect(solved).toBeGreaterThan(60)
  })
})
