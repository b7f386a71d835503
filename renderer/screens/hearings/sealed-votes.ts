import { voteText, type Vote } from '../../../main/contract/cases/case-record.ts'
import type { CaseQuestion } from '../../../main/contract/cases/cases.ts'
import { ofClass } from '../../class-storage.ts'
import { randomHex } from '../../random-hex.ts'
import { sha256Of } from './sha256.ts'

// Votes that only this browser knows until they are opened.

/** The choices of one member of a panel in one ballot. */
export interface BallotOf {
  readonly case: string
  readonly voter: string
  /** Its number in the case. */
  readonly ballot: number
}

const keyOf = ({ case: of, voter, ballot }: BallotOf): string => ofClass(`tartaglia.votes.${of}.${voter}.${ballot}`)

export function newVote(ballot: BallotOf, question: CaseQuestion, choice: string, reason: string): Vote {
  return { ...ballot, question, choice, reason, nonce: randomHex() }
}

/** The commitment to a vote: SHA-256 of its text, in hex digits. */
export function commitmentTo(vote: Vote): Promise<string> {
  return sha256Of(voteText(vote))
}

/** The newest vote on each question. */
export function latestOf(votes: readonly Vote[]): readonly Vote[] {
  return [...new Map(votes.map((vote) => [vote.question, vote])).values()]
}

/** The votes among these that were committed to: the program may have got an earlier one than the newest. */
export async function committedOf(votes: readonly Vote[], commitments: readonly string[]): Promise<readonly Vote[]> {
  const made = await Promise.all(votes.map(async (vote) => ({ vote, is: await commitmentTo(vote) })))
  return latestOf(made.filter(({ is }) => commitments.includes(is)).map(({ vote }) => vote))
}

/** Keeps votes, beside those that are kept already, until they are opened. False: the browser has no storage, so that only the saved file is left. */
export function keepVotes(ballot: BallotOf, votes: readonly Vote[]): boolean {
  try {
    const before = keptVotes(ballot).filter(({ nonce }) => votes.every((each) => each.nonce !== nonce))
    localStorage.setItem(keyOf(ballot), JSON.stringify([...before, ...votes]))
    return true
  } catch {
    return false
  }
}

/** All votes of a ballot that this browser has kept, also those that were replaced; empty: none. */
export function keptVotes(ballot: BallotOf): readonly Vote[] {
  try {
    return votesIn(localStorage.getItem(keyOf(ballot)) ?? '[]', ballot)
  } catch {
    return []
  }
}

/** The votes of a ballot in the text of a saved file; empty: none. */
export function votesIn(text: string, { case: of, voter, ballot }: BallotOf): readonly Vote[] {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return []
  }
  if (!Array.isArray(read)) return []
  return read.filter(isVote).filter((vote) => vote.case === of && vote.voter === voter && vote.ballot === ballot)
}

function isVote(value: unknown): value is Vote {
  if (typeof value !== 'object' || value === null) return false
  const vote = value as Readonly<Record<string, unknown>>
  return (
    ['case', 'choice', 'reason', 'voter', 'nonce'].every((name) => typeof vote[name] === 'string') &&
    (vote['question'] === 'broken' || vote['question'] === 'penalty') &&
    typeof vote['ballot'] === 'number'
  )
}
