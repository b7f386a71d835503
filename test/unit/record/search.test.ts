import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildDatabase } from '../../../main/services/record/build-database.ts'
import { searchExpression, searchTexts, textContents } from '../../../main/services/record/text-search.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { haggle } from './haggle-matches.ts'
import { completed, record, segmentsIn, type Happening } from './stage.ts'

let file: string
beforeAll(async () => {
  const dir = join(temporaryFolder('search'), 'contest')
  const happenings: readonly Happening[] = [
    { printed: 'I am the walrus', seat: 0 },
    { input: { type: 'answer', seat: 0, value: [0, 0, 0] }, hidden: true },
    { printed: 'the Walrus was Paul', seat: 1 },
    { fault: { kind: 'crash', text: 'It fell [3,4] into a \u0001ditch\u0002.' }, seat: 1 },
    { input: { type: 'abort', seat: 1, reason: 'Goodbye to all walruses.' } },
  ]
  const config = completed(haggle, { seed: 3 })
  await record(dir, haggle, [{ match: 4, config, names: ['anna', 'ben'], happenings }])
  file = join(dir, 'texts.db')
  await buildDatabase(haggle, { ...segmentsIn(dir), file, anew: false }, textContents)
})

const search = (words: string, own: readonly string[] | null = null, rowsMax = 100, offset = 0) =>
  searchTexts({ file, words, own, offset, rowsMax })

test('sentences about events and the output of agents are found, each with its place', () => {
  expect(search('goodbye').found).toMatchObject([
    {
      kind: 'sentence',
      match: 4,
      line: 5,
      move: 5,
      part: null,
      entrant: null,
      text: expect.stringContaining('\u0001Goodbye\u0002') as string,
    },
  ])
  expect(search('ditch').found).toMatchObject([{ kind: 'sentence', move: 4 }])
  // Brackets are those of the text, and nobody can forge a mark.
  expect(search('ditch').found[0]!.text).toContain('It fell [3,4] into a  \u0001ditch\u0002 .')
  expect(search('walrus').found).toMatchObject([
    { kind: 'print', entrant: 'anna', move: 1 },
    { kind: 'print', entrant: 'ben', move: 3 },
  ])
  expect(search('walrus*').found).toHaveLength(3)
  expect(search('"the walrus"').found).toHaveLength(2)
  expect(search('walrus paul').found).toHaveLength(1)
  expect(search('nothing-of-the-kind')).toEqual({ found: [], more: false })
  expect(search('walrus*', null, 2)).toMatchObject({ more: true })
  const all = search('walrus*').found
  expect(all.map((_, at) => search('walrus*', null, 1, at).found[0])).toEqual(all)
  expect(search('walrus*', null, 2, 1)).toMatchObject({ more: false })
})

test('others find the output of their own agents alone, and all sentences', () => {
  expect(search('walrus*', ['ben']).found.map(({ entrant }) => entrant)).toEqual([null, 'ben'])
  expect(search('walrus*', []).found).toMatchObject([{ kind: 'sentence' }])
  expect(search('walrus*', ["ben' OR 1=1 --"]).found).toMatchObject([{ kind: 'sentence' }])
})

test.each([
  ['walrus', '"walrus"'],
  ['  the  walrus* ', '"the" "walrus"*'],
  ['"the walrus" paul', '"the walrus" "paul"'],
  ['a OR b NOT c', '"a" "OR" "b" "NOT" "c"'],
  ['text:x NEAR(a b) ^c', '"text:x" "NEAR(a" "b)" "^c"'],
  ['"unclosed', '"unclosed"'],
  ['- * ""', null],
  ['', null],
])('%s searches for %s', (words, expression) => {
  expect(searchExpression(words)).toBe(expression)
})

test.each(['', '***', '"', 'x'.repeat(501)])('%.20j is not a search', (words) => {
  expect(() => search(words)).toThrow(refusal('query-invalid'))
})

test.each(['"', 'a"b', '{a b} : c', 'a + b', "' OR 1", '(a', 'prints', '\0x', '😀', 'a*b*'])(
  '%j breaks nothing',
  (words) => {
    expect(() => search(`${words} walrus`)).not.toThrow()
  },
)

test('a damaged database is told from words that are wrong', () => {
  const path = `${file}.damaged`
  const bytes = readFileSync(file)
  writeFileSync(path, bytes.fill(0xff, bytes.readUInt16BE(16)))
  expect(() => searchTexts({ file: path, words: 'walrus', own: null, offset: 0, rowsMax: 9 })).toThrow(
    refusal('stored-file-damaged'),
  )
})
