import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { matchCount } from '../../../main/services/contests/schedule/schedule.ts'
import { games } from '../../../main/referees/games.ts'
import { readContest } from '../../../main/services/contests/descriptions/contest-file.ts'
import { openStage } from './stage.ts'

const stage = openStage('formats')
afterAll(() => stage.remove())

const shared = [
  'round-robin',
  'double-round-robin',
  'gauntlet',
  'swiss',
  'knockout',
  'ladder',
  'pools',
  'single',
  'ordered-pairs',
]
/** Settings that a game requires. */
const configs: Readonly<Record<string, object>> = {
  specker: { challenge: 'max-csp' },
  punter: { map: 'sample' },
  cows: { map: 'meadow' },
  cops: { map: 'hamlet' },
}
const cases = [...games.values()].flatMap(({ id, contests }) =>
  [...shared, ...(contests.formats ?? []).map((format) => format.id)].map((type) => ({ game: id, type })),
)

/** Players of a match: all, where a format has them all in one; ordered pairs are of two. */
function entrantsOf(game: string, type: string): number {
  const pairsOnly = game === 'haggle' || game === 'cows'
  if (type === 'single') return pairsOnly ? 2 : 6
  return 8
}

test.each(cases)('a contest of $game with no more than the type $type', async ({ game, type }) => {
  const agent = join(stage.folder, 'dist', 'agents', game, 'baby.js')
  const entrants = Array.from({ length: entrantsOf(game, type) }, (_, at) => ({ name: `agent ${at}`, agent }))
  const config = configs[game] ?? {}
  const file = stage.contest('contest.json', { game, config, format: { type }, limits: undefined, entrants })
  const { written } = await readContest(file, join(stage.folder, 'data'))
  expect(written.format.type === 'game' ? written.format.name : written.format.type).toBe(type)
  expect(matchCount(written, games.get(game)!.contests)).toBeGreaterThan(0)
})
