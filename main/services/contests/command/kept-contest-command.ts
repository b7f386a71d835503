import { availableParallelism } from 'node:os'
import { openClassFolder } from '../../../administrator/classroom/classroom.ts'
import { untriedAttempts } from '../../../administrator/people/attempts.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../administrator/people/people-database.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId } from '../../../contract/ids.ts'
import { tierForContest } from '../../machine/toolchains.ts'
import { startEarly } from '../../machine/workers.ts'
import { openContests, type Contests } from '../kept/class-contests.ts'
import { reportRecovery } from '../kept/contest-edits.ts'
import { checkPhrase } from '../kept/kept-entries.ts'
import { requireContest } from '../../machine/existing-class.ts'
import type { ContestReport } from './contest-report.ts'
import { checkExportFolder, playContest, weakestTier, type PlayContestOptions } from './play-contest.ts'
import { addRerun } from '../kept/rerun.ts'
import { staysBehind } from '../running/started-contests.ts'

/** How a command plays a contest of a data folder by its id, without its file. */
export interface KeptContestOptions extends Omit<PlayContestOptions, 'arena' | 'phrase' | 'cluster' | 'consoles'> {
  readonly contest: ContestId
  /** The number of match workers; default: one per core. */
  readonly cores?: number
}

/**
 * Plays the rest of an open contest with the agents that the class keeps. Throws ExpectedError 'usage' if there is no such
 * contest, it is over, it waits for something, or somebody must be present for it.
 */
export function resumeContest(options: KeptContestOptions): Promise<ContestReport> {
  return playKept(options, async (contests) => {
    const { contest: id } = options
    const { state } = contests.entry(id)
    if (state !== 'open')
      throw new ExpectedError(
        'usage',
        'contest-over',
        `The contest ${id} is ${state}; "contest rerun ${id}" plays it once more.`,
      )
    if (contests.hasPerson(id))
      throw new ExpectedError('usage', 'plays-in-window', `A person plays in ${id}: it is played in the window.`)
    if (contests.connects(id)) {
      const where = 'resume it in the window, or run its file with "contest run"'
      throw new ExpectedError('usage', 'arena-missing', `Agents on other machines connect to ${id}: ${where}.`)
    }
    for (const name of await contests.closeEntries(id)) options.onNotice(staysBehind(name))
    checkPhrase(contests.entry(id), 'give it in the window, or run its file with --phrase TEXT')
    return id
  })
}

/** Runs a contest that is over again, as `addRerun` has it, which says what is refused. */
export function rerunContest(options: KeptContestOptions): Promise<ContestReport> {
  return playKept(options, async (contests, home) => (await addRerun(home, contests, options.contest)).id)
}

/** The hand-ins that were left without a verdict when the class was closed. Nobody hands in while a command has it open. */
function untriedIn(data: string): ReturnType<typeof untriedAttempts> {
  const people = openPeopleDatabase(data)
  try {
    return untriedAttempts(people)
  } finally {
    closePeopleDatabase(people)
  }
}

async function playKept(
  options: KeptContestOptions,
  choose: (contests: Contests, home: Awaited<ReturnType<typeof openClassFolder>>) => Promise<ContestId>,
): Promise<ContestReport> {
  const { data, contest, cores = availableParallelism(), exportTo } = options
  await requireContest(data, contest)
  const home = await openClassFolder(data)
  try {
    const untried = untriedIn(data)
    const contests = openContests(home, Date.now, () => untried)
    await reportRecovery(home, contests, options)
    const { description } = contests.entry(contest)
    const accepted = { ...description, isolation: weakestTier(options.isolation, description) }
    const isolation = await tierForContest(accepted, contests.hasPrograms(contest))
    const id = await choose(contests, home)
    if (exportTo !== undefined) checkExportFolder(exportTo, home, description, id)
    const early = startEarly(cores)
    return await playContest(options, { home, contests, isolation, cores, early }, id).finally(() => early.close())
  } finally {
    await home.close()
  }
}
