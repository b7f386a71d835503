import type { Caller } from '../../contract/people/caller.ts'
import type { PersonId, Role } from '../../contract/people/people.ts'

// Each change writes the whole class and a line of the audit log, one after the other: a person who sends changes in a loop would hold up
// the hand-ins of everybody else. No screen or script comes near these numbers.

/** Changes that a person may make at once, and that are given back in a minute. */
const CHANGES_OF_STUDENT = 120
const CHANGES_OF_STAFF = 1_200
const MINUTE = 60_000
/** People whose changes are counted at a time. */
const COUNTED = 10_000

/** The changes that a person has left. */
interface Left {
  readonly changes: number
  /** ms of the clock. */
  readonly at: number
}

/** Counts the calls of each person that change something, over all of their sessions. */
export interface ChangeBudget {
  /**
   * Counts one. Returns the seconds after which the next one is free; 0: this one is. The person at this machine has no limit, and
   * guests change nothing.
   */
  take(caller: Pick<Caller, 'person' | 'role'>): number
}

/** `now`: a clock in ms that never goes back. */
export function createChangeBudget(now: () => number = () => performance.now()): ChangeBudget {
  const people = new Map<PersonId, Left>()
  return {
    take({ person, role }) {
      if (person === null) return 0
      const most = changesAMinute(role)
      const at = now()
      const before = people.get(person) ?? { changes: most, at }
      const changes = Math.min(most, before.changes + ((at - before.at) * most) / MINUTE)
      // Those who have changed something last stay.
      people.delete(person)
      people.set(person, { changes: changes < 1 ? changes : changes - 1, at })
      const [oldest] = people.keys()
      if (people.size > COUNTED && oldest !== undefined) people.delete(oldest)
      return changes < 1 ? Math.ceil(((1 - changes) * MINUTE) / most / 1_000) : 0
    },
  }
}

function changesAMinute(role: Role | null): number {
  return role === 'educator' || role === 'assistant' ? CHANGES_OF_STAFF : CHANGES_OF_STUDENT
}
