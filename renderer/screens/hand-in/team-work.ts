import type { AgentSummary, ContestSummary } from '../../../main/contract/procedures/procedures.ts'
import type { ReceiptBody } from '../../../main/contract/people/receipts.ts'
import type { Attempts, QueuePlace, TeamDeadline, TeamView } from '../../../main/contract/people/team-procedures.ts'
import { call, CallFailure, nullIf } from '../../connection/client.ts'
import { links } from '../../navigation/links.ts'
import { openContests } from './hand-in-words.ts'

/** Everything about the caller's team that the screens of a student show. */
export interface TeamWork {
  readonly team: TeamView
  readonly attempts: Attempts
  readonly queue: QueuePlace | null
  /** Newest first. */
  readonly receipts: readonly ReceiptBody[]
  readonly agents: readonly AgentSummary[]
}

/** A contest for which agents can be handed in. */
export interface OpenContest {
  readonly summary: ContestSummary
  readonly deadline: TeamDeadline
}

/** Loads it; null: the caller is in no team. */
export async function loadTeamWork(): Promise<TeamWork | null> {
  const team = await call('teams.mine', {})
  if (team === null) return null
  const [attempts, queue, receipts, agents] = await Promise.all([
    call('handIn.attempts', { team: null }),
    call('handIn.queue', { team: null }),
    call('receipts.list', { team: null }),
    call('agents.list', { offset: 0, limit: 1_000, search: '' }),
  ])
  return { team, attempts, queue, receipts, agents: agents.items }
}

/** Contests that are not over, those that close first at the top, those without a deadline at the end. */
export async function loadOpenContests(): Promise<readonly OpenContest[]> {
  const { items } = await call('contests.list', { offset: 0, limit: 1_000, search: '', person: false })
  const found = await Promise.all(
    openContests(items).map(async (summary) => {
      // It may have been deleted meanwhile.
      const deadline = await call('deadlines.get', { contest: summary.contest }).catch(nullIf('contest-unknown'))
      return deadline === null ? [] : [{ summary, deadline }]
    }),
  )
  return found.flat().sort((a, b) => closes(a.deadline) - closes(b.deadline))
}

/** The contest selected at first: the wanted one, or the only one whose deadline is still to come; '': none. */
export function firstContest(contests: readonly OpenContest[], wanted: string): string {
  if (contests.some(({ summary }) => summary.contest === wanted)) return wanted
  const due = contests.filter(({ deadline }) => {
    const at = closes(deadline)
    return at < Number.MAX_VALUE && at > Date.parse(deadline.now)
  })
  return due.length === 1 ? due[0]!.summary.contest : ''
}

function closes({ closing, deadline }: TeamDeadline): number {
  const at = closing?.at ?? deadline?.closes
  return at === undefined ? Number.MAX_VALUE : Date.parse(at)
}

/** Opens the trial match of a version that was handed in; returns the link to it. Rejects with a CallFailure. */
export async function trialMatchOf({ agent: name, version }: Pick<ReceiptBody, 'agent' | 'version'>): Promise<string> {
  const { versions } = await call('agents.get', { name })
  const found = versions.find(({ number }) => number === version)
  if (found === undefined)
    throw new CallFailure({ code: 'refused', message: `Version ${version} of ${name} was replaced by a later one.` })
  const { file } = await call('agents.trialMatch', { name, agent: found.agent })
  return links.historyFile(file)
}

/** The same for a hand-in of the team, by the number of its attempt. */
export async function trialOfAttempt(attempt: number): Promise<string> {
  const [{ attempts }, receipts] = await Promise.all([
    call('handIn.attempts', { team: null, before: attempt + 1, limit: 1 }),
    call('receipts.list', { team: null }),
  ])
  const n = attempts.find(({ id }) => id === attempt)?.receipt
  const receipt = receipts.find((each) => each.n === n)
  if (receipt === undefined)
    throw new CallFailure({ code: 'refused', message: 'Your team has no such hand-in, or it has no receipt.' })
  return trialMatchOf(receipt)
}
