import { isLive, keepSession, type Accounts } from '../../administrator/people/accounts.ts'
import { guestsUntil } from '../../administrator/people/guests.ts'
import { hostCaller, SEEN_GUEST, type Caller, type SeenAs, type Visitor } from '../../contract/people/caller.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'

type Content = Pick<Classroom, 'people' | 'teams'> & Partial<Pick<Classroom, 'handInRules'>>

/** The caller that a visitor of a class is at this moment. Somebody who has left the class may call nothing. */
export function callerOf(content: Content, visitor: Visitor | SeenAs): Caller {
  const { people, teams } = content
  if (visitor.kind === 'host') return hostCaller
  if (visitor.kind === 'guest') return { role: 'guest', person: null, team: null, session: null, isTerminal: false }
  if (visitor.kind === 'seen') return seenPerson(content, visitor)
  const person = people.find(({ id }) => id === visitor.person)
  const role = person === undefined || person.removed !== undefined || person.asking !== undefined ? null : person.role
  const team = role === 'student' ? teams.find(({ members }) => members.includes(visitor.person)) : undefined
  const { session, isTerminal } = visitor
  const playsByHand = role === 'student' && content.handInRules?.playByHand === true
  const caller = { role, person: visitor.person, team: team?.id ?? null, session, isTerminal }
  return playsByHand ? { ...caller, playsByHand } : caller
}

/** A student or guest at whose view of the class staff looks. Nobody else may, and of nobody else: an assistant would see what educators see. */
function seenPerson(content: Content, { person, by }: SeenAs): Caller {
  const viewer = callerOf(content, by)
  // With a terminal's session they may do what terminals may, and no more.
  const { isTerminal } = viewer
  const isStaff = viewer.role === 'educator' || viewer.role === 'assistant'
  if (person === SEEN_GUEST)
    return { role: isStaff ? 'guest' : null, person: null, team: null, session: null, isTerminal, isSeen: true }
  const student = callerOf(content, { kind: 'session', person, session: '', isTerminal })
  const isAllowed = isStaff && student.role === 'student'
  // Without a session it is nobody's account: passwords and sessions of the student are not shown.
  return { ...student, role: isAllowed ? 'student' : null, session: null, isSeen: true }
}

/**
 * The same for the accounts of an open class: a session that has ended may call nothing; guests may call while the educator admits
 * them. `isUse`: a session that calls goes on; one that is only told something does not live longer for that.
 */
export function presentCaller(accounts: Accounts, visitor: Visitor | SeenAs, isUse = true): Caller {
  const caller = callerOf(accounts.home.content, visitor)
  const self = visitor.kind === 'seen' ? visitor.by : visitor
  const isOver =
    self.kind === 'session'
      ? !(isUse ? keepSession : isLive)(accounts, self.session)
      : self.kind === 'guest' && guestsUntil(accounts) === null
  return isOver ? { ...caller, role: null, team: null } : caller
}
