import * as z from 'zod'
import type { StartedDownload } from '../procedures/downloads.ts'
import { nothing, procedure } from '../procedures/procedure.ts'
import { auditProcedures } from './audit.ts'
import { personId, personName, role, type Person, type PersonId, type Role } from './people.ts'
import type { Team } from './teams.ts'

/** A person of the class, and how they can sign in. */
export interface ClassMember extends Person {
  /** The public name of their team; null: none. */
  readonly team: string | null
  /** The name that their team gave itself, while the public one is a pseudonym. Absent: the public one is its own. */
  readonly teamCalled?: string
  /** Their one-time code is valid until then; null: they have none. */
  readonly codeUntil: string | null
  /** They have exchanged a code for a password. */
  readonly hasPassword: boolean
  /** When they used one of their sessions last; null: they have none. */
  readonly seen: string | null
}

/** The people of a class, and how others can join. */
export interface ClassPeople {
  readonly people: readonly ClassMember[]
  /** The code with which people can ask to join; null: they cannot. */
  readonly classCode: { readonly code: string; readonly until: string } | null
}

/** The parts of a person that a roster changes. */
export type PersonChange = Pick<Person, 'name' | 'ids' | 'role'> & Partial<Pick<Person, 'email' | 'section'>>

/** The effect of importing a roster, or the effect that it would have. */
export interface RosterImport {
  readonly added: readonly PersonChange[]
  /** `returns`: the person had left. */
  readonly changed: readonly { readonly person: Person; readonly to: PersonChange; readonly returns: boolean }[]
  readonly unchanged: number
  /** Students of the class whom the roster does not have. They stay. */
  readonly gone: readonly Person[]
}

/** A new code on a slip of paper. */
export interface Slip {
  readonly person: PersonId
  readonly name: string
  /** The name to sign in with, which nobody else has: an e-mail address, an identifier, or the person's name. */
  readonly signInName: string
  readonly code: string
  readonly until: string
}

/** A session in the list of one's own. Times are ISO 8601. */
export interface OwnSession {
  readonly id: string
  readonly kind: 'browser' | 'terminal'
  readonly made: string
  readonly seen: string
  readonly address: string
  readonly agent: string
  /** It is the one that asks. */
  readonly isThis: boolean
}

/** The person who calls. */
export interface Me {
  readonly role: Role
  /** null: the person at this machine, or a guest without an account. */
  readonly person: Pick<Person, 'id' | 'name' | 'email' | 'section'> | null
  /** `name`: the public one. */
  readonly team: Pick<Team, 'id' | 'name'> | null
  /** Why they appear under a pseudonym: as all of the class, or by their wish. Absent: they do not. */
  readonly pseudonym?: 'class' | 'wish'
  /** True: the class is open to look at, or seen as a student sees it, and every change is refused. */
  readonly isReadOnly: boolean
  /** A student who may play by hand. Absent: they may not, or are not a student. */
  readonly playsByHand?: true
  /** An educator or assistant looks at the class as this person sees it. Absent: it is they themselves. */
  readonly isSeen?: true
}

/** A terminal that waits to be signed in. */
export interface WaitingDevice {
  readonly address: string
  readonly agent: string
  /** ISO 8601. */
  readonly made: string
}

/** The maximum of a roster in base64: 4 MB of bytes. */
const ROSTER_CHARACTERS_MAX = 6_000_000
const roster = z.strictObject({ content: z.base64().max(ROSTER_CHARACTERS_MAX) })
const onePerson = z.strictObject({ person: personId })
const userCode = z.strictObject({ userCode: z.string().min(1).max(40) })
const password = z.string().min(1).max(200)
const SMALL = 2_000

/** Procedures of the people of a class, and of everybody's own account. */
export const peopleProcedures = {
  'me.get': procedure<z.infer<typeof nothing>, Me>(nothing),
  /** Replaces one's password; one's other sessions end. */
  'me.password': procedure<{ password: string; newPassword: string }, null>(
    z.strictObject({ password, newPassword: password }),
    SMALL,
  ),
  /** A student appears under a pseudonym in everything public from now on, or no longer. */
  'me.pseudonym': procedure<{ isWished: boolean }, null>(z.strictObject({ isWished: z.boolean() }), SMALL),
  'me.sessions': procedure<z.infer<typeof nothing>, readonly OwnSession[]>(nothing),
  /** Ends one's sessions but the one that calls. Returns how many. */
  'me.endOthers': procedure<z.infer<typeof nothing>, number>(nothing),
  /** Ends one of one's other sessions, such as that of a terminal. Refused if there is none with this id. */
  'me.endSession': procedure<{ session: string }, null>(z.strictObject({ session: z.string().max(64) }), SMALL),
  /** Everything that the class keeps about the caller (`ownKinds`), as a zip: a download. */
  'me.download': procedure<z.infer<typeof nothing>, StartedDownload>(nothing),
  /** The terminal that shows this code. Refused if none waits. */
  'me.device': procedure<{ userCode: string }, WaitingDevice>(userCode, SMALL),
  /** Signs that terminal in as the caller. */
  'me.confirmDevice': procedure<{ userCode: string }, null>(userCode, SMALL),

  'people.list': procedure<z.infer<typeof nothing>, ClassPeople>(nothing),
  /** The consequences of importing a roster: the bytes of a file, or a list of names, in base64. */
  'people.preview': procedure<{ content: string }, RosterImport>(roster, ROSTER_CHARACTERS_MAX + SMALL),
  /** Adds the people of a roster and changes those whom the class has. Removes nobody. All or nothing. */
  'people.import': procedure<{ content: string }, RosterImport>(roster, ROSTER_CHARACTERS_MAX + SMALL),
  /** Changes a person's name or role; with the role their sessions end. */
  'people.change': procedure<{ person: PersonId; name?: string | undefined; role?: Role | undefined }, null>(
    z.strictObject({ person: personId, name: personName.optional(), role: role.optional() }),
    SMALL,
  ),
  /** Removes a person, or refuses somebody who asked to join. Their password, code and sessions end; what they handed in stays. */
  'people.remove': procedure<{ person: PersonId }, null>(onePerson, SMALL),
  /** Erases the personal data of somebody who has left, for good. Refused for a member of the class, and while names are locked. */
  'people.erase': procedure<{ person: PersonId }, null>(onePerson, SMALL),
  /** Makes a one-time code, which replaces a person's former one; it is shown this once. */
  'people.code': procedure<{ person: PersonId }, Slip>(onePerson, SMALL),
  /** Makes codes for several people, to print. */
  'people.slips': procedure<{ people: PersonId[] }, readonly Slip[]>(
    z.strictObject({ people: z.array(personId).min(1).max(1_000) }),
    40_000,
  ),
  /** Admits somebody who asked to join. */
  'people.admit': procedure<{ person: PersonId }, null>(onePerson, SMALL),
  /** Makes a new code with which people can ask to join, or ends it. */
  'people.joining': procedure<{ open: boolean }, null>(z.strictObject({ open: z.boolean() }), SMALL),

  /** The end of the link by which guests come; null: there is none. */
  'guests.get': procedure<z.infer<typeof nothing>, { readonly until: string } | null>(nothing, SMALL),
  /** Makes a link with an end; the former one ends. Its path, which follows an address of the class, is shown once. */
  'guests.admit': procedure<{ until: string }, { readonly path: string }>(
    z.strictObject({ until: z.iso.datetime() }),
    SMALL,
  ),
  /** Ends the link. Guests who came by it see nothing more. */
  'guests.end': procedure<z.infer<typeof nothing>, null>(nothing, SMALL),

  ...auditProcedures,
} as const
