import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { configOf, playMatch, type Played } from '../agents-specker/table.ts'

const FOLDER = new URL('../../../grammars/challenges/', import.meta.url)
const SHIPPED = readdirSync(FOLDER).flatMap((file) =>
  file.endsWith('.challenge') ? [file.replace('.challenge', '')] : [],
)
const VARIANTS = ['classic', 'belief', 'secret', 'base-ball'] as const
const MODES = ['synchronous', 'asynchronous', 'mega-moves'] as const

/** A challenge's own settings: as they are, and all at their lower or upper bounds. */
function settingsOf(challenge: string): readonly Json[] {
  const text = readFileSync(new URL(`${challenge}.challenge`, FOLDER), 'utf8')
  const bounds = [...text.matchAll(/^ {2}(\w+) = \d+ in (\d+)\.\.(\d+)$/gm)]
  expect(bounds.length).toBeGreaterThan(0)
  const at = (which: number): Json => Object.fromEntries(bounds.map((found) => [found[1]!, Number(found[which]!)]))
  return [{}, at(2), at(3)]
}

function play(challenge: string, own: Json, game: { readonly [key: string]: Json }): Played {
  const seats = game['mode'] === 'mega-moves' ? (['kit', 'kit'] as const) : (['kit', 'kit', 'kit'] as const)
  return playMatch(seats, configOf(challenge, own, { init: 1_000 * ENERGY, ...game }), 1535)
}

const reasons = ({ removals }: Played): string[] => removals.map(({ violation }) => violation.text)

// More turns than some challenges have predicates.
describe.each(SHIPPED)('the agent of the kits plays %s by the rules', (challenge) => {
  test.each(VARIANTS.flatMap((variant) => MODES.map((mode) => ({ variant, mode }))))('$variant, $mode', (game) => {
    for (const own of settingsOf(challenge)) {
      const played = play(challenge, own, { ...game, maxTurns: 12 })
      expect(reasons(played)).toEqual([])
      for (const action of ['offer', 'accept', 'deliver', 'solve']) {
        expect(played.transcript).toContain(`"type":"${action}"`)
      }
      if (game.variant === 'secret') expect(played.transcript).toMatch(/"commitment":"[0-9a-f]{64}".*"type":"reveal"/s)
    }
  })

  test.each([
    { offersMin: 30, offersMax: 30 },
    { offersMin: 0, offersMax: 1 },
    { acceptOrReoffer: 'one', order: 'rotating', mindec: ENERGY },
    { variant: 'belief', f: 'free', profitFactor: 3 },
  ])('%j', (game) => {
    expect(reasons(play(challenge, {}, { ...game, maxTurns: 6 }))).toEqual([])
  })
})

describe.each([
  ['max-csp', [1, 2, 5, 24, 69, 70, 71]],
  ['max-sat', [1, 2, 3, 4, 5]],
] as const)('the agent of the kits plays the leagues of %s', (challenge, levels) => {
  test.each(['t-ball', 'slow-pitch', 'fast-pitch', 'base-ball'])('%s', (league) => {
    expect(reasons(play(challenge, {}, { league, maxTurns: 12 }))).toEqual([])
  })

  test.each(levels)('level k, %i', (leagueParameter) => {
    for (const league of ['level-k-independent', 'level-k-reduced']) {
      expect(reasons(play(challenge, {}, { league, leagueParameter, maxTurns: 3 }))).toEqual([])
    }
  })
})
