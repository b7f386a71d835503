import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Action, TurnMessage } from '../../../main/referees/specker/messages.ts'
import { playerViewFrom, previewBundle } from '../../../main/referees/specker/player-view.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import type { State } from '../../../main/referees/specker/state.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { SUMS } from '../../unit/specker/sums.ts'
import { bundleOf, markets, play } from './players.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('../../unit/specker/sums.ts'))

const { rules } = specker

const game = fc.record({
  players: fc.integer({ min: 2, max: 4 }),
  settings: fc.record({
    variant: fc.constantFrom('classic', 'belief', 'secret', 'base-ball'),
    mode: fc.constantFrom('synchronous', 'mega-moves'),
    init: fc.constantFrom(400_000_000, 1_500_000_000, 10_000_000_000),
    maxTurns: fc.integer({ min: 1, max: 5 }),
    mindec: fc.constantFrom(1, 1_000_000),
    acceptOrReoffer: fc.constantFrom('all', 'one'),
    order: fc.constantFrom('fixed', 'rotating'),
    profitFactor: fc.constantFrom(0, 0.3, 7.5),
    f: fc.constantFrom('price', 'free'),
  }),
  plays: fc.array(play, { minLength: 1, maxLength: 40 }),
})

function begin({ players, settings }: typeof game extends fc.Arbitrary<infer T> ? T : never): State {
  const config = specker.config.parse({ challenge: SUMS, ...settings })
  const seats = specker.seats(config, settings.mode === 'mega-moves' ? 2 : players)
  return rules.initial(config, typeof seats === 'string' ? [] : seats, '0'.repeat(64))
}

test('a player foresees from its messages what the rules then do', () => {
  const seen = { violations: new Set<string>(), others: 0, turns: 0 }
  fc.assert(
    fc.property(game, (run) => {
      const state = begin(run)
      const told = state.players.map(() => ({ turns: [] as TurnMessage[], actions: [] as Action[] }))
      for (let turn = 0; state.turn !== null; turn++) {
        const me = state.turn
        const { turns, actions } = told[me]!
        // As it comes through the wire: nothing of the real state is shared.
        turns.push(JSON.parse(JSON.stringify(turnMessage(state, me))) as TurnMessage)
        const played = run.plays[turn % run.plays.length]!
        const free = run.settings.variant === 'belief' && run.settings.f === 'free'
        const chosen = bundleOf(played, turns.at(-1)!, me, markets[run.settings.variant]).map((action): Action =>
          action.type === 'offer' && free ? { ...action, f: played.decisions[0]! % 1_000_000_000 } : action,
        )
        const start = startMessage(state, me)
        const foreseen = previewBundle(playerViewFrom({ start, turns, actions })!, chosen)
        const before = { events: state.events.length, dropped: state.dropped, removed: state.removals.length }
        expect(rules.apply(state, { type: 'turn', seat: me, actions: chosen })).toBeNull()
        actions.push(...chosen)

        const own = state.removals.find(({ seat }) => seat === me)?.violation ?? null
        expect(foreseen.violation).toEqual(own)
        expect(foreseen.account).toBe(state.players[me]!.account)
        if (state.dropped === before.dropped) expect(foreseen.events).toEqual(state.events.slice(before.events))
        seen.turns += 1
        if (own !== null) seen.violations.add(own.rule)
        if (state.removals.slice(before.removed).some(({ seat }) => seat !== me)) seen.others += 1
      }
    }),
    { numRuns: 300, seed: 20 },
  )
  // Enough has happened for a difference to show: rules broken on both sides, and sellers removed by what a buyer did.
  expect(seen.violations.size).toBeGreaterThan(8)
  expect(seen.others).toBeGreaterThan(10)
})

test('trying changes nothing: the same bundle can be tried again', () => {
  const state = begin({
    players: 2,
    settings: {
      variant: 'classic',
      mode: 'synchronous',
      init: 1_500_000_000,
      maxTurns: 2,
      mindec: 1,
      acceptOrReoffer: 'all',
      order: 'fixed',
      profitFactor: 0,
      f: 'price',
    },
    plays: [],
  })
  const known = playerViewFrom({ start: startMessage(state, 0), turns: [turnMessage(state, 0)], actions: [] })!
  const actions: Action[] = [{ type: 'offer', predicate: [3], price: 500_000_000 }]
  expect(previewBundle(known, actions)).toEqual(previewBundle(known, actions))
  expect(previewBundle(known, []).violation).toMatchObject({ rule: 'new-offer', action: null })
  expect(playerViewFrom({ start: startMessage(state, 0), turns: [], actions: [] })).toBeNull()
})
