import type { Me } from '../../../main/contract/people/people-procedures.ts'
import type { StudentHome } from '../../../main/contract/people/student-home.ts'
import { may } from '../../caller.svelte.ts'
import { call } from '../../connection/client.ts'
import { links } from '../../navigation/links.ts'
import { keptVisit, newsFrom } from './last-visit.ts'

/** A home that was asked for, with the time since which its news are. */
interface AskedHome {
  readonly since: string | null
  /** Rejects with a CallFailure. */
  readonly answer: Promise<StudentHome>
}
let asked: AskedHome | null = null

/** Asks for the home of a student who comes to it, as soon as it is known who they are: the window is drawn meanwhile. */
export function askForHome(me: Me, hash: string): void {
  if (!['', '#', '#/', links.class].includes(hash) || !may('student.home')) return
  asked = ask(me.person?.id ?? '')
  // Later it would be out of date.
  window.addEventListener('hashchange', () => (asked = null), { once: true })
}

/** The home of a student: the one that was asked for already, once, else a new one. */
export function takeHome(person: string): AskedHome {
  const taken = asked ?? ask(person)
  asked = null
  return taken
}

function ask(person: string): AskedHome {
  const since = newsFrom(keptVisit(person), Date.now())
  const answer = call('student.home', { since })
  // The screen shows a failure; perhaps nobody comes to it.
  answer.catch(() => undefined)
  return { since, answer }
}
