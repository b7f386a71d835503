import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from 'vitest'
import { csvLines } from '../../../main/services/record/csv.ts'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import { placeInLines } from '../../../main/contract/histories/query-place.ts'
import { answerQuery } from '../../../main/services/record/query.ts'
import { boundParameters, questionNamed, questionsOf } from '../../../main/services/record/questions.ts'
import { games } from '../../../main/referees/games.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

let file: string
beforeAll(() => {
  file = join(temporaryFolder('query'), 'events.db')
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE seats (match INTEGER, entrant TEXT, score REAL) STRICT; CREATE TABLE hidden (a TEXT)')
  database.exec('CREATE VIEW best AS SELECT match, max(score) AS score FROM seats GROUP BY match')
  const add = database.prepare('INSERT INTO seats VALUES (?, ?, ?)')
  for (let match = 0; match < 5; match++) add.run(match, match % 2 === 0 ? 'anna' : 'ben', match / 2)
  database.exec("INSERT INTO hidden VALUES ('a secret')")
  database.close()
})

const ask = (sql: string, parameters: Readonly<Record<string, string | number | null>> = {}, rowsMax = 100) =>
  answerQuery({ file, sql, parameters, tables: ['seats', 'best'], offset: 0, rowsMax, cellMax: null })

test('a query is answered with its columns and rows, as many as wanted', () => {
  expect(ask('SELECT match, entrant AS who FROM seats ORDER BY match', {}, 2)).toEqual({
    columns: ['match', 'who'],
    rows: [
      [0, 'anna'],
      [1, 'ben'],
    ],
    ...{ more: true, cut: false },
  })
  expect(ask('SELECT count(*) FROM seats', {}, 1)).toMatchObject({ rows: [[5]], more: false })
  expect(ask('SELECT match FROM seats WHERE 0')).toEqual({ columns: ['match'], rows: [], more: false, cut: false })
})

test.each([
  ['  -- the best\n /* of all */ SELECT max(score) FROM seats ; -- that is all', 2],
  ['with t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT sum(n) FROM t', 55],
  ['WITH t AS (SELECT * FROM seats) SELECT count(*) FROM t', 5],
  ['VALUES (7)', 7],
  ["SELECT value FROM json_each('[4]')", 4],
  ['SELECT score FROM best WHERE match = 4', 2],
  ['SELECT rank() OVER (ORDER BY score DESC) FROM seats', 1],
])('%s is a query', (sql, first) => {
  expect(ask(sql).rows[0]![0]).toBe(first)
})

test('each column has a name of its own, also when a table is joined with itself', () => {
  const { columns, rows } = ask(
    'SELECT a.entrant, b.entrant, a.score AS "entrant 2", b.score, a.score FROM seats AS a JOIN seats AS b USING (match)',
  )
  expect(columns).toEqual(['entrant', 'entrant 3', 'entrant 2', 'score', 'score 2'])
  expect(rows[0]).toHaveLength(5)
})

test('a part of the rows is given, and long texts are cut where that is wanted', () => {
  const part = (
    offset: number,
    rowsMax: number,
    cellMax: number | null,
    sql = 'SELECT match FROM seats ORDER BY match',
  ) => answerQuery({ file, sql, parameters: {}, tables: ['seats'], offset, rowsMax, cellMax })
  expect(part(1, 3, null)).toMatchObject({ rows: [[1], [2], [3]], more: true })
  expect(part(3, 3, null)).toMatchObject({ rows: [[3], [4]], more: false })
  expect(part(9, 3, null)).toMatchObject({ columns: ['match'], rows: [], more: false })
  const texts = "SELECT 'abcdef', 'abc', 123456 UNION ALL SELECT 'x', 'y', 1"
  expect(part(0, 9, 3, texts)).toMatchObject({
    rows: [
      ['abc…', 'abc', 123_456],
      ['x', 'y', 1],
    ],
    cut: true,
  })
  expect(part(1, 9, 3, texts)).toMatchObject({ rows: [['x', 'y', 1]], cut: false })
  // Only rows whose texts are cut may be many; others are bounded by their characters.
  const long = `SELECT ${Array.from({ length: 20 }, () => "printf('%.999999c', 'x')").join()}`
  expect(JSON.stringify(part(0, 9, 2_000, long)).length).toBeLessThan(50_000)
})

test.each([
  // The first one is taken for another name of the column.
  ['SELECT match FORM seats', 'seats'],
  ['SELECT match\n FROM seats\n  WHERE match == = 1', '= 1'],
  ['SELECT match, FROM seats', 'FROM'],
  ["SELECT 'nothing', match -- nothing\n, nothing FROM seats", 'nothing FROM'],
  ['SELECT score FROM sets', 'sets'],
  ['SELECT nofunction(1)', 'nofunction'],
  ['SELECT abs(1, 2)', 'abs'],
  ['SELECT match FROM seats WHERE (1', ''],
] as const)('the place of the mistake in %j is told', (sql, rest) => {
  let failure: unknown
  try {
    ask(sql)
  } catch (error) {
    failure = error
  }
  if (!(failure instanceof ExpectedError) || failure.details === null) throw new Error('the query has no mistake')
  const { line, column } = placeInLines(failure.details)!
  const after = sql.split('\n')[line - 1]!.slice(column - 1)
  expect(rest === '' ? after : after.slice(0, rest.length)).toBe(rest)
  // The mark stands below the place.
  const [, shown, mark] = failure.details.split('\n')
  expect(shown!.slice(mark!.length - 1)).toBe(after)
})

