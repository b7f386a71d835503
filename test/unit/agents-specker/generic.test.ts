import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { isLong } from '../../long.ts'
import { configOf, playMatch, type Played } from './table.ts'

const FOLDER = new URL('../../../grammars/challenges/', import.meta.url)
const SHIPPED = readdirSync(FOLDER).flatMap((file) =>
  file.endsWith('.challenge') ? [file.replace('.challenge', '')] : [],
)
const MARKETS = ['classic', 'belief', 'secret', 'base-ball'] as const
const MODES = ['synchronous', 'asynchronous', 'mega-moves'] as const

function play(challenge: string, game: { readonly [key: string]: string | number }): Played {
  return playMatch(['baby', 'baby'], configOf(challenge, {}, { maxTurns: 3, init: 100 * ENERGY, ...game }), 1535)
}

function reasons({ removals }: Played): string[] {
  return removals.map(({ violation }) => violation.text)
}

test('there are challenges', () => expect(SHIPPED.length).toBeGreaterThan(5))

/**
 * Every market in every mode; in the short form every market with each challenge, in a mode that changes with both: each of the pairs
 * is played with a third of the challenges.
 */
const gamesFor = (challenge: string) =>
  MARKETS.flatMap((variant, market) =>
    MODES.filter((_, mode) => isLong || mode === (market + SHIPPED.indexOf(challenge)) % MODES.length).map((mode) => ({
      variant,
      mode,
    })),
  )

describe.each(SHIPPED)('the baby plays %s', (challenge) => {
  test.each(gamesFor(challenge))('$variant, $mode', (game) => {
    const played = play(challenge, game)
    expect(reasons(played)).toEqual([])
    for (const action of ['offer', 'accept', 'deliver', 'solve']) {
      expect(played.transcript).toContain(`"type":"${action}"`)
    }
    // Whoever sells a secret commits to it, and opens it.
    if (game.variant === 'secret') expect(played.transcript).toMatch(/"commitment":"[0-9a-f]{64}".*"type":"reveal"/s)
  })
})

describe.each(['level-k-independent', 'level-k-reduced'])('the baby plays %s', (league) => {
  test.each([
    ['max-csp', 5],
    ['max-csp', 6],
    ['max-csp', 12],
    ['max-csp', 24],
    ['max-sat', 4],
  ])('of %s with k = %i', (challenge, leagueParameter) => {
    const played = play(challenge, { league, leagueParameter })
    expect(reasons(played)).toEqual([])
    expect(played.transcript).toContain('"type":"solve"')
  })

  test('where no predicate is admitted it has nothing to do, and stays', () => {
    const played = play('max-sat', { league, leagueParameter: 200 })
    expect(reasons(played)).toEqual([])
    expect(played.transcript).not.toContain('"type":"offer"')
  })
})
