import type { Me } from '../../../main/contract/people/people-procedures.ts'
import type { StudentHome } from '../../../main/contract/people/student-home.ts'
import { may } from '../../caller.svelte.ts'
import { onChange } from '../../connection/changes.ts'
import { call } from '../../connection/client.ts'
import { early } from './asked-early.ts'
import { keptVisit, newsFrom } from './last-visit.ts'

/** A home that was asked for, with the time since which its news are. */
interface AskedHome {
  readonly since: string | null
  /** Rejects with a CallFailure. */
  readonly answer: Promise<StudentHome>
}

const listen = (listener: () => void) => [onChange('agents', listener), onChange('cases', listener)]
const home = early(listen, (person: string): AskedHome => {
  const since = newsFrom(keptVisit(person), Date.now())
  const answer = call('student.home', { since })
  // The screen shows a failure; perhaps nobody comes to it.
  answer.catch(() => undefined)
  return { since, answer }
})

/** Asks for the home of a student who comes to it, as soon as it is known who they are: the window is drawn meanwhile. */
export function askForHome(me: Me, hash: string): void {
  if (may('student.home')) home.ask(hash, me.person?.id ?? '')
}

/** The home of a student: the one that was asked for already, once, else a new one. */
export const takeHome = home.take
