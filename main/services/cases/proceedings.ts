import type { ActOf, CaseEntry, CasePerson } from '../../contract/cases/case-record.ts'
import type { Pseudonym, Side } from '../../contract/cases/cases.ts'
import { closedAsRuled, electedChair, inStage, type CaseState } from './case-state.ts'
import { isLate } from './parts.ts'
import { afterOpening, inOffice, isVoteComplete, stateAfterVoting } from './ballots.ts'

// The hearing, steps that are taken back, and members who leave.

/** A member of the panel asks one side or both. */
export function askIn(state: CaseState, act: ActOf<'asked'>, by: Pseudonym): CaseState | string {
  if (state.stage !== 'hearing') return 'questions are asked in the hearing'
  if (!state.panel.includes(by)) return 'only the panel asks'
  const open: readonly Side[] = act.to === 'both' ? ['filer', 'other'] : [act.to]
  return { ...state, questions: [...state.questions, { n: state.entries, by, open }] }
}

/** A side shows an exhibit. */
export function exhibitedIn(state: CaseState, act: ActOf<'exhibited'>, { id, side }: CasePerson): CaseState | string {
  if (side === null) return 'only the two sides show exhibits'
  if (state.stage !== 'answer' && state.stage !== 'hearing') return 'exhibits are shown before the vote'
  const exhibits = [...state.exhibits, { n: state.entries, by: id, exhibit: act.exhibit }]
  return marked({ ...state, exhibits }, side)
}

/** The last entry is of a side that had its part of a live hearing: everybody sees that it is late. */
function marked(state: CaseState, side: Side): CaseState {
  return isLate(state, side) ? { ...state, late: [...state.late, state.entries] } : state
}

/** A side replies to its oldest open question, or makes a statement. */
export function repliedIn(state: CaseState, act: ActOf<'replied'>, { side }: CasePerson): CaseState | string {
  if (state.stage !== 'hearing') return 'replies are given in the hearing'
  if (side === null) return 'only the two sides reply'
  if (act.to === null) return marked(state, side)
  const due = state.questions.find(({ open }) => open.includes(side))
  if (due?.n !== act.to) return 'the oldest open question to that side is answered first'
  const reply = { ...due, open: due.open.filter((each) => each !== side) }
  return { ...state, questions: state.questions.map((each) => (each === due ? reply : each)) }
}

/** The reason why the chair does not end the hearing yet, as a clause; null: they may. A side that says nothing has until the deadline. */
export function hearingGoesOn({ questions, steps, people }: CaseState): string | null {
  if (questions.some(({ open }) => open.length > 0)) return 'a question has no reply yet'
  const spoken = [...steps.values()].filter(({ act }) => act.do === 'replied' || act.do === 'exhibited')
  const sides = new Set(spoken.map(({ by }) => people.get(by!)?.side))
  return sides.has('filer') && sides.has('other') ? null : 'both sides have until the deadline to be heard'
}

/** Takes back an entry of the present stage, which stays in the record. */
export function undoneIn(state: CaseState, step: CaseEntry): CaseState | string {
  const { act, n } = step
  const by = step.by!
  const steps = new Map([...state.steps].filter(([each]) => each !== n))
  const exhibits = state.exhibits.filter((each) => each.n !== n)
  const next = { ...state, steps, exhibits }
  const side = state.people.get(by)?.side ?? null
  switch (act.do) {
    case 'answered':
      return { ...next, answered: null }
    case 'volunteered':
      return { ...next, volunteers: without(state.volunteers, by) }
    case 'conflict':
      return { ...next, out: without(state.out, by) }
    case 'refused':
      return { ...next, refusals: new Map([...state.refusals].filter(([each]) => each !== side)) }
    case 'elected': {
      // An older vote for a chair was replaced: taking it back leaves the newer one.
      const isReplaced = [...steps.values()].some((each) => each.by === by && each.act.do === 'elected' && each.n > n)
      return isReplaced
        ? next
        : { ...next, nominations: new Map([...state.nominations].filter(([each]) => each !== by)) }
    }
    case 'asked': {
      const question = state.questions.find((each) => each.n === n)!
      const asked = act.to === 'both' ? 2 : 1
      if (question.open.length < asked) return 'the question has a reply already'
      return { ...next, questions: state.questions.filter((each) => each !== question) }
    }
    case 'replied': {
      const questions = state.questions.map((each) =>
        each.n === act.to && side !== null ? { ...each, open: [...each.open, side] } : each,
      )
      return { ...next, questions }
    }
    case 'voted': {
      const ballot = state.ballots.at(-1)!
      const votes = ballot.votes.filter((vote) => vote.n !== n)
      return { ...next, ballots: [...state.ballots.slice(0, -1), { ...ballot, votes }] }
    }
    default:
      return next
  }
}

