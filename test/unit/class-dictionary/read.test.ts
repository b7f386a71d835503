import { describe, expect, test } from 'vitest'
import { printDictionary, readDictionary, readTypeUse } from '../../../grammars/class-dictionary/index.ts'
import type { Dictionary } from '../../../grammars/class-dictionary/index.ts'

function read(text: string): Dictionary {
  const { dictionary, problems } = readDictionary(text)
  expect(problems).toEqual([])
  return dictionary!
}

function refusal(text: string): string {
  const { dictionary, problems } = readDictionary(text, { dialect: 'C' })
  expect(dictionary).toBeNull()
  return problems.map(({ at, message }) => `${at.line}:${at.column} ${message}`).join('\n')
}

describe('what is read', () => {
  test('everything the grammar has, printed canonically', () => {
    const text = `nogen  include "lib.cd" ; include "a.cd";
      using Print, ToStr:B(C);  package edu.neu.demo.*;
      lookahead=0x1F; import java.util . List; import a.*;
      // classes
      extern interface I(X:Comparable(X),Y) = ( A|B(X) ).
      noparse A = B | C(int, List(D)) "\\101\\n" <x> int EOF *s*t*l*r+- implements I(int, A) , J.`
    expect(printDictionary(read(text))).toBe(
      [
        'nogen include "lib.cd";',
        'include "a.cd";',
        'using Print, ToStr: B(C);',
        'package edu.neu.demo.*;',
        'lookahead = 31;',
        'import java.util.List;',
        'import a.*;',
        'extern interface I(X: Comparable(X), Y) = A | B(X).',
        'noparse A = B | C(int, List(D)) "A\\n" <x> int EOF *s *t *l *r + - implements I(int, A), J.',
        '',
      ].join('\n'),
    )
  })

  test('A = B. is an abstract class with one alternative', () => {
    const [definition] = read('A = B.').definitions
    expect(definition).toMatchObject({ name: 'A', alternatives: [{ name: 'B' }], parts: [] })
  })

  test('every kind of line break counts as one', () => {
    const { definitions } = read('A = .\r\nB = .\rC = .\n\n  D = .')
    expect(definitions.map(({ at }) => [at.line, at.column, at.offset])).toEqual([
      [1, 1, 0],
      [2, 1, 7],
      [3, 1, 13],
      [5, 3, 22],
    ])
  })

  test('positions are shifted to where the text stands', () => {
    const at = { line: 10, column: 5, offset: 100 }
    const { definitions } = readDictionary('A = .\nB = .', { at }).dictionary!
    expect(definitions.map((definition) => definition.at)).toEqual([at, { line: 11, column: 1, offset: 106 }])
    expect(readDictionary('A = x', { at }).problems[0]!.at).toEqual({ line: 10, column: 10, offset: 105 })
    expect(readDictionary('', { at })).toMatchObject({ problems: [] })
  })

  test('octal escapes end where Java ends them', () => {
    const [definition] = read(String.raw`A = "\1012\477\0x\'".`).definitions
    expect(definition!.parts).toMatchObject([{ kind: 'literal', text: "A2'7\0x'" }])
  })

  test('a type alone', () => {
    expect(readTypeUse('List(Pair(int, X))')).toMatchObject({ name: 'List', arguments: [{ name: 'Pair' }] })
    expect(readTypeUse('List(')).toMatchObject({ at: { line: 1, column: 6 }, message: expect.any(String) as string })
    expect(readTypeUse('')).toHaveProperty('message')
    expect(readTypeUse('int int')).toHaveProperty('message')
  })
})

describe('includes', () => {
  const files: Record<string, string> = {
    'a.cd': 'include "b.cd";\nA = <b> B.',
    'b.cd': 'include "a.cd";\nB = .',
    'bad.cd': 'A = .\nB ; C.',
  }
  const resolve = (name: string): string | null => files[name] ?? null

  test('each file once, though they include each other', () => {
    const { dictionary } = readDictionary('include "a.cd";include "a.cd";', { resolve })
    expect(dictionary!.included.map(({ name }) => name)).toEqual(['a.cd', 'b.cd'])
    expect(printDictionary(dictionary!)).toBe('include "a.cd";\ninclude "a.cd";\n')
  })

  test('a problem names the file that it is in', () => {
    expect(readDictionary('include "bad.cd";', { resolve })).toMatchObject({
      dictionary: null,
      problems: [{ file: 'bad.cd', at: { line: 2, column: 3 } }],
    })
  })

  test('a chain without end stops', () => {
    const endless = (name: string): string => `include "${name}x";`
    expect(readDictionary('include "x";', { resolve: endless }).problems[0]!.message).toContain('1000')
  })
})

describe('what is refused, where and in which words', () => {
  test.each([
    ['A : B | C.', '1:3 Expected `=`, found `:`.'],
    ['A = <x> int', '1:12 Expected `.`, found the end of the text.'],
    ['A = .\n  "x', '2:3 The literal is not closed on its line, or has an unknown escape.'],
    ['A = . // end', '1:7 The last comment does not end in a line break.'],
    ['A = /* . ', '1:5 The comment is not closed.'],
    ['A = \f.', '1:5 The character U+000C has no meaning here.'],
    ['A = "\ud800".', '1:5 The literal contains half a character (a lone surrogate).'],
    ['lookahead = 99999999999999999999;', '1:13 The lookahead is too large.'],
    ['A = <black> int.', '1:6 Expected a name, found `black`.'],
  ])('%j', (text, message) => {
    expect(refusal(text)).toBe(message)
  })

  test('more than the first problem is told', () => {
    expect(
      refusal('A : B.\nC = .\nD = E F.\nG = <x> int.')
        .split('\n')
        .map((line) => line.slice(0, 3)),
    ).toEqual(['1:3', '3:7'])
  })

  test('hints know the older dialects', () => {
    const hint = (text: string): string | undefined => readDictionary(text, { dialect: 'C' }).problems[0]!.hint
    expect(hint('A : B.')).toContain('`A = B | C.`')
    expect(hint('In = "in" Ref.')).toContain('<ref> Ref')
    expect(hint('A = [ B ].')).toContain('Option')
    expect(hint('A ~ { B }.')).toContain('List')
    expect(hint('A = B | C *static* <x> int.')).toContain('older dialects')
  })
})

describe('texts made to hurt', () => {
  const many = 100_000
  test.each([
    ['parentheses', '('.repeat(many)],
    ['type arguments', `A = <x> ${'A('.repeat(10_000)}`],
    ['closed type arguments', `A = <x> ${'A('.repeat(10_000)}int${')'.repeat(10_000)}.`],
    ['equals signs', 'A = '.repeat(many)],
    ['dots', '.'.repeat(many)],
    ['quotes', '"'.repeat(many + 1)],
    ['escaped quotes', '\\"'.repeat(many)],
    ['open comments', '/*'.repeat(many)],
    ['open strings', '"\\n'.repeat(many)],
    ['NULs', '\0A'.repeat(many)],
    ['halves of characters', '\ud800'.repeat(many)],
    ['a long name', 'a'.repeat(10 * many)],
    ['flags', 'nogen '.repeat(many)],
  ])('%s', (_, text) => {
    const { dictionary, problems } = readDictionary(text)
    expect(dictionary).toBeNull()
    expect(problems.length).toBeGreaterThan(0)
    expect(problems.length).toBeLessThanOrEqual(20)
  })

  test('long ones that are right are read', () => {
    expect(read(`A = "${'x'.repeat(1_000_000)}" ${'*s '.repeat(many)}.`).definitions[0]!.parts).toHaveLength(many + 1)
  })
})
