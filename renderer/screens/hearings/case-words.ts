import type { BarReason } from '../../../main/contract/cases/case-record.ts'
import type { CaseSummary, CaseView } from '../../../main/contract/cases/case-procedures.ts'
import type {
  Against,
  CaseOutcome,
  CaseQuestion,
  Penalty,
  Pseudonym,
  Stage,
} from '../../../main/contract/cases/cases.ts'
import { partNames } from '../../../main/contract/cases/part-names.ts'
import { penaltyWords as remediesInWords } from '../../../main/contract/contests/ruling-words.ts'
import { count, moment, number } from '../../words.ts'
import { timeLeft } from '../hand-in/closing-words.ts'

/** The number of a case as people say it: `Case 4`. */
export function caseTitle(id: string): string {
  return `Case ${id.replace(/^case-/, '')}`
}

/** A side by its public name; null: the educator. */
export function partyName(party: string | null): string {
  return party ?? 'The educator'
}

type People = Pick<CaseView, 'people' | 'filer' | 'other'>

/** A person of a case by name, as far as the viewer may know it, and otherwise by their part, as in transcripts. */
export function personName(of: People, id: Pseudonym): string {
  return of.people.find((each) => each.id === id)?.name ?? partNames(of).get(id) ?? 'Somebody'
}

/** The author of an entry, with the side for which they act. null: the program. */
export function authorName(of: People, id: Pseudonym | null): string {
  if (id === null) return 'The program'
  const person = of.people.find((each) => each.id === id)
  const side = person?.side ?? null
  const party = side === null ? null : of[side]
  const name = personName(of, id)
  return party === null || party === name || typeof person?.name !== 'string' ? name : `${name} (${party})`
}

/** A name in the middle of a sentence. */
export function inSentence(name: string): string {
  return name.replace(/^The (educator|program)$/, 'the $1')
}

/** The oldest question to the viewer's side, which is answered first. */
export function dueQuestion({
  people,
  questions,
  me,
}: Pick<CaseView, 'people' | 'questions' | 'me'>): CaseView['questions'][number] | undefined {
  const side = people.find(({ id }) => id === me)?.side ?? null
  return side === null ? undefined : questions.find(({ open }) => open.includes(side))
}

export function againstWords(against: Against): string {
  if (against.what === 'agent') return `the agent ${against.name}`
  return against.what === 'ruling' ? `the ruling of ${caseTitle(against.case).toLowerCase()}` : 'the administrator'
}

export const stageNames: Readonly<Record<Stage, string>> = {
  ...{ filed: 'Filed', answer: 'Answer', draw: 'Lot', election: 'Election of the chair', hearing: 'Hearing' },
  ...{ voting: 'Vote', opening: 'Opening of the votes', ruling: 'Ruling', appeal: 'Time to appeal', closed: 'Closed' },
}

export const outcomeNames: Readonly<Record<CaseOutcome | 'open', string>> = {
  ...{ open: 'Open', dismissed: 'Dismissed', withdrawn: 'Withdrawn' },
  ...{ upheld: 'Rule broken', rejected: 'Rule not broken', unheard: 'Not heard' },
}

/** The people whose turn it is, as the subject of a sentence; '': nobody's. */
export function turnWords({
  stage,
  filer,
  other,
  instance,
}: Pick<CaseSummary, 'stage' | 'filer' | 'other' | 'instance'>): string {
  switch (stage) {
    case 'filed':
      return 'An educator or assistant'
    case 'answer':
      return instance === 1 ? partyName(other) : 'Both sides'
    case 'election':
    case 'voting':
    case 'opening':
      return 'The panel'
    case 'hearing':
      return `The panel, ${partyName(filer)} and ${partyName(other)}`
    case 'ruling':
      return 'The chair'
    case 'appeal':
      return `${partyName(filer)} or ${partyName(other)}`
    case 'draw':
    case 'closed':
      return ''
  }
}

/** The task of those whose turn it is. */
export function taskWords({ stage, instance }: Pick<CaseSummary, 'stage' | 'instance'>): string {
  return stage === 'answer' && instance === 2 ? 'may each refuse one person' : tasks[stage]
}

const tasks: Readonly<Record<Stage, string>> = {
  filed: 'admits or dismisses the case',
  answer: 'answers, and both sides may refuse one person',
  draw: 'The panel is being drawn',
  election: 'elects a chair',
  hearing: 'ask and reply',
  voting: 'votes in secret',
  opening: 'opens its votes',
  ruling: 'writes the ruling',
  appeal: 'may appeal',
  closed: 'The case is closed',
}

/** True if the part of the viewer in a case is one whose turn it is, and they have not taken their step yet. */
export function isTurnOf(
  { part, stage, instance, hasActed }: Pick<CaseSummary, 'part' | 'stage' | 'instance' | 'hasActed'>,
  isStaff: boolean,
): boolean {
  if (hasActed) return false
  const isPanel = part === 'panel' || part === 'chair'
  const isSide = part === 'filer' || part === 'other'
  switch (stage) {
    case 'filed':
      return isStaff
    case 'answer':
      return part === 'other' || (instance === 2 && isSide)
    case 'election':
    case 'voting':
    case 'opening':
      return isPanel
    case 'hearing':
      return isPanel || isSide
    case 'ruling':
      return part === 'chair'
    case 'appeal':
      return isSide
    case 'draw':
    case 'closed':
      return false
  }
}

/** The remedies of a ruling, as the beginning of a sentence. */
export function penaltyWords(penalty: Penalty): string {
  const words = remediesInWords(penalty)
  return `${words[0]!.toUpperCase()}${words.slice(1)}`
}

