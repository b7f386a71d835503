import type { AgentSummary, ContestSummary } from '../../../main/contract/procedures/procedures.ts'
import type { ReceiptBody } from '../../../main/contract/people/receipts.ts'
import type { Attempts, AttemptView, HandInLook, QueuePlace } from '../../../main/contract/people/team-procedures.ts'
import { about, count, ordinal } from '../../words.ts'

type Tone = 'plain' | 'good' | 'weak' | 'bad' | 'info'

/** The state of a hand-in: a short label, and a sentence for the states that have no reason of their own. */
export function stateWords({ state, reason }: Pick<AttemptView, 'state' | 'reason'>): {
  readonly tone: Tone
  readonly label: string
  readonly text: string
} {
  const words = {
    received: { tone: 'info', label: 'Received', text: 'The file is safe, and is being read or built.' },
    waiting: { tone: 'info', label: 'Waiting', text: 'Its trial match has not been played yet.' },
    passed: { tone: 'good', label: 'Works', text: 'It played its trial match.' },
    failed: { tone: 'bad', label: 'Fails', text: 'It failed its trial match.' },
    refused: { tone: 'bad', label: 'Rejected', text: 'The file is not an agent. This does not count as an attempt.' },
    void: {
      tone: 'weak',
      label: 'Not tested',
      text: 'It could not be tested here. This does not count as an attempt.',
    },
  } as const
  const { tone, label, text } = words[state]
  return { tone, label, text: reason ?? text }
}

/** The place in the queue with the expected time, as a sentence. */
export function queueWords({ place, expected }: QueuePlace): string {
  if (place === 1) return 'Its trial match is being played or begins next.'
  const time = expected === null ? '' : `, and begins in ${about(expected)}`
  return `It is ${ordinal(place)} in the queue${time}.`
}

/** The attempts of today as a sentence. */
export function attemptsWords({ used, left }: Pick<Attempts, 'used' | 'left'>): string {
  if (left === null) return `${count(used, 'attempt')} used today. There is no limit.`
  const rest = left === 0 ? 'none is left' : `${left} left`
  return `${count(used, 'attempt')} used today, ${rest}. A failed trial gives its attempt back, once an hour.`
}

/** The mark of a receipt for a late hand-in; '' if it was on time or for no contest. */
export function timeWords({ time }: Pick<ReceiptBody, 'time'>): string {
  if (time === 'on-time') return ''
  return time === 'late' ? 'late, within the late days' : 'too late: kept, does not count'
}

/** The agents of a team in a game. */
export function ownAgents(agents: readonly AgentSummary[], team: string, game: string): readonly AgentSummary[] {
  return agents.filter((each) => each.game === game && each.versions.some((version) => version.team === team))
}

/** Contests for which an agent can be handed in: they have not begun, and are neither a practice nor a match of a person. */
export function openContests(contests: readonly ContestSummary[]): readonly ContestSummary[] {
  return contests.filter(
    ({ state, progress, practice, person }) =>
      state === 'open' && progress.done === 0 && practice === undefined && !person,
  )
}

/** The verdict of a check before a hand-in, in sentences. */
export function lookWords({ agent, version, left }: HandInLook): string {
  const verdict =
    version === null
      ? `${agent} has a version of these very bytes already.`
      : `The file can be handed in: it would be version ${version} of ${agent}.`
  const checks =
    left === 0 ? 'It was the last check of this hour.' : `${count(left, 'check is', 'checks are')} left in this hour.`
  return `${verdict} Nothing was kept and no attempt was used; the trial match comes when you hand in. ${checks}`
}
