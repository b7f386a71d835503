import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { configOf, generator, NAMES, playMatch, winsOf, type AgentName } from './table.ts'

const CSP = { maxVars: 8, maxConstraints: 60, maxWeight: 5 }
const SAT = { maxVars: 8, maxClauses: 60, maxWeight: 5, maxClauseLength: 3 }

/** A table of `size` players drawn from all agents, some of them twice. */
function table(size: number, seed: number): AgentName[] {
  const random = generator(seed)
  return Array.from({ length: size }, () => NAMES[Math.floor(random() * NAMES.length)]!)
}

/** How many predicates of max-sat agents such as the kit's draw from: sets of clause types of one length; n literals make n + 1 types. */
function satPredicates(longest: number): number {
  return Array.from({ length: longest }, (_, index) => 2 ** (index + 2) - 1).reduce((sum, count) => sum + count, 0)
}

describe.each([
  ['max-csp', CSP],
  ['max-sat', SAT],
] as const)('%s', (challenge, own) => {
  test('with enough on the account nobody is ever removed: mixed tables of two to eight', () => {
    const config = configOf(challenge, own, { init: 200 * ENERGY, maxTurns: 3 })
    for (let match = 0; match < 7; match++) {
      const names = table(2 + match, match)
      const { removals } = playMatch(names, config, match)
      expect(removals.map(({ seat, violation }) => `${names[seat]}: ${violation.text}`)).toEqual([])
    }
  })

  // The target is 95 of 100 in every league, measured as in agents/specker/README.md. These few would show a loss.
  test.each(['minmax', 'tartaglia'] as const)('%s beats baby', (better) => {
    expect(winsOf(better, 'baby', configOf(challenge, own, { maxTurns: 4 }), 8)).toBeGreaterThanOrEqual(7)
  })

  test('equal seeds give equal matches, another seed another match', () => {
    const config = configOf(challenge, own, { maxTurns: 2 })
    const once = playMatch(NAMES, config, 7)
    expect(playMatch(NAMES, config, 7)).toEqual(once)
    expect(playMatch(NAMES, config, 8).transcript).not.toBe(once.transcript)
  })
})

test('whatever the config, no agent breaks a rule: removed are only those who cannot pay', () => {
  const configs = fc.record({
    csp: fc.boolean(),
    players: fc.integer({ min: 2, max: 8 }),
    seed: fc.integer({ min: 0, max: 1_000_000 }),
    init: fc.constantFrom(1, 2, 5, 1_000, 333_333_333, ENERGY, 10 * ENERGY),
    maxTurns: fc.integer({ min: 1, max: 6 }),
    mindec: fc.constantFrom(1, 7, ENERGY / 100, 333_333_333, ENERGY),
    offers: fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 12 })),
    acceptOrReoffer: fc.constantFrom('all', 'one'),
    order: fc.constantFrom('fixed', 'rotating'),
    maxVars: fc.integer({ min: 1, max: 7 }),
    room: fc.constantFrom(1, 2, 7, 40),
    maxWeight: fc.constantFrom(1, 3, 1_000_000),
    maxClauseLength: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(configs, ({ csp, players, seed, offers, maxVars, room, maxWeight, maxClauseLength, ...game }) => {
      const own = csp
        ? { maxVars: Math.max(3, maxVars), maxConstraints: room, maxWeight }
        : { maxVars, maxClauses: room, maxWeight, maxClauseLength }
      const [a, b] = offers
      const config = configOf(csp ? 'max-csp' : 'max-sat', own, {
        ...game,
        offersMin: Math.min(a, b),
        offersMax: Math.max(a, b),
      })
      // If there are few predicates, all of them are soon offered for nothing, and nobody can offer any of them for less.
      const demanded = players * game.maxTurns * Math.max(1, Math.min(a, b))
      const fewPredicates = !csp && satPredicates(Math.min(maxVars, maxClauseLength)) < 2 * demanded
      const names = table(players, seed)
      for (const { seat, violation } of playMatch(names, config, seed).removals) {
        const poverty = violation.rule === 'positive-account' && violation.action === null
        const nothingLeft = fewPredicates && violation.rule === 'new-offer'
        const cause = poverty ? 'poverty' : nothingLeft ? 'nothing left to offer' : violation.text
        expect([`${names[seat]}: poverty`, `${names[seat]}: nothing left to offer`]).toContain(
          `${names[seat]}: ${cause}`,
        )
      }
    }),
    { numRuns: 25 },
  )
})

const LEAGUES = ['t-ball', 'slow-pitch', 'fast-pitch', 'level-k-independent', 'level-k-reduced', 'base-ball'] as const

describe.each([
  ['max-csp', CSP],
  ['max-sat', SAT],
] as const)('leagues of %s', (challenge, own) => {
  test.each(LEAGUES)('%s: minmax beats baby', (league) => {
    expect(winsOf('minmax', 'baby', configOf(challenge, own, { maxTurns: 4, league }), 4)).toBeGreaterThanOrEqual(3)
  })
})

describe('secret base ball: tartaglia beats minmax', () => {
  const base = { maxTurns: 4, league: 'base-ball' }

  test.each([
    ['max-csp', CSP],
    ['max-sat', SAT],
  ] as const)('%s, classic and secret challenges in one market', (challenge, own) => {
    expect(winsOf('tartaglia', 'minmax', configOf(challenge, own, base), 6)).toBeGreaterThanOrEqual(4)
  })

  test.each([
    ['max-csp', { ...CSP, maxVars: 30 }],
    ['max-sat', { ...SAT, maxVars: 30 }],
    ['max-sat', SAT],
  ] as const)('%s, secret challenges only: %j', (challenge, own) => {
    const config = configOf(challenge, own, { ...base, variant: 'secret' })
    expect(winsOf('tartaglia', 'minmax', config, 4)).toBe(4)
  })

  test('a player that solves everything cannot be beaten where only secrets are sold and predicates do not run out', () => {
    const config = configOf('max-csp', CSP, { ...base, variant: 'secret' })
    const { outcome, transcript } = playMatch(['tartaglia', 'minmax'], config, 1)
    expect(outcome.places.map(({ rank }) => rank)).toEqual([1, 1])
    expect(transcript).toContain('"type":"solve"')
  })
})
