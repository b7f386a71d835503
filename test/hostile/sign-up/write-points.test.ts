import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  closeAccounts,
  memberCalled,
  openAccounts,
  type Accounts,
} from '../../../main/administrator/people/accounts.ts'
import { brokenAuditLine } from '../../../main/administrator/people/audit.ts'
import { dropHalfJoined } from '../../../main/administrator/people/joining.ts'
import { signIn } from '../../../main/administrator/people/sign-in.ts'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { admitPerson } from '../../../main/services/people/class-people.ts'
import { start } from '../../conformance/cli/process.ts'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { JOINED, NEW, ROSTER } from './fixtures/words.ts'

const folder = temporaryFolder('sign-up-points')
const counter = join(import.meta.dirname, '../contests/fixtures/write-points.mjs')
const program = join(import.meta.dirname, 'fixtures/sign-up.ts')
const place = { address: '192.0.2.1', agent: 'a browser' }
const rosterNames = ROSTER.trim().split('\n').slice(1)

/** Signs people up; the process is killed at a write. 0: at none. `answers`: what was answered by step. */
async function signUp(data: string, name: string, point: number, how: string) {
  const command = [process.execPath, '--import', counter, program, data, name]
  const variables = [`WRITE_POINT=${point}`, `WRITE_HOW=${how}`, 'WRITE_DATABASE=1', 'WRITE_WAITS=1']
  const ended = await start('/usr/bin/env', [...variables, ...command]).ended
  // A line that was cut off in the pipe was not received.
  const lines = ended.stdout.split('\n').slice(0, -1)
  const answers = new Map(lines.map((line) => line.split(' ')).map(([step, word = '']) => [step!, word]))
  return { ...ended, answers }
}

const canSignIn = (accounts: Accounts, request: Parameters<typeof signIn>[1]): Promise<boolean> =>
  signIn(accounts, request, place, []).then(
    () => true,
    () => false,
  )

/** Opens the class as after a crash: everybody has an account or none, and whatever was answered holds. */
async function expectWhole(data: string, name: string, answers: ReadonlyMap<string, string>): Promise<void> {
  const home = await openClassFolder(data)
  const accounts = openAccounts(home)
  const rowsOf = (table: string): readonly string[] =>
    accounts.people.database
      .prepare(`SELECT person FROM ${table}`)
      .all()
      .map(({ person }) => String(person))
  try {
    await dropHalfJoined(accounts)
    const { people } = home.content
    const ids = new Set(people.map(({ id }) => id))
    for (const table of ['account', 'one_time_code', 'session'])
      expect(
        rowsOf(table).filter((each) => !ids.has(each)),
        table,
      ).toEqual([])
    const ada = memberCalled(accounts, 'Ada')
    // Sessions and codes were for the former role.
    if (ada?.role === 'assistant') expect([rowsOf('session'), rowsOf('one_time_code')]).toEqual([[], []])

    const joined = people.filter((each) => each.name === name)
    expect(joined.length).toBeLessThanOrEqual(1)
    expect(answers.has('joined') && joined.length === 0).toBe(false)
    expect(answers.has('admitted') && joined[0]?.asking !== undefined).toBe(false)
    if (joined[0]?.asking !== undefined) {
      expect(await canSignIn(accounts, { name, password: JOINED })).toBe(false)
      await admitPerson(accounts, joined[0].id, hostCaller)
    }
    // The password that they chose is theirs, whenever they were admitted.
    if (joined.length > 0) expect(await canSignIn(accounts, { name, password: JOINED })).toBe(true)

    const imported = people.filter((each) => rosterNames.includes(each.name)).map((each) => each.name)
    expect(imported).toBeOneOf([rosterNames, []])
    expect(answers.has('imported') && imported.length === 0).toBe(false)
    const code = answers.get('code')
    if (code !== undefined) {
      const byCode = await canSignIn(accounts, { name: 'Ada', code, newPassword: NEW })
      // It was used up, and the password is set; or it had not been used; or a change of the role has ended it.
      expect(byCode && answers.has('password')).toBe(false)
      expect(byCode || (await canSignIn(accounts, { name: 'Ada', password: NEW }))).toBe(true)
      expect(await canSignIn(accounts, { name: 'Ada', code, newPassword: 'somebody else’s words' })).toBe(false)
    }
    expect(await brokenAuditLine(accounts.people)).toBeNull()
  } finally {
    closeAccounts(accounts)
    await home.close()
  }
}

test.skipIf(process.platform === 'win32')(
  'a sign-up whose process is killed at a write leaves an account or none: by class code, admission, roster, code and role',
  { timeout: 3_600_000 },
  async () => {
    const data = join(folder, 'whole')
    const whole = await signUp(data, 'Dora', 0, 'after')
    expect([whole.code, whole.answers.size], whole.stderr).toEqual([0, 7])
    await expectWhole(data, 'Dora', whole.answers)
    const points = Number(/^write points: (\d+)$/m.exec(whole.stderr)![1])
    expect(points).toBeGreaterThan(30)
    const ways = ['before', 'after', 'torn'] as const
    // In the short form six points, the ways in turn.
    const all = Array.from({ length: points }, (_, index) => ({ point: index + 1, how: ways[index % 3]! }))
    const some = all
      .filter((_, index) => index % Math.ceil(points / 6) === 3)
      .map(({ point }, index) => ({ point, how: ways[index % 3]! }))
    const every = ways.flatMap((how) => all.map(({ point }) => ({ point, how })))
    for (const { point, how } of isLong ? every : some) {
      const own = join(folder, `${how}-${point}`)
      const { answers } = await signUp(own, 'Dora', point, how)
      await expectWhole(own, 'Dora', answers)
      if (!isLong) continue
      // Nothing that was left stands in the way.
      const again = await signUp(own, 'Emil', 0, 'after')
      expect([again.code, again.answers.size], again.stderr).toEqual([0, 7])
    }
  },
)
