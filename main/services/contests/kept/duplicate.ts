import { checkActive } from '../../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId } from '../../../contract/ids.ts'
import { adaptedEntrants } from '../descriptions/adapted-entrants.ts'
import { checkScripts } from '../../agents/foreign-scripts.ts'
import { renewedContest, type RenewedContest } from '../descriptions/renewed-contest.ts'
import type { Contests } from './class-contests.ts'

/**
 * A contest with another title and seed, with the agents of the class as they play now, and with the settings of new
 * contests where it lacks them. Throws
 * ExpectedError 'usage' if there is no such contest, a person plays in it, or an agent may not play any more
 * or is one of another game.
 */
export async function duplicateOf(
  home: ClassFolder,
  contests: Pick<Contests, 'complete' | 'hasPerson'>,
  id: ContestId,
  { title, seed }: Pick<ContestDescription, 'title' | 'seed'>,
): Promise<RenewedContest> {
  const description = await contests.complete(id)
  if (contests.hasPerson(id)) {
    throw new ExpectedError(
      'usage',
      'plays-in-window',
      `A person plays in ${id}: begin a new match instead of a duplicate.`,
    )
  }
  const { agents } = home.content
  const entrants = adaptedEntrants(agents, description, Infinity)
  const duplicate = { ...description, title, seed, entrants }
  delete duplicate.phase
  checkActive(agents, duplicate)
  await checkScripts(home.folder, duplicate)
  return renewedContest(duplicate)
}
