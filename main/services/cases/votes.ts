import { voteText, type Vote } from '../../contract/cases/case-record.ts'
import type { CaseQuestion, CaseSettings, Pseudonym } from '../../contract/cases/cases.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { sha256 } from '../../histories/canonical.ts'

/** The commitment to a vote. */
export function commitmentOf(vote: Vote): Sha256 {
  return sha256(voteText(vote))
}

/** A vote that was opened and fits its commitment. */
export interface ValidVote {
  readonly voter: Pseudonym
  readonly choice: string
  readonly reason: string
}

/** True if a question has this choice. `penalties`: their number. */
export function isChoice(question: CaseQuestion, choice: string, penalties: number): boolean {
  if (choice === 'abstain') return true
  if (question === 'broken') return choice === 'yes' || choice === 'no'
  return /^\d$/.test(choice) && Number(choice) < penalties
}

/** The result of the votes. */
export interface Tally {
  /** The valid votes on the first question. */
  readonly valid: number
  /** The members who committed to a vote on it, opened or not: they count for the quorum. */
  readonly present: number
  readonly panel: number
  readonly hasQuorum: boolean
  readonly broken: boolean
  /** The place of the penalty; 0: none. */
  readonly penalty: number
  /** The questions that the chair's vote decided. */
  readonly casting: readonly CaseQuestion[]
}

type Rules = Pick<CaseSettings, 'quorum' | 'majority' | 'castingVote'>

/** True if enough members of a panel are present. */
export function hasQuorum({ quorum }: Pick<CaseSettings, 'quorum'>, panel: number, present: number): boolean {
  return panel > 0 && present * 100 >= quorum * panel
}

/**
 * Counts the valid votes of a panel. Without a quorum or a majority the rule was not broken. A vote that was not opened, or is void,
 * is an abstention of somebody who is `present`. The penalty is the one with the most
 * votes; of several, the chair's if castingVote is set, otherwise the mildest.
 */
export function tally(
  settings: Rules,
  panel: readonly Pseudonym[],
  chair: Pseudonym | null,
  votes: Readonly<Record<CaseQuestion, readonly ValidVote[]>>,
  present: number,
): Tally {
  const { majority, castingVote } = settings
  const isQuorum = hasQuorum(settings, panel.length, present)
  const counts = { valid: votes.broken.length, present, panel: panel.length }
  const none = { ...counts, hasQuorum: isQuorum, broken: false, penalty: 0, casting: [] }
  if (!isQuorum) return none
  const chairs = (question: CaseQuestion): string | undefined =>
    castingVote ? votes[question].find(({ voter }) => voter === chair)?.choice : undefined
  const casting: CaseQuestion[] = []
  const yes = countOf(votes.broken, 'yes')
  const no = countOf(votes.broken, 'no')
  const isTie = majority === 'half' && yes === no && yes > 0
  const isCast = isTie && chairs('broken') !== undefined && chairs('broken') !== 'abstain'
  if (isCast) casting.push('broken')
  const broken = isCast
    ? chairs('broken') === 'yes'
    : majority === 'half'
      ? yes > no
      : yes > 0 && yes * 3 >= (yes + no) * 2
  if (!broken) return { ...none, casting }
  const choices = [...new Set(votes.penalty.map(({ choice }) => choice))]
    .filter((choice) => choice !== 'abstain')
    .sort()
  const most = Math.max(0, ...choices.map((choice) => countOf(votes.penalty, choice)))
  const leading = choices.filter((choice) => countOf(votes.penalty, choice) === most)
  const cast = leading.find((choice) => choice === chairs('penalty'))
  if (leading.length > 1 && cast !== undefined) casting.push('penalty')
  return { ...none, broken, penalty: Number(cast ?? leading[0] ?? '0'), casting }
}

function countOf(votes: readonly ValidVote[], choice: string): number {
  return votes.filter((vote) => vote.choice === choice).length
}
