import type { ActOf } from '../../contract/cases/case-record.ts'
import type { Pseudonym, TimedStage } from '../../contract/cases/cases.ts'
import {
  closedAsRuled,
  inStage,
  presentIn,
  validVotes,
  type Ballot,
  type CaseState,
  type CastVote,
} from './case-state.ts'
import { commitmentOf, hasQuorum, isChoice, tally } from './votes.ts'

// Voting: commitments first, then the votes. They are counted when all are opened or the deadline passes. A member who has committed is present,
// opened or not: nobody who sees the others' votes undoes the vote by keeping back their own.

/** `begin`: a vote begins. `open`: its commitments are complete, or the deadline has passed; without a quorum none of them is opened. */
export function stateAfterVoting(state: CaseState, step: 'begin' | 'open'): CaseState {
  if (step === 'open') {
    const present = presentIn(state.ballots.at(-1)!)
    const isQuorum = hasQuorum(state.filed.settings, state.panel.length, present)
    return isQuorum ? afterOpening(inStage(state, 'opening')) : closeBallot(state)
  }
  // Those who left after their vote were counted as present; in the next one they are missing.
  const panel = inOffice(state)
  if (panel.length === 0) return closedAsRuled(state)
  const ballot: Ballot = { number: state.ballots.length + 1, instance: state.instance, votes: [], tally: null }
  return inStage({ ...state, panel, ballots: [...state.ballots, ballot] }, 'voting')
}

/** The members of the panel who have not left it. */
export function inOffice({ panel, out }: Pick<CaseState, 'panel' | 'out'>): readonly Pseudonym[] {
  return panel.filter((member) => !out.has(member))
}

/** True if everybody who is in office has voted on both questions. */
export function isVoteComplete(state: CaseState): boolean {
  const { votes } = state.ballots.at(-1)!
  return inOffice(state).every((member) => votes.filter(({ voter }) => voter === member).length === 2)
}

function withBallot(state: CaseState, votes: readonly CastVote[]): CaseState {
  return { ...state, ballots: [...state.ballots.slice(0, -1), { ...state.ballots.at(-1)!, votes }] }
}

/** A member commits to a vote. */
export function withVote(state: CaseState, act: ActOf<'voted'>, voter: Pseudonym): CaseState | string {
  if (state.stage !== 'voting') return 'there is no vote now'
  if (!inOffice(state).includes(voter)) return 'only the panel votes'
  const { votes } = state.ballots.at(-1)!
  const { question, commitment } = act
  if (votes.some((vote) => vote.voter === voter && vote.question === question)) return 'they have voted already'
  return withBallot(state, [...votes, { voter, question, commitment, n: state.entries, state: 'sealed' }])
}

/** True if an opened vote is the one that its voter committed to, with one of the choices of its question. */
export function fitsCommitment(state: CaseState, voter: Pseudonym, opened: Omit<ActOf<'opened'>, 'fits'>): boolean {
  const { votes = [], number = 0 } = state.ballots.at(-1) ?? {}
  const { question, choice, reason, nonce } = opened
  const own = votes.find((vote) => vote.voter === voter && vote.question === question)
  const found = commitmentOf({ case: state.id, question, choice, reason, voter, ballot: number, nonce })
  return found === own?.commitment && isChoice(question, choice, state.penalties!.length)
}

/** A member opens a vote. One that does not fit its commitment is void, and the entry says so. */
export function openVote(state: CaseState, act: ActOf<'opened'>, voter: Pseudonym): CaseState | string {
  if (state.stage !== 'opening') return 'votes are not opened now'
  if (!inOffice(state).includes(voter)) return 'only the panel opens votes'
  const { votes } = state.ballots.at(-1)!
  const own = votes.find((vote) => vote.voter === voter && vote.question === act.question)
  if (own === undefined) return 'they have not voted on this'
  if (own.state !== 'sealed') return 'the vote was opened already'
  const { choice, reason, fits } = act
  if (fitsCommitment(state, voter, act) !== fits)
    return fits ? 'the vote does not fit its commitment' : 'the vote fits its commitment'
  const opened: CastVote = { ...own, state: fits ? { choice, reason } : 'void' }
  return withBallot(
    state,
    votes.map((vote) => (vote === own ? opened : vote)),
  )
}

/** Counts the ballot when everybody who is in office has opened their votes. */
export function afterOpening(state: CaseState): CaseState {
  return unopenedIn(state).length > 0 ? state : closeBallot(state)
}

/** The members in office who have not opened a vote to which they committed, in the order of the panel. */
function unopenedIn(state: CaseState): readonly Pseudonym[] {
  const votes = state.ballots.at(-1)?.votes ?? []
  const sealed = new Set(votes.flatMap(({ voter, state: vote }) => (vote === 'sealed' ? voter : [])))
  return inOffice(state).filter((member) => sealed.has(member))
}

/** The entry of the program when the deadline of a stage has passed. */
export function lapseOf(state: CaseState, stage: TimedStage): ActOf<'lapsed'> {
  return { do: 'lapsed', stage, ...(stage === 'opening' ? { unopened: [...unopenedIn(state)] } : {}) }
}

/** The votes are counted; without a quorum they are repeated once. An appeal without a quorum keeps the first ruling. */
export function closeBallot(state: CaseState): CaseState {
  const ballot = state.ballots.at(-1)!
  const votes = { broken: validVotes(ballot, 'broken'), penalty: validVotes(ballot, 'penalty') }
  const result = tally(state.filed.settings, state.panel, state.chair, votes, presentIn(ballot))
  const counted = { ...state, ballots: [...state.ballots.slice(0, -1), { ...ballot, tally: result }] }
  const isFirst = state.ballots.filter(({ instance }) => instance === state.instance).length === 1
  if (!result.hasQuorum && isFirst) return stateAfterVoting(counted, 'begin')
  return result.hasQuorum || state.instance === 1 ? inStage(counted, 'ruling') : closedAsRuled(counted)
}
