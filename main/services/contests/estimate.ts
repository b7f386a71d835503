import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { matchCount, scheduleFault, tableSize } from '../../administrator/contests/schedule.ts'
import type { ContestDescription } from '../../contract/contests.ts'
import type { Json } from '../../contract/json.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { canonicalText } from '../../histories/canonical.ts'
import { games } from '../../referees/games.ts'
import { completeConfig } from './contest-file.ts'
import { withReferences } from '../texts/kept-texts.ts'
import type { Challenges } from '../challenges/class-challenges.ts'
import type { Contests } from './class-contests.ts'

/** Contests of the game that are looked at, newest first; those with the same settings before all others. */
const CONTESTS = 5

/**
 * How many matches a contest would have, and how long they would take on so many cores, by how long matches of the same game
 * have taken on their own clocks, for each seat and for their length as the game has it, such as rounds. null: none has been played yet. Throws ExpectedError 'usage' where there can be no
 * such contest.
 */
export async function estimate(
  home: ClassFolder,
  contests: Contests,
  challenges: Challenges,
  draft: ContestDescription,
  cores: number,
): Promise<{ readonly matches: number; readonly ms: number | null }> {
  const game = games.get(draft.game)
  const ofGame = game?.contests
  const fault = scheduleFault(draft, ofGame)
  if (fault !== null) throw new ExpectedError('usage', fault)
  const matches = matchCount(draft, ofGame)
  const complete = await completeConfig(draft, null, 'The contest', challenges.texts)
  const config = canonicalText(withReferences(draft.game, complete))
  // People take their time.
  const known = home.content.contests
    .filter(({ id, description }) => description.game === draft.game && !contests.hasPerson(id))
    .toReversed()
  const alike = known.filter(({ description }) => canonicalText(description.config) === config)
  const lengthOf = (config: Json): number => game?.length(config) ?? 1
  for (const some of [alike, known]) {
    let [ms, seats] = [0, 0]
    for (const { id } of some.slice(0, CONTESTS)) {
      const record = await contests.record(id).catch(() => null)
      if (record === null || record.recent.length === 0) continue
      const length = lengthOf((await contests.complete(id)).config)
      for (const run of record.recent) {
        ms += run.ms
        seats += run.entrants.length * length
      }
    }
    if (seats === 0) continue
    const all = matches * tableSize(draft, ofGame) * lengthOf(complete)
    return { matches, ms: Math.round((all * ms) / seats / Math.min(cores, matches)) }
  }
  return { matches, ms: null }
}
