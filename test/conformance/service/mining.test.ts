import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { createServiceDesk } from '../../../main/administrator/procedures/service-desk.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import type { ComparedRows, MinedRows } from '../../../main/contract/histories/mining-procedures.ts'
import type { CallReply, ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import { refusedCall } from '../../refusal.ts'
import { dice, haggle, haggleMatch } from '../../unit/record/haggle-matches.ts'
import { completed, CONTEST, record, type Happening, type Played } from '../../unit/record/stage.ts'
import { openPlace, openRoom, type Room } from './classroom.ts'
import { beginSessions, makeRoleClass, visitorOf, type Part, type RoleClass } from './role-class.ts'

const place = openPlace('service-mining')
const data = join(place.folder, 'data')
const CLEO = 'c'.repeat(64)
let made: RoleClass
let room: Room
let desk: ReturnType<typeof createServiceDesk>

/** A contest of an agent of the student's team, anna, and one of others, ben. Each of them has printed something. */
beforeAll(async () => {
  made = await makeRoleClass(data)
  const home = await openClassFolder(data)
  const next = dice(5)
  const talk: readonly Happening[] = [
    { printed: 'anna says walrus', seat: 0 },
    { printed: 'ben says walrus', seat: 1 },
    { input: { type: 'abort', seat: 1, reason: 'A walrus came in.' } },
  ]
  const sessions = Array.from({ length: 6 }, (_, at) => ({ ...haggleMatch(at, next).played, names: ['anna', 'ben'] }))
  const spoken = { match: 6, config: completed(haggle, { seed: 3 }), names: ['anna', 'ben'], happenings: talk }
  await record(join(data, 'contests', CONTEST), haggle, [...sessions, spoken], undefined, home.key)
  for (const id of ['mined-2', 'mined-3']) {
    const against = (match: number, name: string, agent: string): Played => ({
      ...haggleMatch(match, next).played,
      ...{ names: [name, 'cleo'], agents: [agent, CLEO] },
    })
    const matches = [against(0, 'anna', made.own.hash), against(1, 'ben', made.foreign.hash)]
    await record(join(data, 'contests', id), haggle, matches, undefined, home.key, id)
  }
  cpSync(join(data, 'contests', 'mined-2'), join(data, 'contests', 'mined-4'), { recursive: true })
  await home.change(({ contests }) => {
    const like = contests.find(({ id }) => id === made.announced)!
    const entrants = [
      { name: 'anna', agent: made.own.hash },
      { name: 'ben', agent: made.foreign.hash },
    ]
    // Parsed JSON is typed as what may be changed.
    const description = {
      ...like.description,
      game: 'haggle',
      config: spoken.config,
      entrants,
    } as typeof like.description
    contests.push({ ...like, id: CONTEST, state: 'ended', description })
    const withCleo = { ...description, entrants: [...entrants, { name: 'cleo', agent: CLEO }] }
    contests.push({ ...like, id: 'mined-2', state: 'ended', description: withCleo })
    // The practice of another team.
    const practiceOf = '0123456789abcdef'
    contests.push({ ...like, id: 'mined-3', state: 'ended', description: withCleo, practiceOf })
    // Its histories are those of another contest.
    contests.push({ ...like, id: 'mined-4', state: 'ended', description: withCleo, practiceOf })
  })
  await home.close()
  room = await openRoom(data)
  beginSessions(room.service.accounts)
  desk = createServiceDesk(room.service, fail)
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const fail = (error: unknown): never => {
  throw error
}

async function call(part: Part, name: ProcedureName, input: object): Promise<CallReply<unknown>> {
  const admitted = desk.admit(name, input, visitorOf(part))
  return admitted.ok ? admitted.value.run() : admitted
}

let requests = 0
const newRequest = (): string => `00000000-0000-4000-8000-${String(++requests).padStart(12, '0')}`
const query = (part: Part, sql: string, more: object = {}): Promise<CallReply<unknown>> =>
  call(part, 'mining.query', { contest: CONTEST, request: newRequest(), sql, ...more })
const valueOf = async <T>(reply: Promise<CallReply<unknown>>): Promise<T> => {
  const answer = await reply
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value as T
}

test.each(['educator', 'assistant', 'student', 'guest'] as const)(
  'a ready question is answered for a %s',
  async (part) => {
    const questions = await valueOf<readonly { name: string }[]>(call(part, 'mining.questions', { game: 'haggle' }))
    expect(questions.map(({ name }) => name)).toEqual(expect.arrayContaining(['first-offers', 'worst-losses']))
    const asked = { contest: CONTEST, request: newRequest(), question: 'first-offers', parameters: { agent: 'ben' } }
    const answer = await valueOf<MinedRows>(call(part, 'mining.ask', asked))
    expect(answer.matches).toBe(7)
    expect(answer.rows.length).toBeGreaterThan(0)
    expect(new Set(answer.rows.map((row) => row[answer.columns.indexOf('agent')]))).toEqual(new Set(['ben']))
  },
)

test('two versions are compared over all contests that a person sees', async () => {
  const compare = async (part: Part): Promise<readonly unknown[]> => {
    const versions = { first: made.own.hash, second: made.foreign.hash }
    const asked = { request: newRequest(), game: 'haggle', question: 'time-used', ...versions, chosen: ['mined-2'] }
    const { opponents, first, second, leftOut, damaged } = await valueOf<ComparedRows>(
      call(part, 'mining.compare', asked),
    )
    expect([leftOut, damaged]).toEqual([0, part === 'student' ? [] : ['mined-4']])
    return [opponents, first.matches, first.contests, second.matches, first.rows.length]
  }
  // In the contest that everybody sees they have met each other alone.
  expect(await compare('student')).toEqual([['cleo'], 1, 1, 1, 1])
  expect(await compare('educator')).toEqual([['cleo'], 2, 2, 2, 1])
  const wrong = { request: newRequest(), game: 'haggle', first: made.own.hash, second: made.own.hash }
  expect(await call('student', 'mining.compare', { ...wrong, question: 'nothing' })).toEqual(
    refusedCall('question-unknown'),
  )
})

test('pages of rows are parts of the whole', async () => {
  const sql = 'SELECT match, line FROM events ORDER BY match, line'
  const whole = await valueOf<MinedRows>(query('student', sql, { limit: 1_000 }))
  expect(whole.more).toBe(false)
  const rows: unknown[] = []
  for (let more = true; more;) {
    const page = await valueOf<MinedRows>(query('student', sql, { offset: rows.length, limit: 7 }))
    rows.push(...page.rows)
    more = page.more
  }
  expect(rows).toEqual(whole.rows)
})

test('everybody finds sentences, and the output of agents is found by their team and by staff', async () => {
  const found = async (part: Part): Promise<readonly (string | null)[]> => {
    const search = { contest: CONTEST, request: newRequest(), words: 'walrus' }
    const answer = await valueOf<{ found: { entrant: string | null }[] }>(call(part, 'mining.search', search))
    return answer.found.map(({ entrant }) => entrant)
  }
  expect(await found('educator')).toEqual([null, 'anna', 'ben'])
  expect(await found('student')).toEqual([null, 'anna'])
  expect(await found('guest')).toEqual([null])
  // No table has it either.
  const tables = await valueOf<{ name: string; columns: { name: string }[] }[]>(
    call('student', 'mining.tables', { game: 'haggle' }),
  )
  for (const { name } of tables) {
    const answer = await valueOf<MinedRows>(query('student', `SELECT * FROM "${name}"`, { limit: 1_000 }))
    expect(JSON.stringify(answer.rows), name).not.toContain('says walrus')
  }
})

test.each<[string, ErrorCode]>([
  ["ATTACH '../accounts.db' AS people", 'query-forbidden'],
  ['PRAGMA writable_schema = ON', 'query-forbidden'],
  ["SELECT load_extension('x')", 'query-forbidden'],
  ["SELECT readfile('/etc/passwd')", 'query-invalid'],
  ["SELECT writefile('x', 'y')", 'query-invalid'],
  ["SELECT edit('x')", 'query-invalid'],
  ["SELECT * FROM fsdir('/')", 'query-invalid'],
  ['SELECT * FROM dbstat', 'query-forbidden'],
  ['SELECT * FROM sqlite_dbpage', 'query-invalid'],
  ['SELECT * FROM made_of', 'query-forbidden'],
  ['UPDATE sqlite_schema SET sql = 1', 'query-forbidden'],
  ['INSERT INTO matches (match) VALUES (99)', 'query-forbidden'],
])('a student cannot: %s', async (sql, code) => {
  expect(await query('student', sql)).toEqual(refusedCall(code))
})

test('a row that is too long for a page does not come into this process', async () => {
  const long = `SELECT ${Array.from({ length: 12 }, () => "printf('%.9999999c', 'x')").join()}`
  const answer = await valueOf<MinedRows>(query('student', long))
  expect(answer.cut).toBe(true)
  expect(JSON.stringify(answer.rows).length).toBeLessThan(100_000)
})

test('a person has one question answered at a time: a new one stops it, and so does its asker', async () => {
  const endless = 'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t'
  const request = newRequest()
  // Its page was closed: nobody knows its request any more.
  const left = query('student', endless)
  const first = call('student', 'mining.query', { contest: CONTEST, request, sql: endless })
  expect(await left).toEqual(refusedCall('stopped'))
  // Others are answered meanwhile, and cannot stop it.
  await call('assistant', 'mining.stop', { request })
  expect(await query('assistant', 'SELECT 1')).toMatchObject({ ok: true })
  expect(await call('student', 'mining.query', { contest: CONTEST, request, sql: endless })).toEqual(
    refusedCall('busy'),
  )
  await call('student', 'mining.stop', { request })
  expect(await first).toEqual(refusedCall('stopped'))
  expect(await query('student', 'SELECT 1')).toMatchObject({ ok: true, value: { rows: [[1]] } })
})

test('a contest that a student does not see is one that does not exist', async () => {
  const input = { request: newRequest(), sql: 'SELECT 1' }
  const [draft, none] = await Promise.all(
    [made.foreign.contest, 'none-1'].map((contest) => call('student', 'mining.query', { ...input, contest })),
  )
  expect(draft).toEqual(refusedCall('contest-unknown'))
  expect(JSON.stringify(draft).replaceAll(made.foreign.contest, '?')).toBe(
    JSON.stringify(none).replaceAll('none-1', '?'),
  )
  expect(await call('student', 'mining.query', { ...input, contest: made.announced })).toEqual(
    refusedCall('contest-not-begun'),
  )
})

test('the rows of an answer are a file for spreadsheets, or one for programs', async () => {
  const asked = { sql: "SELECT match, '=1+1' AS text FROM matches ORDER BY match LIMIT 2" }
  const textOf = async (as: 'csv' | 'json'): Promise<string> => {
    const started = await valueOf<{ download: string; fileName: string; rows: number }>(
      call('student', 'mining.download', { contest: CONTEST, request: newRequest(), asked, as }),
    )
    expect(started).toMatchObject({ fileName: `${CONTEST}-query.${as}`, rows: 2, more: false })
    // It is for the one who asked.
    expect(await call('guest', 'downloads.piece', { download: started.download })).toEqual(refusedCall('file-not-open'))
    const piece = await valueOf<{ content: string }>(call('student', 'downloads.piece', { download: started.download }))
    return Buffer.from(piece.content, 'base64').toString('utf8')
  }
  expect(await textOf('csv')).toBe("\uFEFFmatch,text\r\n0,'=1+1\r\n1,'=1+1\r\n")
  expect(JSON.parse(await textOf('json'))).toEqual({
    columns: ['match', 'text'],
    rows: [
      [0, '=1+1'],
      [1, '=1+1'],
    ],
    more: false,
  })
})
