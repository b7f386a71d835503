import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import type { Input } from '../../../main/referees/specker/input.ts'
import type { PublicEvent } from '../../../main/referees/specker/messages.ts'
import { predicateTrade } from '../../../main/referees/specker/analysis/predicate-trade.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import type { State } from '../../../main/referees/specker/state.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { SUMS } from '../../unit/specker/sums.ts'
import { bundleOf, nonceOf, markets, play } from './players.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('../../unit/specker/sums.ts'))

const { rules } = specker

/** A match of any variant and mode, and what its players do. */
const game = fc.record({
  players: fc.integer({ min: 2, max: 5 }),
  settings: fc.record({
    variant: fc.constantFrom('classic', 'belief', 'secret', 'base-ball'),
    mode: fc.constantFrom('synchronous', 'asynchronous', 'mega-moves'),
    init: fc.constantFrom(400_000_000, 3_000_000_000, 10_000_000_000),
    maxTurns: fc.integer({ min: 1, max: 5 }),
    mindec: fc.constantFrom(1, 1_000_000),
    acceptOrReoffer: fc.constantFrom('all', 'one'),
    order: fc.constantFrom('fixed', 'rotating'),
    profitFactor: fc.constantFrom(0, 0.3, 1, 7.5),
    f: fc.constantFrom('price', 'free'),
  }),
  plays: fc.array(
    fc.record({
      play,
      /** Asynchronous: who acts, and how long ago it was told. */
      seat: fc.nat(),
      behind: fc.nat({ max: 4 }),
      instead: fc.oneof(
        { arbitrary: fc.constant(null), weight: 20 },
        { arbitrary: fc.constantFrom('crash', 'close', 'overdue'), weight: 1 },
      ),
    }),
    { minLength: 1, maxLength: 40 },
  ),
})
type GameRun = typeof game extends fc.Arbitrary<infer T> ? T : never

function shapeOf({ players, settings }: GameRun) {
  const config = specker.config.parse({ challenge: SUMS, ...settings })
  const seats = specker.seats(config, settings.mode === 'mega-moves' ? 2 : players)
  return { config, seats: typeof seats === 'string' ? [] : seats }
}

function begin(run: GameRun): State {
  const { config, seats } = shapeOf(run)
  return rules.initial(config, seats, '0'.repeat(64))
}

/** Asynchronous matches end by the clock: after a number of inputs trading closes, and then everything is overdue. */
const LONGEST = 60

function nextInput(run: GameRun, state: State, turn: number): Input {
  const { play, instead, seat: any, behind } = run.plays[turn % run.plays.length]!
  const kinds = markets[run.settings.variant]!
  const fault = { kind: 'crash', text: 'It fell.' } as const
  if (state.choices.mode !== 'asynchronous') {
    const seat = state.turn!
    if (instead !== null) return { type: 'fault', seat, fault }
    return { type: 'turn', seat, actions: bundleOf(play, turnMessage(state, seat), seat, kinds) }
  }
  const late = turn >= LONGEST
  if ((late || instead === 'close') && state.round === 1) return { type: 'close' }
  const owed = [...state.deals.keys()][0]
  if ((late || instead === 'overdue') && owed !== undefined) return { type: 'overdue', challenge: owed }
  const alive = state.players.flatMap(({ removed }, seat) => (removed ? [] : [seat]))
  const seat = alive[any % alive.length]!
  if (instead === 'crash') return { type: 'fault', seat, fault }
  const seen = Math.max(0, state.dropped + state.events.length - behind)
  return { type: 'turn', seat, actions: bundleOf(play, turnMessage(state, seat), seat, kinds), seen }
}

/** Plays to the end, shows each state, and returns the inputs. */
function playOut(run: GameRun, see: (state: State, inputs: readonly Input[]) => void = () => undefined): Input[] {
  const state = begin(run)
  const inputs: Input[] = []
  see(state, inputs)
  while (rules.outcome(state) === null) {
    const input = nextInput(run, state, inputs.length)
    expect(rules.apply(state, input)).toBeNull()
    inputs.push(input)
    expect(inputs.length).toBeLessThan(400)
    see(state, inputs)
  }
  return inputs
}

/** All public events, each once. */
function eventsOf(run: GameRun): PublicEvent[] {
  const events: PublicEvent[] = []
  const state = begin(run)
  for (const input of playOut(run)) {
    const before = state.dropped + state.events.length
    rules.apply(state, input)
    events.push(...state.events.slice(Math.max(0, before - state.dropped)))
  }
  return events
}

