import type {
  EducatorHome,
  HomeDeadline,
  HomeEvent,
  HomeRerun,
  HomeStudent,
  HomeTeam,
} from '../../../../main/contract/people/educator-home.ts'
import { stateWords } from '../../hand-in/hand-in-words.ts'
import { about, bytes, count, moment, number, percent } from '../../../words.ts'

/** A student with their team. */
export interface StudentRow {
  readonly student: HomeStudent
  readonly team: HomeTeam | null
}

/** The groups of students that the home counts and lists. */
export const groups = [
  { id: 'all', label: 'All students' },
  { id: 'signed-out', label: 'Never signed in' },
  { id: 'none', label: 'Nothing handed in' },
  { id: 'failed', label: 'Failed' },
] as const
export type Group = (typeof groups)[number]['id']

/** The students with their teams: those who need something first, then by name. */
export function studentRows({ students, teams }: Pick<EducatorHome, 'students' | 'teams'>): readonly StudentRow[] {
  const byId = new Map(teams.map((team) => [team.id, team]))
  const rows = students.map((student) => ({ student, team: byId.get(student.team ?? '') ?? null }))
  return rows.toSorted((a, b) => urgency(a) - urgency(b))
}

/** 0: their newest hand-in failed. */
function urgency(row: StudentRow): number {
  const order: readonly Group[] = ['failed', 'signed-out', 'none', 'all']
  return order.findIndex((group) => isIn(group, row))
}

export function isIn(group: Group, { student, team }: StudentRow): boolean {
  if (group === 'signed-out') return student.access !== 'account'
  if (group === 'none') return team === null || team.last === null
  if (group === 'failed') return team?.last?.state === 'failed' || team?.last?.state === 'refused'
  return true
}

/** Those to whom more time can be given for a student: their team first, because files are handed in by teams. */
export function subjectsOf({
  student,
  team,
}: StudentRow): readonly { readonly who: 'person' | 'team'; readonly id: string; readonly name: string }[] {
  const person = { who: 'person', id: student.person, name: student.name } as const
  return team === null ? [person] : [{ who: 'team', id: team.id, name: team.name }, person]
}

/** How a student stands with signing in. */
export function accessWords({ access, seen }: HomeStudent): string {
  if (access === 'no-code') return 'has no valid code'
  if (access === 'code') return 'has a code, has not signed in'
  return seen === null ? 'signed out' : `seen ${moment(seen)}`
}

/** The newest hand-in of a team: a label, and what it failed on. */
export function handInState({ last, hasWorking }: HomeTeam): {
  readonly tone: ReturnType<typeof stateWords>['tone']
  readonly label: string
  readonly text: string
} {
  if (last === null) return { tone: 'plain', label: 'Nothing', text: '' }
  const { tone, label, text } = stateWords(last)
  const isGood = tone === 'good' || tone === 'info'
  const former = !isGood && hasWorking ? ' An earlier version works.' : ''
  return { tone, label, text: isGood ? '' : `${text}${former}` }
}

/** The queue as a sentence. */
export function queueSentence({ waiting, msEach }: EducatorHome['queue']): string {
  if (waiting === 0) return 'No hand-in waits for its trial.'
  const time = msEach === null ? '' : `, ${about(msEach * waiting)} in all`
  return `${count(waiting, 'hand-in waits', 'hand-ins wait')} for a trial${time}.`
}

/** A re-run for a dossier as a sentence. */
export function rerunSentence({ name, contest, match, again }: HomeRerun): string {
  const whole = again === 'match' ? 'plays match' : 'asks an agent again in match'
  return `${name ?? 'The educator'} ${whole} ${number(match)} of ${contest}${again === 'match' ? ' again' : ''}.`
}

/** Less than this is little, in bytes. */
const LITTLE = 5_000_000_000

/** The disk as a sentence, and whether it is a warning. */
export function diskSentence(disk: EducatorHome['disk']): { readonly text: string; readonly isLow: boolean } {
  if (disk === null) return { text: 'The system does not say how much space is left.', isLow: false }
  const { free, total } = disk
  const isLow = free < LITTLE
  return { text: `${bytes(free)} free (${percent(free / total)})${isLow ? ': free some space soon' : ''}.`, isLow }
}

/** When and how something runs. */
export function eventWords({ what, at }: HomeEvent): string {
  if (what === 'running') return 'is running'
  if (what === 'queued') return 'begins when the contests before it have ended'
  if (what === 'gathering') return 'waits for agents on other machines'
  if (what === 'recurring') return `begins by itself ${moment(at ?? '')}`
  return `can begin after ${moment(at ?? '')}`
}

/** The late policy of a deadline as a sentence. */
export function lateWords(late: HomeDeadline['late']): string {
  return late === 'closed'
    ? 'Later files are kept and do not count.'
    : 'Later files count while the team has late days left.'
}
