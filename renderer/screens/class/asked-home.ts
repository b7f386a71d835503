import { tick } from 'svelte'
import type { Me } from '../../../main/contract/people/people-procedures.ts'
import type { StudentHome } from '../../../main/contract/people/student-home.ts'
import { may } from '../../caller.svelte.ts'
import { onChange } from '../../connection/changes.ts'
import { call } from '../../connection/client.ts'
import { running } from '../../frame/running.svelte.ts'
import { links } from '../../navigation/links.ts'
import { keptVisit, newsFrom } from './last-visit.ts'

/** A home that was asked for, with the time since which its news are. */
interface AskedHome {
  readonly since: string | null
  /** Rejects with a CallFailure. */
  readonly answer: Promise<StudentHome>
}
/** One that no screen has taken. `states`: of the running contests then. */
let asked: (AskedHome & { readonly states: string | null }) | null = null
let ends: readonly (() => void)[] = []

/** Asks for the home of a student who comes to it, as soon as it is known who they are: the window is drawn meanwhile. */
export function askForHome(me: Me, hash: string): void {
  if (!['', '#', '#/', links.class].includes(hash) || !may('student.home')) return
  // Later, or after a change, it would be out of date.
  const forget = (): void => void (asked = null)
  window.addEventListener('hashchange', forget, { once: true })
  stopListening()
  ends = [onChange('agents', forget), onChange('cases', forget)]
  asked = { ...ask(me.person?.id ?? ''), states: running.states }
}

/** The home of a student: the one that was asked for already, once, else a new one. */
export function takeHome(person: string): AskedHome {
  const taken = asked?.states === running.states ? asked : ask(person)
  asked = null
  // The screen listens from then on.
  void tick().then(stopListening)
  return taken
}

function stopListening(): void {
  for (const end of ends) end()
  ends = []
}

function ask(person: string): AskedHome {
  const since = newsFrom(keptVisit(person), Date.now())
  const answer = call('student.home', { since })
  // The screen shows a failure; perhaps nobody comes to it.
  answer.catch(() => undefined)
  return { since, answer }
}