describe('in every variant and mode', () => {
  test('energy is never made nor lost; players in the game are above 0', () => {
    fc.assert(
      fc.property(game, (run) => {
        playOut(run, (state) => {
          const total = state.players.reduce((sum, { account }) => sum + account, 0)
          expect(total).toBe(state.players.length * run.settings.init)
          for (const { account, removed } of state.players) expect(account).toBeGreaterThanOrEqual(removed ? 0 : 1)
        })
      }),
      { numRuns: 200 },
    )
  })

  test('what players earn with predicates adds up to the changes of their accounts, and each deal has two sides', () => {
    fc.assert(
      fc.property(game, (run) => {
        let accounts: number[] = []
        const inputs = playOut(run, ({ players }) => (accounts = players.map(({ account }) => account)))
        const { config, seats } = shapeOf(run)
        const parts = predicateTrade(config, seats.length, inputs)
        const sum = (of: typeof parts, column: string): number => of.reduce((all, { sums }) => all + sums[column]!, 0)
        const ofSeat = (seat: number) => parts.filter((part) => part.seat === seat)
        expect(seats.map(({ id }) => run.settings.init + sum(ofSeat(id), 'profit'))).toEqual(accounts)
        const [sold, bought] = ['seller', 'buyer'].map((role) => parts.filter((part) => part.role === role))
        for (const column of ['deals', 'solved', 'quality']) expect(sum(sold!, column)).toBe(sum(bought!, column))
        expect(sum(sold!, 'paid')).toBe(sum(bought!, 'received'))
        const events = eventsOf(run)
        for (const [column, type] of [
          ['deals', 'accepted'],
          ['solved', 'solved'],
        ] as const)
          expect(sum(sold!, column)).toBe(events.filter((event) => event.type === type).length)
      }),
      { numRuns: 150 },
    )
  })

  test('a match ends with nothing owed, three rounds after maxTurns at the latest, with secrets, and else two', () => {
    fc.assert(
      fc.property(game, (run) => {
        const { mode, variant, maxTurns } = run.settings
        const completion = mode === 'mega-moves' ? 0 : variant === 'secret' || variant === 'base-ball' ? 3 : 2
        playOut(run, (state) => {
          if (rules.outcome(state) !== null) expect(state.deals.size).toBe(0)
          else if (mode !== 'asynchronous') expect(state.round).toBeLessThanOrEqual(maxTurns + completion)
        })
      }),
      { numRuns: 150 },
    )
  })

  test('inputs read back from text lead to the same states, from any saved state on', () => {
    fc.assert(
      fc.property(game, fc.nat(), (run, point) => {
        const saved: string[] = []
        const inputs = playOut(run, (state) => saved.push(JSON.stringify(rules.save(state))))
        const from = point % saved.length
        const { config, seats } = shapeOf(run)
        const state = rules.load(JSON.parse(saved[from]!) as Json, config, seats)
        for (const [index, input] of inputs.slice(from).entries()) {
          expect(rules.apply(state, specker.input.parse(JSON.parse(JSON.stringify(input))))).toBeNull()
          expect(JSON.stringify(rules.save(state))).toBe(saved[from + index + 1])
        }
      }),
      { numRuns: 80 },
    )
  })

  test('nobody sees a nonce before it is revealed', () => {
    fc.assert(
      fc.property(game, (run) => {
        playOut(run, (state, inputs) => {
          const actions = inputs.flatMap((input) => (input.type === 'turn' ? input.actions : []))
          const revealed = actions.flatMap((action) => (action.type === 'reveal' ? [action.nonce] : []))
          const shown = JSON.stringify([
            rules.view(state, 'public'),
            ...state.players.flatMap((_, seat) => [startMessage(state, seat), turnMessage(state, seat)]),
          ])
          for (const [seat] of state.players.entries()) {
            for (let challenge = 0; challenge < state.nextChallenge; challenge++) {
              const nonce = nonceOf(seat, challenge)
              if (!revealed.includes(nonce)) expect(shown).not.toContain(nonce)
            }
          }
        })
      }),
      { numRuns: 60 },
    )
  })

  test('a challenge is bought once, and solved or voided once', () => {
    fc.assert(
      fc.property(game, (run) => {
        const events = eventsOf(run)
        const once = (type: PublicEvent['type']) => {
          const challenges = events.flatMap((event) =>
            event.type === type && 'challenge' in event ? [event.challenge] : [],
          )
          expect(new Set(challenges).size).toBe(challenges.length)
          return new Set(challenges)
        }
        const bought = once('accepted')
        const solved = once('solved')
        const voided = once('voided')
        const revealed = once('revealed')
        for (const challenge of bought) expect(solved.has(challenge) || voided.has(challenge)).toBe(true)
        for (const challenge of revealed) expect(solved.has(challenge)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('where nobody is removed, it makes no difference in which order a bundle delivers and reveals', () => {
    let compared = 0
    fc.assert(
      fc.property(game, (run) => {
        playOut(run, (_state, inputs) => {
          const last = inputs.at(-1)
          if (last?.type !== 'turn') return
          const quiet = last.actions.filter(({ type }) => type === 'deliver' || type === 'reveal')
          if (quiet.length < 2) return
          const replay = (actions: typeof quiet): Json | null => {
            const again = begin(run)
            for (const input of inputs.slice(0, -1)) rules.apply(again, input)
            const before = again.removals.length
            rules.apply(again, { ...last, actions })
            const { removals, players, deals } = again
            const open = [...deals.values()].sort((a, b) => a.challenge - b.challenge)
            return removals.length > before ? null : ([players.map(({ account }) => account), open] as Json)
          }
          // Actions before a violation are done, and payees before the last energy has gone are paid whole.
          const [there, back] = [replay(quiet), replay([...quiet].reverse())]
          if (there === null || back === null) return
          expect(back).toEqual(there)
          compared += 1
        })
      }),
      { numRuns: 400 },
    )
    expect(compared).toBeGreaterThan(0)
  })
})

test('the arbitrary players do play: every kind of event happens', () => {
  const counts = new Map<string, number>()
  fc.assert(
    fc.property(game, (run) => {
      for (const { type } of eventsOf(run)) counts.set(type, (counts.get(type) ?? 0) + 1)
    }),
    { numRuns: 200, seed: 11 },
  )
  const kinds = ['offered', 'accepted', 'reoffered', 'delivered', 'solved', 'revealed', 'refused', 'removed', 'voided']
  for (const kind of kinds) expect([kind, (counts.get(kind) ?? 0) > 10]).toEqual([kind, true])
})