/** An entry, told: its sentence, and the words of the person. */
export interface ToldEntry {
  readonly sentence: string
  /** '': they wrote none. */
  readonly text: string
}

/** Tells an entry of a case in a sentence. */
export function tellEntry(view: CaseView, { act, by }: Pick<CaseView['entries'][number], 'act' | 'by'>): ToldEntry {
  const who = authorName(view, by)
  const name = (id: Pseudonym): string => personName(view, id)
  const named = (id: Pseudonym): string => inSentence(name(id))
  const choiceOf = (question: CaseQuestion, choice: string): string =>
    choiceWords(question, choice, view.penalties ?? [])
  const told = (sentence: string, text = ''): ToldEntry => ({ sentence, text })
  switch (act.do) {
    case 'filed':
      return told(
        `${who} filed the case against ${againstWords(act.against)}, and asks for: ${remediesInWords(act.asks)}.`,
        act.text,
      )
    case 'admitted':
      return told(
        `${who} admitted the case. The panel can choose: ${act.penalties.map(remediesInWords).join(', or ')}.`,
        act.reason,
      )
    case 'dismissed':
      return told(`${who} dismissed the case.`, act.reason)
    case 'answered':
      return told(
        `${who} answered${act.evidence.length === 0 ? '' : `, with ${count(act.evidence.length, 'exhibit')}`}.`,
        act.text,
      )
    case 'volunteered':
      return told(`${who} volunteered for the panel.`)
    case 'conflict':
      return told(`${who} declared a conflict, and is not on the panel.`, act.reason)
    case 'refused':
      return told(act.person === null ? `${who} refuses nobody.` : `${who} refused ${name(act.person)}.`)
    case 'drawn':
      return told(
        `The lot drew ${act.panel.map(named).join(', ')}.${act.filled.length === 0 ? '' : ` Too few students were left: ${act.filled.map(named).join(', ')} filled the panel.`}`,
      )
    case 'elected':
      return told(`${who} voted for ${name(act.chair)} as the chair.`)
    case 'asked':
      return told(
        `${who} asked ${act.to === 'both' ? 'both sides' : act.to === 'filer' ? 'the side that filed' : 'the other side'}.`,
        act.text,
      )
    case 'replied':
      return told(act.to === null ? `${who} made a statement.` : `${who} replied to entry ${number(act.to)}.`, act.text)
    case 'exhibited':
      return told(`${who} showed an exhibit.`, act.exhibit.note)
    case 'ended':
      return told(`${who} ended the stage “${stageNames[act.stage]}” before its deadline.`)
    case 'voted':
      return told(`${who} voted on ${questionNames[act.question]}. The vote is sealed.`)
    case 'opened':
      if ('isHidden' in act)
        return told(`${who} opened the vote on ${questionNames[act.question]}. It is shown when all are counted.`)
      return told(
        act.fits
          ? `${who} opened the vote on ${questionNames[act.question]}: ${choiceOf(act.question, act.choice)}.`
          : `${who} opened the vote on ${questionNames[act.question]}. It is not the vote that was sealed, so it is void.`,
        act.reason,
      )
    case 'deadline':
      return told(`${who} moved the deadline to ${moment(act.to)}.`, act.reason)
    case 'lapsed': {
      const unopened = (act.unopened ?? []).map(name)
      return told(
        `The deadline of the stage “${stageNames[act.stage]}” passed.${unopened.length === 0 ? '' : ` Not opened, so present and an abstention: votes of ${unopened.join(', ')}.`}`,
      )
    }
    case 'ruled':
      return told(
        `${who} ruled: the rule was ${act.broken ? 'broken' : 'not broken'}.${act.broken ? ` ${choiceOf('penalty', String(act.penalty))}.` : ''}`,
        act.text,
      )
    case 'appealed':
      return told(`${who} appealed to a larger panel.`, act.text)
    case 'withdrawn':
      return told(`${who} withdrew the case.`, act.reason)
    case 'undone':
      return told(`${who} took entry ${number(act.n)} back.`)
    case 'left':
      return told(`${name(act.person)} left the class.`)
    case 'barred':
      return told(`${name(act.person)} does not judge: ${barReasons[act.because]}.`)
    case 'clock':
      return told(
        `The clock of the machine was set back. Until it shows this time again, times are ${timeLeft(act.ahead)} ahead of it.`,
      )
  }
}

const barReasons: Readonly<Record<BarReason, string>> = {
  joined: 'they are in a team of this case now',
  former: 'they were in a team of this case',
  ruling: 'they are or were in a team of the case whose ruling this case is against',
}

const questionNames = { broken: 'the rule', penalty: 'the penalty' } as const

/** A choice in a vote, in words. */
export function choiceWords(question: CaseQuestion, choice: string, penalties: readonly Penalty[]): string {
  if (choice === 'abstain') return 'Abstains'
  if (question === 'penalty') return penaltyWords(penalties[Number(choice)] ?? [])
  return choice === 'yes' ? 'Yes, it was broken' : 'No, it was not broken'
}

const MINUTE = 60_000

/** The announcements of screen readers, by the time left in ms. */
const announcements: readonly (readonly [number, string])[] = [
  [0, 'The time of this stage is over.'],
  [10_000, 'Less than ten seconds are left in this stage.'],
  [MINUTE, 'Less than a minute is left in this stage.'],
  [60 * MINUTE, 'Less than an hour is left in this stage.'],
]

/** The announcement of screen readers at a time left in ms: few in all, so that they do not disturb. '': nothing yet. */
export function announcement(ms: number): string {
  return announcements.find(([most]) => ms <= most)?.[1] ?? ''
}
