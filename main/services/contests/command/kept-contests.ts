import { openClassToLookAt } from '../../../administrator/classroom/read-only-class.ts'
import { openClassFolder, type ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { loadClass } from '../../../administrator/classroom/recovered-class.ts'
import { nextTime } from '../recurring/recurrence-times.ts'
import { seedReveal } from '../../../histories/seed-commitment.ts'
import { complaintSentence, parsePlainly } from '../../../contract/complaints.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId } from '../../../contract/ids.ts'
import { bounty, policyOf, type Bounty, type SecurityPolicy } from '../../../contract/contests/policy.ts'
import type { DecisionWish, NextRound } from '../../../contract/contests/decisions.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { Recurrence } from '../../../contract/contests/recurring.ts'
import type { Deletion } from '../../../contract/procedures/answers.ts'
import type { SeedReveal } from '../../../contract/contests/standings.ts'
import { shippedAgents } from '../../agents/opponents.ts'
import { versionNamed } from '../../agents/pinned-agents.ts'
import { awardsOf, type Award } from '../reports/awards.ts'
import { ruledIn } from '../results/ruled-results.ts'
import type { ContestReport } from './contest-report.ts'
import { openContests, type Contests } from '../kept/class-contests.ts'
import { existingClass, requireContest, requireDataFolder } from '../../machine/existing-class.ts'

// Lists and changes the contests that a data folder keeps, for the command line; playing them is elsewhere.

/** A contest in a list. */
export interface ListedContest {
  readonly contest: ContestId
  readonly title: string
  readonly state: 'open' | 'ended' | 'cancelled'
  readonly entrants: number
  /** It is left out of lists unless they are asked for. */
  readonly archived: boolean
  readonly policy: SecurityPolicy
  readonly bounties: readonly Bounty[]
  /** The bounties and the awards by rulings. */
  readonly awards: readonly Award[]
  /** The commitment to its seed; opened when it has ended. */
  readonly reveal: SeedReveal
}

/**
 * All contests of a data folder, oldest first. `onNotice`: called if `class.json` is gone or old, so that some are known from
 * their own files. Throws ExpectedError 'usage' if there is no such folder.
 */
export async function listContests(data: string, onNotice: (text: string) => void): Promise<readonly ListedContest[]> {
  requireDataFolder(data)
  const { content, notices } = await loadClass(data)
  for (const notice of notices) onNotice(notice)
  const { contests } = content
  return contests.map((entry) => {
    const { id, state, description, bounties = [], archived = false } = entry
    const { title, entrants } = description
    const policy = policyOf(description)
    const reveal = seedReveal(entry)
    const awards = awardsOf(entry)
    return { contest: id, title, state, entrants: entrants.length, archived, policy, bounties, awards, reveal }
  })
}

/** The standings of a contest by its files. */
export interface KeptStandings extends Pick<
  ContestReport,
  'contest' | 'title' | 'ruled' | 'standings' | 'countColumns' | 'toolchains'
> {
  readonly state: ContestEntry['state']
  readonly matches: { readonly total: number; readonly played: number }
}

/**
 * Counts a contest from its own signed files, which this does not change: also those of a class that somebody else plays in, or of
 * which nothing but these files is left. Throws ExpectedError 'usage' if there is no such contest, 'verdict' if they were changed.
 */
export async function standingsOf(data: string, contest: string): Promise<KeptStandings> {
  await requireContest(data, contest)
  const home = await openClassToLookAt(data)
  try {
    const contests = openContests(home)
    const { description, state } = contests.entry(contest)
    const record = await contests.record(contest)
    const intervals = record.intervals()
    return {
      ...{ contest, title: description.title, state },
      matches: { total: record.total, played: record.finished.size },
      ...ruledIn(record, () => record.asPlayed.ratedStandings()),
      toolchains: record.toolchains(),
      standings: record.ratedStandings().map((row) => ({ ...row, pointsInterval: intervals.get(row.agent) ?? null })),
      countColumns: contests.countColumns(contest),
    }
  } finally {
    await home.close()
  }
}

/** A recurring contest in a list; times are ISO 8601, UTC. */
export interface ListedRecurring extends Recurrence {
  readonly recurring: ContestId
  readonly title: string
  readonly timeZone: string
  /** null: it is paused. */
  readonly next: string | null
  /** The newest of its contests; null: there is none. */
  readonly last: ContestId | null
}

/** The contests of a data folder that begin by themselves while its classroom is open. Throws like `listContests`. */
export async function listRecurring(data: string, now: number, zone: string): Promise<readonly ListedRecurring[]> {
  const { contests, recurring, settings } = await existingClass(data)
  const timeZone = settings.timeZone || zone
  return recurring.map(({ id, description, days, time, paused = false }) => ({
    recurring: id,
    title: description.title,
    days,
    time,
    timeZone,
    next: paused ? null : new Date(nextTime({ days, time }, timeZone, now)).toISOString(),
    last: contests.findLast((each) => each.recurring?.of === id)?.id ?? null,
  }))
}

/**
 * Records a bounty for an agent that found a fault of the administrator, outside the ledger of any match. Throws
 * ExpectedError 'usage' if the contest does not allow that.
 */
export function awardBounty(data: string, contest: string, awarded: Bounty): Promise<void> {
  const read = parsePlainly(bounty, awarded)
  if (!read.ok) throw new ExpectedError('usage', 'input-invalid', `The bounty: ${complaintSentence(read.complaint)}`)
  return change(data, contest, (contests) => contests.award(contest, read.value))
}

/** Cancels an open contest; matches that were played remain. */
export function cancelContest(data: string, contest: string): Promise<void> {
  return change(data, contest, (contests) => contests.settle(contest, 'cancelled'))
}

/** Leaves a contest that is over out of lists, or lists it again. */
export function archiveContest(data: string, contest: string, archived: boolean): Promise<void> {
  return change(data, contest, (contests) => contests.archive(contest, archived))
}

/** Deletes a contest with its histories, if `confirmed`; returns the consequences. */
export async function deleteContest(data: string, contest: string, confirmed: boolean): Promise<Deletion> {
  let deletion: Deletion = { consequences: [], refusal: null }
  await change(data, contest, async (contests) => {
    deletion = await contests.deletion(contest)
    if (confirmed || deletion.refusal !== null) await contests.delete(contest)
  })
  return deletion
}

/**
 * Decides something about an open contest, if `confirmed`; returns the consequences. `wish`: made with the class. Throws
 * ExpectedError 'usage' if it is not possible.
 */
export async function decideContest(
  data: string,
  contest: string,
  wish: (contests: Contests, home: ClassFolder) => DecisionWish | Promise<DecisionWish>,
  confirmed: boolean,
): Promise<readonly string[]> {
  let consequences: readonly string[] = []
  await change(data, contest, async (contests, home) => {
    const wished = await wish(contests, home)
    consequences = confirmed ? await contests.decide(contest, wished) : await contests.consequences(contest, wished)
  })
  return consequences
}

/**
 * The wish that an agent enters late. `agent`: the name of one of the class, or NAME@HASH, or of one that ships with the game
 * of the contest. Throws ExpectedError 'usage' if there is none.
 */
export async function lateEntry(
  contests: Pick<Contests, 'entry'>,
  { content }: Pick<ClassFolder, 'content'>,
  { contest, agent }: { readonly contest: ContestId; readonly agent: string },
  more: Pick<DecisionWish & { type: 'enter' }, 'name' | 'reason'>,
): Promise<DecisionWish> {
  const isOfClass = content.agents.some(({ manifest }) => manifest.name === agent)
  const shipped = isOfClass ? [] : await shippedAgents(contests.entry(contest).description.game)
  const hash = shipped.find(({ name }) => name === agent)?.agent ?? versionNamed(content, agent).hash
  return { type: 'enter', agent: hash, ...more }
}

/** The next round of a contest, for pairing it. Throws ExpectedError 'usage' if there is none. */
export async function nextRoundOf(data: string, contest: string): Promise<NextRound> {
  let next: NextRound | null = null
  await change(data, contest, async (contests) => void (next = await contests.nextRound(contest)))
  return next!
}

async function change(
  data: string,
  contest: string,
  how: (contests: Contests, home: ClassFolder) => Promise<void>,
): Promise<void> {
  // Opening the folder would create it and its key.
  await requireContest(data, contest)
  const home = await openClassFolder(data)
  try {
    const contests = openContests(home)
    await contests.settleRebuilt()
    await how(contests, home)
  } finally {
    await home.close()
  }
}