function without(set: ReadonlySet<Pseudonym>, id: Pseudonym): ReadonlySet<Pseudonym> {
  return new Set([...set].filter((each) => each !== id))
}

/**
 * A person leaves the case. The next one of the lot takes the place of a member until the vote begins. A member who has voted stays on the
 * panel as somebody present who abstains with what they have not opened: a quorum cannot be undone by leaving, and nobody waits for them.
 * If the chair leaves, the first member in office is the chair.
 */
export function leaveCase(state: CaseState, id: Pseudonym): CaseState | string {
  if (!state.people.has(id)) return 'nobody of the case left'
  const next: CaseState = { ...state, out: new Set([...state.out, id]) }
  if (!state.panel.includes(id) || state.stage === 'draw') return next
  const isHeard = state.stage === 'election' || state.stage === 'hearing'
  const isReplaced = isHeard && state.filed.settings.panel !== 'all'
  const reserve = state.reserve.filter((each) => !next.out.has(each))
  const rest = state.panel.filter((each) => each !== id)
  const isGoing = isHeard || (state.stage === 'voting' && !hasVoted(state, id))
  const panel = isGoing ? [...rest, ...(isReplaced ? reserve.slice(0, 1) : [])] : state.panel
  const left: CaseState = {
    ...next,
    panel,
    reserve: isReplaced ? reserve.slice(1) : reserve,
    chair: state.chair === id ? (inOffice({ ...next, panel })[0] ?? null) : state.chair,
    nominations: new Map([...state.nominations].filter((pair) => !pair.includes(id))),
    // A vote with which somebody is present is not taken back any more.
    steps: new Map([...state.steps].filter(([, { by, act }]) => by !== id || act.do !== 'voted')),
    ballots: isGoing && state.stage === 'voting' ? withoutVotesOf(state.ballots, id) : state.ballots,
  }
  return afterLeaving(left)
}

function hasVoted({ ballots }: CaseState, id: Pseudonym): boolean {
  return ballots.at(-1)!.votes.some(({ voter, question }) => voter === id && question === 'broken')
}

function withoutVotesOf(ballots: CaseState['ballots'], id: Pseudonym): CaseState['ballots'] {
  const last = ballots.at(-1)!
  return [...ballots.slice(0, -1), { ...last, votes: last.votes.filter(({ voter }) => voter !== id) }]
}

/** The stage goes on, or is over because everybody else has done their part. */
function afterLeaving(state: CaseState): CaseState {
  const { stage } = state
  if (inOffice(state).length === 0 && !hasJudged(state)) return closedAsRuled(state)
  if (stage === 'election' && state.nominations.size === state.panel.length)
    return inStage({ ...state, chair: electedChair(state) }, 'hearing')
  if (stage === 'voting' && isVoteComplete(state)) return stateAfterVoting(state, 'open')
  return stage === 'opening' ? afterOpening(state) : state
}

/** True if the panel's part is done, or some of it: a vote was opened. */
function hasJudged({ stage, ballots }: CaseState): boolean {
  if (stage === 'opening') return ballots.at(-1)!.votes.some((vote) => vote.state !== 'sealed')
  return stage === 'ruling' || stage === 'appeal'
}
