import { openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { createDevices } from '../../../main/administrator/people/devices.ts'
import type { Accounts } from '../../../main/administrator/people/accounts.ts'
import { createPasswordHasher } from '../../../main/administrator/people/passwords.ts'
import type { Classroom } from '../../../main/contract/procedures/classroom.ts'
import type { Person } from '../../../main/contract/people/people.ts'
import { createHash } from 'node:crypto'
import { temporaryFolder } from '../../temporary-folder.ts'

export const START = Date.parse('2026-09-01T08:00:00Z')
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

/** Accounts of a class in memory but for its database, with a clock that stands and a cheap hash that is counted. */
export interface TestClass extends Accounts {
  /** The number of hashes computed. */
  hashes: number
  time: number
  /** Sessions that were reported as ended. */
  readonly ended: string[]
}

export function person(id: string, name: string, more: Partial<Person> = {}): Person {
  return { id: id.repeat(16).slice(0, 16), name, ids: {}, role: 'student', added: '2026-08-31T00:00:00.000Z', ...more }
}

export function openTestClass(members: readonly Person[]): TestClass {
  const content = { people: [...members], teams: [] } as unknown as Classroom
  const accounts: TestClass = {
    home: { content, change: async (edit) => edit(content) },
    people: openPeopleDatabase(temporaryFolder('accounts')),
    devices: createDevices(),
    hasher: createPasswordHasher(async (secret, salt) => {
      accounts.hashes += 1
      return createHash('sha256').update(salt).update(secret).digest()
    }),
    now: () => accounts.time,
    ...{ onEnded: new Set(), onAudit: new Set() },
    sweep: null,
    hashes: 0,
    time: START,
    ended: [],
  }
  // Nothing of a test has to survive a power failure.
  accounts.people.database.exec('PRAGMA synchronous = OFF')
  accounts.onEnded.add((sessions) => accounts.ended.push(...sessions))
  return accounts
}
