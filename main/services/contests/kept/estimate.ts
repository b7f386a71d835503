import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { matchCount, scheduleFault, tableSize } from '../schedule/schedule.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { Json } from '../../../contract/json.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { canonicalText } from '../../../histories/canonical.ts'
import { games } from '../../../referees/games.ts'
import { completeFormat } from '../formats/registry.ts'
import { completeConfig, completeVariants, lengthJob } from '../descriptions/contest-file.ts'
import { readText } from '../../machine/reading.ts'
import { textsOf } from '../../texts/named-texts.ts'
import { withReferences } from '../../texts/kept-texts.ts'
import type { Challenges } from '../../challenges/class-challenges.ts'
import type { Contests } from './class-contests.ts'

/**
 * The number of contests of the game that are considered, newest first; contests with the same settings are preferred.
 */
const CONTESTS = 5

/**
 * The number of matches of a contest and the time that they will take on this many cores, from the match times per seat
 * of earlier contests of the game. `ms` null: none has been played yet. Throws ExpectedError 'usage' if the description
 * is not valid.
 */
export async function estimate(
  home: ClassFolder,
  contests: Contests,
  challenges: Challenges,
  written: ContestDescription,
  cores: number,
): Promise<{ readonly matches: number; readonly ms: number | null }> {
  const game = games.get(written.game)
  const ofGame = game?.contests
  const draft = { ...written, format: completeFormat(written.format, ofGame ?? {}) }
  const fault = scheduleFault(draft, ofGame)
  if (fault !== null) throw new ExpectedError('usage', 'schedule-invalid', fault)
  const matches = matchCount(draft, ofGame)
  const complete = await completeConfig(draft, null, 'The contest', challenges.texts)
  const { config: kept } = withReferences({ ...draft, config: complete as ContestDescription['config'] })
  const config = canonicalText(kept)
  // Contests with people are left out, because people take much longer.
  const known = home.content.contests
    .filter(({ id, description }) => description.game === draft.game && !contests.hasPerson(id))
    .toReversed()
  const alike = known.filter(({ description }) => canonicalText(description.config) === config)
  /** The mean length of a contest's matches, over the variants of its format. */
  const lengthOf = async (config: Json, variants: readonly Json[]): Promise<number> => {
    const configs = variants.length === 0 ? [config] : variants
    const lengths = await Promise.all(configs.map((each) => readText(lengthJob, { game: draft.game, config: each })))
    return lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  }
  const ownVariants = await completeVariants({ ...draft, config: complete }, null, 'The contest', challenges.texts)
  const own = await lengthOf(complete, ownVariants)
  for (const some of [alike, known]) {
    let [ms, seats] = [0, 0]
    for (const { id } of some.slice(0, CONTESTS)) {
      const record = await contests.record(id).catch(() => null)
      if (record === null || record.recent.length === 0) continue
      const completed = await contests.complete(id)
      const variants = await completeVariants(completed, null, id, textsOf(home.folder), 'recorded')
      const length = await lengthOf(completed.config, variants)
      for (const run of record.recent) {
        ms += run.ms
        seats += run.entrants.length * length
      }
    }
    if (seats === 0) continue
    const all = matches * tableSize(draft, ofGame) * own
    return { matches, ms: Math.round((all * ms) / seats / Math.min(cores, matches)) }
  }
  return { matches, ms: null }
}
