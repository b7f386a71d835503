import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import { createContestRecords, type RecordedContest } from '../../../main/services/record/contest-record.ts'
import { memoryBytes } from '../../../main/players/proc.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { dice, haggle, haggleMatch } from '../../unit/record/haggle-matches.ts'
import { CONTEST, key, record } from '../../unit/record/stage.ts'

const records = createContestRecords({ queryMs: 1_500 })
afterAll(() => records.close())

let contest: RecordedContest
let folder: string
beforeAll(async () => {
  folder = temporaryFolder('attacks')
  const dir = join(folder, 'contest')
  const next = dice(3)
  await record(
    dir,
    haggle,
    Array.from({ length: 4 }, (_, match) => haggleMatch(match, next).played),
  )
  const store = join(folder, 'store')
  mkdirSync(store)
  contest = { contest: CONTEST, game: 'haggle', folder: dir, key: key.publicKey, store }
  await records.refresh(contest)
})

const wanted = { offset: 0, rowsMax: 1_000, cellMax: null }
const ask = (sql: string) => records.ask(contest, { sql }, wanted)
const forever = 'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t)'

test.each<[string, string, ErrorCode]>([
  ['attach', "ATTACH 'x.db' AS x", 'query-forbidden'],
  ['attach behind a query', "SELECT 1; ATTACH 'x.db' AS x", 'query-invalid'],
  ['write a copy', "VACUUM INTO 'x.db'", 'query-forbidden'],
  ['set a pragma', 'PRAGMA writable_schema = ON', 'query-forbidden'],
  ['set a pragma behind a comment', '/* SELECT */ PRAGMA journal_mode = WAL', 'query-forbidden'],
  ['read a pragma', 'SELECT * FROM pragma_database_list', 'query-forbidden'],
  ['load code', "SELECT load_extension('/lib/x86_64-linux-gnu/libc.so.6')", 'query-forbidden'],
  ['load code in a branch', "SELECT CASE WHEN 0 THEN load_extension('x') END", 'query-forbidden'],
  ['call a tokenizer', "SELECT fts3_tokenizer('x', x'00')", 'query-forbidden'],
  ['read the schema', 'SELECT sql FROM sqlite_schema', 'query-forbidden'],
  ['read what a database was made of', 'SELECT value FROM made_of', 'query-forbidden'],
  ['count what is hidden', 'SELECT count(*) FROM made_of', 'query-forbidden'],
  ['count the schema', 'SELECT count(*) FROM sqlite_master', 'query-forbidden'],
  ['count it under another name', 'WITH t AS (SELECT 1 FROM Made_Of AS x) SELECT count(*) FROM t', 'query-forbidden'],
  ['read it in a subquery', 'SELECT (SELECT value FROM made_of LIMIT 1)', 'query-forbidden'],
  ['delete', 'DELETE FROM matches', 'query-forbidden'],
  ['delete behind a name', 'WITH t AS (SELECT 1) DELETE FROM matches', 'query-forbidden'],
  ['replace', "WITH t AS (SELECT 1) REPLACE INTO contests VALUES ('x','x','x',1,'x')", 'query-forbidden'],
  ['create', 'CREATE TEMP TABLE t (a)', 'query-forbidden'],
  ['begin', 'BEGIN IMMEDIATE', 'query-forbidden'],
  ['make large blobs', 'SELECT zeroblob(1000000000)', 'query-forbidden'],
  ['make large random blobs', 'SELECT randomblob(1000000000)', 'query-forbidden'],
  ['match an endless pattern', `SELECT 'a' LIKE '${'%a'.repeat(600)}'`, 'query-invalid'],
  ['make a long text', "SELECT replace(printf('%09999999d', 1), '0', 'xxxxxxxxxxxxxxxx')", 'query-invalid'],
  ['nest deeply', `SELECT ${'abs('.repeat(900)}1${')'.repeat(900)}`, 'query-invalid'],
  ['never end', `${forever} SELECT count(*) FROM t`, 'query-limit'],
  ['never end in a condition', `SELECT * FROM matches WHERE (${forever} SELECT max(n) FROM t) > 0`, 'query-limit'],
  [
    'join everything',
    `SELECT count(*) FROM ${Array.from({ length: 12 }, (_, at) => `events AS e${at}`).join(', ')}`,
    'query-limit',
  ],
])('%s', async (_, sql, code) => {
  const before = snapshot()
  await expect(ask(sql)).rejects.toThrow(refusal(code))
  expect(snapshot()).toEqual(before)
})

test.each([
  ['a sort', `${forever} SELECT n, printf('%.9999c', 'x') AS x FROM t ORDER BY n DESC`],
  ['an aggregate', `${forever} SELECT length(group_concat(printf('%.9999c', 'x'))) FROM t`],
  ['a list', `${forever} SELECT json_group_array(n) FROM t`],
])('the memory of %s ends the query, not this process', async (_, sql) => {
  const before = memoryBytes([process.pid])
  await expect(ask(sql)).rejects.toThrow(/query/i)
  expect(memoryBytes([process.pid]) - before).toBeLessThan(200_000_000)
})

test('more rows than wanted are left out, and so are more characters', async () => {
  expect(await ask(`${forever} SELECT n FROM t`)).toMatchObject({ more: true })
  const long = await ask(`${forever} SELECT printf('%.999999c', 'x') FROM t`)
  expect(long.more).toBe(true)
  expect(long.rows.length).toBeLessThan(12)
})

test('after all of this, queries are still answered', async () => {
  expect(await ask('SELECT count(*) FROM matches')).toEqual({
    columns: ['count(*)'],
    rows: [[4]],
    more: false,
    cut: false,
    matches: 4,
  })
  const asked = await records.ask(contest, { question: 'first-offers', parameters: { agent: "x' OR 1=1 --" } }, wanted)
  expect(asked.rows).toEqual([])
})

/** Everything in the folder, with its contents. */
function snapshot(): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => [each.name, readFileSync(join(each.parentPath, each.name)).toString('base64')] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}
