import type { AgentSummary, ContestSummary } from '../../../main/contract/procedures/procedures.ts'
import type { ReceiptBody } from '../../../main/contract/people/receipts.ts'
import type { Attempts, QueuePlace, TeamDeadline, TeamView } from '../../../main/contract/people/team-procedures.ts'
import { call, nullIf } from '../../connection/client.ts'
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

function closes({ closing, deadline }: TeamDeadline): number {
  const at = closing?.at ?? deadline?.closes
  return at === undefined ? Number.MAX_VALUE : Date.parse(at)
}
