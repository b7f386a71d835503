import type { PersonId, Role } from './people.ts'
import type { TeamId } from './teams.ts'

/**
 * The party at the other end of a connection, as its transport knows it. `host`: the person at this machine, in the desktop's window
 * or in a browser that was admitted by an address of this machine; they are always an educator. `session`: somebody of the class
 * who has signed in; the id is that of their session, never its secret. A terminal's session is for handing in alone. `guest`: somebody
 * without an account, while the educator admits guests.
 */
export type Visitor =
  | { readonly kind: 'host' }
  | { readonly kind: 'session'; readonly person: PersonId; readonly session: string; readonly isTerminal: boolean }
  | { readonly kind: 'guest' }

/** An educator or assistant who looks at the class as a student or a guest sees it. */
export interface SeenAs {
  readonly kind: 'seen'
  /** The student, or a guest. */
  readonly person: SeenPerson
  /** The one who looks. */
  readonly by: Visitor
}

/** As whom staff look at the class: the id of a student, or `SEEN_GUEST`, also while no guest is admitted. */
export type SeenPerson = PersonId
/** Ids of people are hexadecimal digits. */
export const SEEN_GUEST = 'guest'

/** The caller of a procedure, looked up at each call: a role that is taken away ends with the next call. */
export interface Caller {
  /** null: they may call nothing, because they have left the class. */
  readonly role: Role | null
  /** null: the person at this machine, or a guest. */
  readonly person: PersonId | null
  /** The team of a student; null: none yet, or not a student. */
  readonly team: TeamId | null
  /** The id of the session; null: the person at this machine, or a guest. */
  readonly session: string | null
  /** They call with the session of a terminal, which may only hand in. */
  readonly isTerminal: boolean
  /** A student of a class that lets students play by hand. Absent: they may not, or are not a student. */
  readonly playsByHand?: true
  /** Somebody else looks at the class as this student, or a guest, sees it: every change is refused. Absent: it is they themselves. */
  readonly isSeen?: true
}

/** The person at this machine. */
export const hostCaller: Caller = { role: 'educator', person: null, team: null, session: null, isTerminal: false }
