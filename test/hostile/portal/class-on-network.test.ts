import { beforeAll, describe, expect, test } from 'vitest'
import { procedureAccess, reachOf, type Access } from '../../../main/contract/procedures/access.ts'
import { role as roleSchema } from '../../../main/contract/people/people.ts'
import { canHaveNamespace, runInNamespace } from './namespace.ts'

interface Found {
  readonly ok: boolean
  readonly reason: string | null
  /** The answer without the names of the objects. */
  readonly text: string
}
type Whose = 'own' | 'foreign' | 'absent'
const roles = roleSchema.options
type Roles = Readonly<Record<string, Readonly<Record<string, Readonly<Record<Whose, Found>>>>>>

/** The kind of a row: who may call, and how far they reach. */
const kindOf = (row: Access): string =>
  JSON.stringify([...roles.map((role) => row[role] ?? null), row.terminal ?? false, row.studentsIf ?? null])
const table: Readonly<Record<string, Access>> = procedureAccess

describe.skipIf(!canHaveNamespace)('a whole class on the network (needs "unshare -rn" and "ip")', () => {
  let found: Readonly<Record<string, unknown>> = {}
  beforeAll(async () => {
    found = await runInNamespace('class-on-network.ts')
  }, 130_000)

  test('each kind of row of the table holds for each role, on own, foreign and absent objects', () => {
    const answers = found['roles'] as Roles
    const samples = Object.keys(answers['student']!)
    const kinds = new Set(Object.values(table).map(kindOf))
    expect(new Set(samples.map((name) => kindOf(table[name]!)))).toEqual(kinds)
    for (const [part, rows] of Object.entries(answers)) {
      const isTerminal = part === 'terminal'
      const role = isTerminal ? 'student' : roles.find((each) => each === part)!
      for (const [name, { own, foreign, absent }] of Object.entries(rows)) {
        const reach = reachOf(table[name]!, { role, isTerminal, person: 'x' })
        const title = `${name} as ${part}`
        // Nobody learns that an object of others exists; a call that the role has not does not exist either.
        if (reach === undefined)
          for (const each of [own, foreign, absent]) expect(each.reason, title).toBe('sign-in-needed')
        else expect(own.reason, title).not.toBe('sign-in-needed')
        if (reach !== 'all') expect(foreign, title).toEqual(absent)
        // The class has no match for a case, and guests have no account.
        const isMissing = name === 'cases.file' || (name === 'me.sessions' && part === 'guest')
        if (reach !== undefined && !isMissing) expect(own, title).toMatchObject({ ok: true })
      }
    }
    expect(answers['student']!['agents.get']!.foreign.ok).toBe(false)
    expect(answers['educator']!['agents.get']!.foreign.ok).toBe(true)
  })

  test('a cookie that was planted, or was there before, never becomes a session', () => {
    expect(found['fixation']).toEqual({ isNew: true, planted: 401, beside: 200, former: 401, present: 200 })
  })

  test('uploads have a size, a share at a time and a number in an hour for each person; bombs are refused, and others go on', () => {
    expect(found['uploads']).toEqual({
      name: [200, true],
      ...{ large: [400, 'too-large'], third: [400, 'busy'], uploads: 120 },
      ...{ secondSession: 429, others: 200, stranger: 401, type: 415, foreignOrigin: 403 },
      ...{ bomb: 'archive-bomb', bombs: 'archive-too-large', receipts: { n: 0, head: '', at: null }, afterwards: true },
    })
  })

  test('no browser guesses the type of an answer', () => {
    expect(found['nosniff']).toEqual(['nosniff', 'nosniff', 'nosniff', 'nosniff'])
  })

  test('names that would write on a terminal or turn a text are refused', () => {
    expect(found['names']).toEqual([400, 400, 400, 400])
  })

  test('guesses from one address are five, and from 200 addresses fifty, then they wait', () => {
    const { 1: one, 200: many } = found['guesses'] as Readonly<Record<number, readonly number[]>>
    expect(one).toEqual([403, 403, 403, 403, 403, 429, 429, 429, 429, 429])
    const counts = [403, 429].map((status) => many!.filter((each) => each === status).length)
    expect(counts).toEqual([50, 150])
  })

  test('a session that is over, or was signed out, stays so when the clock is set back', () => {
    expect(found['clock']).toEqual({ over: 401, before: 401, signedOut: 401 })
  })

  test('somebody who is removed is cut, in the browser and in the terminal, and is answered like nobody', () => {
    expect(found['removed']).toEqual({
      ...{ cut: expect.any(Number), page: 401, terminal: 401, upload: 401, signIn: [403, true] },
    })
  })

  test('nothing of all this was unexpected', () => {
    expect(found['unexpected']).toEqual([])
  })
})
