import { isLive, keepSession, type Accounts } from '../../administrator/people/accounts.ts'
import { guestsUntil } from '../../administrator/people/guests.ts'
import { hostCaller, type Caller, type Visitor } from '../../contract/people/caller.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'

/** The caller that a visitor of a class is at this moment. Somebody who has left the class may call nothing. */
export function callerOf({ people, teams }: Pick<Classroom, 'people' | 'teams'>, visitor: Visitor): Caller {
  if (visitor.kind === 'host') return hostCaller
  if (visitor.kind === 'guest') return { role: 'guest', person: null, team: null, session: null, isTerminal: false }
  const person = people.find(({ id }) => id === visitor.person)
  const role = person === undefined || person.removed !== undefined || person.asking !== undefined ? null : person.role
  const team = role === 'student' ? teams.find(({ members }) => members.includes(visitor.person)) : undefined
  const { session, isTerminal } = visitor
  return { role, person: visitor.person, team: team?.id ?? null, session, isTerminal }
}

/**
 * The same for the accounts of an open class: a session that has ended may call nothing; guests may call while the educator admits
 * them. `isUse`: a session that calls goes on; one that is only told something does not live longer for that.
 */
export function presentCaller(accounts: Accounts, visitor: Visitor, isUse = true): Caller {
  const caller = callerOf(accounts.home.content, visitor)
  const isOver =
    visitor.kind === 'session'
      ? !(isUse ? keepSession : isLive)(accounts, visitor.session)
      : visitor.kind === 'guest' && guestsUntil(accounts) === null
  return isOver ? { ...caller, role: null, team: null } : caller
}