test('parameters are bound by their names', () => {
  const sql = 'SELECT count(*) FROM seats WHERE :agent IS NULL OR entrant = :agent'
  expect(ask(sql, { agent: null }).rows).toEqual([[5]])
  expect(ask(sql, { agent: "anna' OR 1" }).rows).toEqual([[0]])
  expect(ask(sql, { agent: 'anna' }).rows).toEqual([[3]])
})

test('values that JSON lacks are written out', () => {
  const sql = "SELECT 9007199254740993, 9e999, x'00ff', NULL, 2, 0.5"
  expect(ask(sql).rows).toEqual([['9007199254740993', 'Infinity', '00ff', null, 2, 0.5]])
})

test.each([
  ['', 'query-invalid'],
  [' ; -- nothing', 'query-invalid'],
  ['SELECT', 'query-invalid'],
  ['SELECT nothing FROM seats', 'query-invalid'],
  ['SELECT 1; SELECT 2', 'query-invalid'],
  ['SELECT 1; DROP TABLE seats', 'query-invalid'],
  [`SELECT ${'1+'.repeat(60_000)}1`, 'query-invalid'],
  ['SELECT * FROM hidden', 'query-forbidden'],
  ['SELECT * FROM sqlite_master', 'query-forbidden'],
  ["SELECT * FROM pragma_table_info('seats')", 'query-forbidden'],
  ["SELECT load_extension('x')", 'query-forbidden'],
  ['SELECT sqlite_version()', 'query-forbidden'],
  ['PRAGMA user_version', 'query-forbidden'],
  ['EXPLAIN SELECT 1', 'query-forbidden'],
  ['WITH t AS (SELECT 1) DELETE FROM seats', 'query-forbidden'],
  ["WITH t AS (SELECT 1) INSERT INTO seats VALUES (9, 'x', 1)", 'query-forbidden'],
] as const)('%.60s is refused', (sql, code) => {
  expect(() => ask(sql)).toThrow(refusal(code))
})

test('a question binds the values of its parameters, and refuses others', () => {
  const question = questionNamed('haggle', 'first-offers')
  expect(boundParameters(question, {})).toEqual({ agent: null })
  expect(boundParameters(question, { agent: 'anna' })).toEqual({ agent: 'anna' })
  expect(() => boundParameters(question, { colour: 'red' })).toThrow(refusal('input-invalid', 'colour', 'agent'))
  expect(() => questionNamed('haggle', 'frist-offers')).toThrow(refusal('question-unknown', 'first-offers'))
  const numbers = { ...question, parameters: { least: { kind: 'whole', about: 'at least', default: 3 } } } as const
  expect(boundParameters(numbers, {})).toEqual({ least: 3 })
  expect(boundParameters(numbers, { least: '-12' })).toEqual({ least: -12 })
  for (const wrong of ['x', '1.5', '', '1e3'])
    expect(() => boundParameters(numbers, { least: wrong })).toThrow(refusal('input-invalid', 'least'))
})

test('every question describes its columns, and names some of them in its chart', () => {
  for (const game of games.keys()) {
    for (const [name, { columns, chart, parameters, about }] of Object.entries(questionsOf(game))) {
      const { kind, ...named } = chart
      for (const column of Object.values(named)) expect(Object.keys(columns), `${name}, ${kind}`).toContain(column)
      expect(Object.keys(parameters)).toContain('agent')
      expect(about).toMatch(/^[A-Z].*\.$/)
    }
  }
})

test('CSV has one line a row, and no formulas for spreadsheets', () => {
  const rows = [
    ['a,b', 1, null],
    ['say "hi"', -2, '=1+1'],
    ['-x', 0.5, '@x\ny'],
  ] as const
  expect(csvLines({ columns: ['text', 'number', 'more'], rows })).toEqual([
    'text,number,more',
    '"a,b",1,',
    '"say ""hi""",-2,\'=1+1',
    '\'-x,0.5,"\'@x\ny"',
  ])
})

test('a damaged database is told from a query that is wrong', () => {
  const path = `${file}.damaged`
  const bytes = readFileSync(file)
  writeFileSync(path, bytes.fill(0xff, bytes.readUInt16BE(16)))
  const order = { file: path, parameters: {}, tables: ['seats'], offset: 0, rowsMax: 9, cellMax: null }
  expect(() => answerQuery({ ...order, sql: 'SELECT * FROM seats' })).toThrow(refusal('stored-file-damaged'))
  expect(() => answerQuery({ ...order, sql: 'SELECT x FROM seats' })).toThrow(refusal('query-invalid'))
})
