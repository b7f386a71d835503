import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { ContestDetail, ContestState, ContestSummary } from '../../../contract/procedures/procedures.ts'
import type { LiveMatches } from '../../matches/live-matches.ts'
import type { Contests } from '../kept/class-contests.ts'
import type { OpenEntries } from '../kept/contest-edits.ts'
import { createDetails } from '../reports/contest-detail.ts'
import { afterRulingOf, wantsReplays } from '../results/ruled-results.ts'
import { playedOf, type ContestRunner } from './contest-runner.ts'
import type { Played } from './started-contests.ts'

/** The contests of an open classroom as screens show them: those that run as they are now. */
export interface ContestPages {
  summary(entry: ContestEntry): Promise<ContestSummary>
  detail(id: ContestId): Promise<ContestDetail>
  /** The contests that are running or waiting. */
  active(): Promise<readonly ContestSummary[]>
}

interface Sources {
  readonly home: ClassFolder
  readonly contests: Contests
  readonly runner: ContestRunner
  readonly live: LiveMatches
  /** ms since the epoch, by the clock of the class. */
  now(): number
}

export function createContestPages(sources: Sources): ContestPages {
  const { home, contests, runner } = sources
  const details = createDetails(sources)
  return {
    summary: (entry) => summary(sources, entry),
    async detail(id) {
      const now = runner.now(id)
      const { isolation = null, arena = null } = now ?? {}
      const record = await contests.record(id)
      return details.of(summaryOf(sources, contests.entry(id), record), record, {
        active: now !== null,
        isolation,
        arena,
        said: runner.notices(id),
      })
    },
    active: () =>
      Promise.all(
        runner
          .started()
          .flatMap((id) => home.content.contests.filter((entry) => entry.id === id))
          .map((entry) => summary(sources, entry)),
      ),
  }
}

async function summary(sources: Sources, entry: ContestEntry): Promise<ContestSummary> {
  const { contests, runner } = sources
  const { id, state } = entry
  const total = contests.matches(id)
  // Every match of an ended contest is finished, so its record need not be read, unless rulings want more of them.
  if (state === 'ended' && !contests.varies(id) && !wantsReplays(entry))
    return summaryOf(sources, entry, { done: total, total })
  if (runner.now(id) !== null) return summaryOf(sources, entry, { done: 0, total })
  return summaryOf(sources, entry, await playedOf(contests, id))
}

/** `played`: of a contest that is not active. */
function summaryOf(
  { contests, runner, now: time }: Sources,
  entry: ContestEntry,
  { done, total }: Played,
): ContestSummary {
  const { id, description } = entry
  const now = runner.now(id)
  const state: ContestState = now?.state ?? entry.state
  const progress = now?.progress ?? { done, total, msLeft: null }
  const { title, game, entrants } = description
  const { added = null, archived } = entry
  const person = contests.hasPerson(id)
  const waitsFor = state === 'open' ? waitingFor(entry, contests.openEntries(id), time()) : null
  return {
    ...{ contest: id, title, game, state, entrants: entrants.length, progress, added, person },
    ...(description.practice === true ? { practice: true } : {}),
    ...(archived === true ? { archived: true } : {}),
    ...afterRulingOf(entry),
    ...(waitsFor === null ? {} : { waitsFor }),
  }
}

/** The reason why an open contest cannot begin yet; null: it can. */
function waitingFor(
  { description, phrase }: ContestEntry,
  entries: OpenEntries | null,
  now: number,
): 'entries' | 'trials' | 'phrase' | null {
  if (entries !== null && now < Date.parse(entries.until)) return 'entries'
  if (entries !== null && entries.untried() > 0) return 'trials'
  return description.classPhrase === true && phrase === undefined ? 'phrase' : null
}
