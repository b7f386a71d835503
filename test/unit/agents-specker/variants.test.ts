import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { configOf, NAMES, playMatch, type Played } from './table.ts'

const VARIANTS = ['classic', 'belief', 'secret', 'base-ball'] as const
const MODES = ['synchronous', 'asynchronous', 'mega-moves'] as const
const CSP = { maxVars: 6, maxConstraints: 30, maxWeight: 4 }

/** Removals of anybody but those who could not pay in the end: that is bad trade, and no broken rule. */
function faultsOf({ removals }: Played, names: readonly string[]): string[] {
  return removals
    .filter(({ violation }) => violation.rule !== 'positive-account' || violation.action !== null)
    .map(({ seat, violation }) => `${names[seat]}: ${violation.text}`)
}

describe.each(VARIANTS)('%s', (variant) => {
  describe.each(MODES)('%s', (mode) => {
    test.each(NAMES)('%s breaks no rule', (name) => {
      const config = configOf('max-csp', CSP, { variant, mode, maxTurns: 3, offersMax: 4, init: 100 * ENERGY })
      const names = mode === 'mega-moves' ? [name, 'minmax' as const] : [name, 'minmax' as const, 'baby' as const]
      const played = playMatch(names, config, 1535)
      expect(faultsOf(played, names)).toEqual([])
      expect(played.outcome.places.every(({ removed }) => !removed)).toBe(true)
    })

    test('there is something to be seen: challenges are bought, delivered, solved and, where secret, revealed', () => {
      const config = configOf('max-csp', CSP, { variant, mode, maxTurns: 4, init: 100 * ENERGY })
      const { transcript } = playMatch(['baby', 'minmax'], config, 1535)
      for (const action of ['offer', 'accept', 'deliver', 'solve']) expect(transcript).toContain(`"type":"${action}"`)
      expect(transcript.includes('"type":"reveal"')).toBe(variant === 'secret' || variant === 'base-ball')
    })
  })
})

test('whatever the variant, the mode, the league and the settings: no rule is broken', () => {
  const settings = fc.record({
    csp: fc.boolean(),
    seats: fc.array(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 4 }),
    seed: fc.integer({ min: 0, max: 1_000_000 }),
    mode: fc.constantFrom(...MODES),
    variant: fc.constantFrom(...VARIANTS),
    f: fc.constantFrom('price', 'free'),
    profitFactor: fc.constantFrom(0, 0.5, 1, 3),
    mindec: fc.constantFrom(1, ENERGY / 100, 333_333_333),
    init: fc.constantFrom(ENERGY, 10 * ENERGY, 200 * ENERGY),
    offers: fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 9 })),
    acceptOrReoffer: fc.constantFrom('all', 'one'),
    league: fc.constantFrom(
      {},
      { league: 't-ball' },
      { league: 'slow-pitch' },
      { league: 'level-k-independent' },
      { league: 'level-k-reduced', leagueParameter: 3 },
    ),
    // On one variable no three clause types can be delivered of which none implies another.
    n: fc.integer({ min: 2, max: 7 }),
    room: fc.constantFrom(1, 3, 20, 60),
  })
  fc.assert(
    fc.property(settings, ({ csp, seats, seed, offers: [a, b], league, n, room, ...game }) => {
      const own = csp ? { maxVars: 2 + n, maxConstraints: room } : { maxVars: n, maxClauses: room, maxClauseLength: 3 }
      const names = game.mode === 'mega-moves' ? seats.slice(0, 2) : seats
      const offers = { offersMin: Math.min(a, b), offersMax: Math.max(a, b) }
      const config = configOf(csp ? 'max-csp' : 'max-sat', own, { ...game, ...league, ...offers, maxTurns: 3 })
      expect(faultsOf(playMatch(names, config, seed), names)).toEqual([])
    }),
    { numRuns: 40 },
  )
})
