import { checkActive } from '../../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId } from '../../../contract/ids.ts'
import { checkScripts } from '../../agents/foreign-scripts.ts'
import { renewedContest, type RenewedContest, settingsAdded } from '../descriptions/renewed-contest.ts'
import type { Contests } from './class-contests.ts'
import type { NextPhase } from '../../../contract/procedures/procedures.ts'
import type { TextSource } from '../../texts/named-texts.ts'
import { completeConfig } from '../descriptions/contest-file.ts'
import { adaptedEntrants } from './contest-edits.ts'

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
  const entrants = adaptedEntrants(agents, description)
  const duplicate = { ...description, title, seed, entrants }
  delete duplicate.phase
  checkActive(agents, duplicate)
  await checkScripts(home.folder, duplicate)
  return renewedContest(duplicate)
}

/**
 * The phase that follows a contest, which has the settings of new contests where the one before lacks them. Throws ExpectedError 'usage' if the contest has not ended, a person
 * plays in it, a phase follows it already, there is not a weight for each phase, or its config is not valid.
 */
export async function nextPhaseOf(
  contests: Pick<Contests, 'entry' | 'complete' | 'hasPerson' | 'followedBy' | 'phases'>,
  { contest: id, title, seed, config, weights }: Omit<NextPhase, 'deadline'>,
  texts: TextSource,
): Promise<RenewedContest> {
  const { state } = contests.entry(id)
  if (state !== 'ended')
    throw new ExpectedError('usage', 'contest-not-over', `The contest ${id} has not ended: its next phase comes after.`)
  if (contests.hasPerson(id))
    throw new ExpectedError('usage', 'plays-in-window', `A person plays in ${id}, which has one phase.`)
  const follows = contests.followedBy(id)
  if (follows !== null)
    throw new ExpectedError('usage', 'next-phase-exists', `The contest ${id} has a next phase already: ${follows}.`)
  const before = (await contests.phases(id))?.contests.length ?? 1
  if (weights.length !== before + 1)
    throw new ExpectedError(
      'usage',
      'input-invalid',
      `weights: ${before + 1} phases need as many weights; there are ${weights.length}.`,
    )
  const description = await contests.complete(id)
  const complete = await completeConfig({ ...description, config }, null, 'The contest', texts)
  return {
    description: {
      ...description,
      title,
      seed,
      // `Json` is readonly and the schema's type is not; nothing modifies the value.
      config: complete as ContestDescription['config'],
      phase: { after: id, weights },
    },
    renewed: settingsAdded(description, complete, config),
  }
}
