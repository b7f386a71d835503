import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contestFile } from '../../../main/contract/contests/contests.ts'
import { entrantId, entrantName, newName } from '../../../main/contract/ids.ts'
import { findLikeness } from '../../../main/contract/look-alike-names.ts'
import { freeName, nameFrom, nameKey, searchKey } from '../../../main/contract/names.ts'
import { anyText } from '../../any-text.ts'

const read = (name: string): string | undefined => entrantName.safeParse(name).data
const why = (name: string): string | undefined => entrantName.safeParse(name).error?.issues[0]?.message

describe('a name', () => {
  test.each([
    'José',
    'Zoë',
    'Łukasz',
    '张伟',
    'عمر',
    'O’Brien',
    "O'Brien",
    'Anne-Marie de la Cruz',
    'नरेन्द्र',
    'ณัฐวุฒิ',
    'Gal·la',
    'レオナルド・ダ・ヴィンチ',
    '7b team_2.1',
    '𠮷野',
    'x'.repeat(64),
    '𠮷'.repeat(64),
    'می\u200cخواهم',
    'क्\u200cष',
    '東京 Team',
    '한국 Team',
    'Анна·Петров',
    'Ваня・Петя',
    'דנה·א',
    'ᚠᚢ',
  ])('may be %s', (name) => {
    expect(read(name)).toBe(name)
    expect(newName.parse(name)).toBe(name)
    expect(entrantId.safeParse(name).success).toBe(true)
  })

  test('is kept in the one form of Unicode that composes letters', () => {
    expect(read('jose\u0301')).toBe('jos\u00e9')
    expect(contestFile.shape.entrants.safeParse([{ name: 'Zoe\u0308', agent: 'a.js' }]).data).toMatchObject([
      { name: 'Zo\u00eb' },
    ])
    // Nobody may change the contents of a history.
    expect(entrantId.safeParse('jose\u0301').success).toBe(false)
  })

  test.each([
    ['', 'at least one letter'],
    [' anna', 'begins with a letter or a digit'],
    ['anna ', 'does not end with a space'],
    ['anna  b', 'no two spaces in a row'],
    ['-anna', 'begins with a letter or a digit'],
    ['\u0301anna', 'begins with a letter or a digit'],
    ['x'.repeat(65), 'at most 64 characters'],
    ['a/b', 'not "/"'],
    ['a\\b', 'not "\\"'],
    ['<b>', 'not "<"'],
    ['a\u0000b', 'not U+0000'],
    ['a\nb', 'not U+000A'],
    ['a\u00a0b', 'not U+00A0'],
    ['a\u202eb', 'not U+202E'],
    ['a\u2066b', 'not U+2066'],
    ['a\u200bb', 'not U+200B'],
    ['a\u200cb', 'not U+200C'],
    ['क\u200cष', 'not U+200C'],
    ['می\u200c', 'not U+200C'],
    ['a\ufe0fb', 'not U+FE0F'],
    ['a\u3164b', 'not U+3164'],
    ['a\ud800b', 'not U+D800'],
    ['🎲', 'not "🎲"'],
    [`z${'\u0328\u0353\u032b\u0331\u0356'}`, 'at most 4 signs on a letter'],
  ])('is not %j', (name, message) => expect(why(name)).toContain(message))

  test.each(['b\u0430by', '\u03a9mega', 'ᚠa', 'ひらがな\u0430\u0431', 'team \u0431'])(
    'that is new does not mix scripts as %s does, though one in a file may',
    (name) => {
      expect(read(name)).toBe(name)
      expect(newName.safeParse(name).success).toBe(false)
    },
  )

  test('of an older file may have more blanks', () => {
    expect(entrantId.safeParse('anna  b ').success).toBe(true)
    expect(entrantId.safeParse(' anna').success).toBe(false)
  })
})

test.each([
  ['José', 'JOSE\u0301'],
  ['Straße', 'STRASSE'],
  ['O’Brien', "o'brien"],
  ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
  ['ﬁn', 'FIN'],
])('%s and %s are one name to people', (one, other) => expect(nameKey(one)).toBe(nameKey(other)))
test.each([
  ['baby', 'b\u0430b\u0443', 'look alike'],
  ['baby', '\u0392\u0391\u0392\u03a5', 'look alike'],
  ['agent 1', 'agent l', 'look alike'],
  ['modern', 'modem', 'look alike'],
  ['می\u200cخواهم', 'میخواهم', 'look alike'],
  ['baby', 'Baby', 'differ only in case'],
  ['baby', 'baby', 'occurs twice'],
])('%s and %s cannot be told apart', (one, other, how) => {
  expect(findLikeness(['greedy', one, 'gambler', other])).toContain(how)
})
test('names that people tell apart are not alike', () => {
  expect(findLikeness(['baby', 'baby 2', 'baby 22', 'José', 'Jose', '張偉', '张伟', 'agent 11', 'агент'])).toBeNull()
  expect(findLikeness([...'abcdefghijklmnopqrstuvwxyz'])).toBeNull()
  expect(findLikeness(['Ai', 'Al', 'Aj'])).toBeNull()
})
test('José and Jose are two, and both are found by jose', () => {
  expect(nameKey('José')).not.toBe(nameKey('Jose'))
  expect(searchKey('José')).toContain(searchKey('jose'))
})

test.each([
  ['José', 'José'],
  ['jose\u0301', 'jos\u00e9'],
  ['  Jürgen’s   <bot>', 'Jürgen’s -bot'],
  ['\u202e--', 'agent'],
  ['', 'agent'],
  ['a \u0301', '\u00e1'],
  ['x'.repeat(200), 'x'.repeat(64)],
  [`z${'\u0353'.repeat(40)}`, `z${'\u0353'.repeat(4)}`],
])('a name is made of %j: %j', (text, name) => {
  expect(nameFrom(text)).toBe(name)
  expect(read(name)).toBe(name)
})

test('a name is made of any text', () => {
  const signs = fc.constantFrom(
    ' ',
    '-',
    '.',
    '<',
    'e',
    'ß',
    '\u0301',
    '\u0328',
    '\u202e',
    '\ufe0f',
    '\ud800',
    '\u0958',
    '𠮷',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        anyText(),
        fc.array(signs).map((all) => all.join('')),
      ),
      (text) => {
        expect(newName.safeParse(nameFrom(text)).error).toBeUndefined()
      },
    ),
  )
})

test('a name that is taken gets a number, and stays one', () => {
  const taken = new Set(['anna', 'anna 2', 'x'.repeat(64)])
  const free = (name: string): string => freeName(name, (each) => taken.has(each))
  expect(free('bert')).toBe('bert')
  expect(free('anna')).toBe('anna 3')
  expect(free('x'.repeat(64))).toBe(`${'x'.repeat(62)} 2`)
})
