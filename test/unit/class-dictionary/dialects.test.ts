import { describe, expect, test } from 'vitest'
import { judgeDictionary, printDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Dialect, Dictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Problem } from '../../../grammars/problem.ts'
import { compileValues } from '../../../grammars/values/index.ts'

function read(text: string, dialect?: Dialect): Dictionary {
  const { dictionary, problems } = readDictionary(text, dialect === undefined ? {} : { dialect })
  expect(problems).toEqual([])
  return dictionary!
}

function said(text: string, dialect?: Dialect): { readonly errors: string[]; readonly warnings: string[] } {
  const { errors, warnings } = judgeDictionary(read(text, dialect))
  const line = ({ at, message }: Problem): string => `${at.line}:${at.column} ${message}`
  return { errors: errors.map(line), warnings: warnings.map(line) }
}

describe('the dialect is found by signs', () => {
  test.each<[Dialect, string]>([
    ['A', 'A : B | C. B = . C = .'],
    ['A', 'L(S) ~ {S}.'],
    ['A', 'A = B [ C ]. B = . C = .'],
    ['A', 'A = "in" Ref. Ref = Ident.'],
    ['A', 'A = *static* <x> B. B = .'],
    ['A', 'A = <x> int extends B.'],
    ['A', 'A = <x> DemIdent B. B = .'],
    ['B', 'include "lib.cd"; A : B | C. B = . C = .'],
    ['B', 'A : B | C. B = <n> ident. C = .'],
    ['B', 'A = "in" Ref. Ref = <l> List(int).'],
    ['B', 'lookahead = 2; A : B. B = .'],
    ['C', ''],
    ['C', 'A = B.'],
    ['C', 'A = B | C <x> int. B = . C = .'],
    ['C', 'A = <x> B.'],
    ['C', 'lookahead = 3;\npackage a;\nA = .'],
  ])('%s: %s', (dialect, text) => {
    expect(readDictionary(text).dialect).toBe(dialect)
  })

  test('a mistake does not change it', () => {
    expect(readDictionary('A = B | C. D = E | F. G : H.').dialect).toBe('C')
    expect(readDictionary('A : B | C. D = E F. G = H | I.').dialect).toBe('A')
  })

  test('or stated: in the first line, or by whoever asks, who has the last word', () => {
    expect(read('// dialect: A\nA = B.').definitions[0]).toMatchObject({ alternatives: [], parts: [{ label: 'b' }] })
    expect(read('  //dialect:B \nA = B.').dialect).toBe('B')
    expect(read('// dialect: A\nA = B | C.', 'C').dialect).toBe('C')
    expect(read('// dialects: A\nA = B.').dialect).toBe('C')
    expect(read('\n// dialect: A\nA = B.').dialect).toBe('C')
    expect(readDictionary('// dialect: C\nA : B.').problems[0]!.at).toMatchObject({ line: 2, column: 3 })
  })

  test('an included file is of the dialect of the file that includes it, where it could be of any', () => {
    const files: Record<string, string> = { 'any.cd': 'D = E.', 'c.cd': 'F = G | H.' }
    const { dictionary } = readDictionary('include "any.cd"; include "c.cd"; A : B.', {
      resolve: (name) => files[name]!,
    })
    expect(dictionary!.included.map((file) => file.dictionary.dialect)).toEqual(['B', 'C'])
  })
})

describe('everything that the older dialects have is read and printed back', () => {
  test.each([
    'Company = Name <payroll> List(Employee) [ "x" <y> Note *l ].',
    'Employee : Manager | Staff common Name Salary.',
    'Input : Graph *common*.',
    'List(S) ~ { S }.',
    'List(S) ~ "(" *l + S { "," *l S *s } - *l ")".',
    '*public* abstract public Main = Program *EOF*.',
    'A = *inherit* B, C <x> D *inherit* E.',
    'A = $ Cpp Part @ component <l> Lib @@ library(X, Y).',
    'A = *static* Part <y> *static* *read-only* Other private Third = (@ 0 @).',
    'A : lookahead (@ 2 @) B | lookahead (@ B() @) C.',
    'A = [ lookahead (@ 1 @) <x> B ].',
    'L ~ X { lookahead (@ 1 @) X }.',
    'Addr = "{" Integer "}" EOF extends Var, Other implements Comparable, X {{ int f() { return 1; } }}.',
    'noparse A = .',
    'extern interface A(X: B(X), Y) : C | D.',
    'A = <common> B <import> C.',
    'package a.common; import java.util.*; A = .\npackage b; import c.D; import e.*; B = .',
    'include "a.cd"; using X, Y: Z; package a.b; lookahead = 2; import c.*; A : B.',
    'A = B EOF C. *terminal_sets* D, E(F).',
  ])('%s', (text) => {
    const dictionary = read(text, 'A')
    const printed = printDictionary(dictionary)
    expect(printed.startsWith('// dialect: A\n')).toBe(true)
    expect(printed.replace(/^.*\n/, '').replace(/\s+/g, ' ').trim()).toBe(text.replace(/\s+/g, ' '))
    expect(JSON.stringify(read(printed), withoutPlaces)).toBe(JSON.stringify(dictionary, withoutPlaces))
  })

  test('spaces, comments and words in other places mean the same', () => {
    const same = (left: string, right: string): void =>
      expect(printDictionary(read(left, 'A'))).toBe(printDictionary(read(right, 'A')))
    same('A = < x > B [<y>C].', 'A = <x> B [ <y> C ].')
    same('A noparse = .', 'noparse A = .')
    same('A = .// the end', 'A = .')
    same('A\f=/* */.', 'A = .')
    same('A = <x> *static* B.', 'A = *static* <x> B.')
    same('include "a"\nA : B.', 'include "a"; A : B.')
    same('A = B extends C EOF.', 'A = B EOF extends C.')
  })

  test('two names in a row after alternatives are a forgotten bar', () => {
    expect(readDictionary('A : B C.').problems).toMatchObject([{ at: { column: 7 } }])
  })
})

function withoutPlaces(key: string, value: unknown): unknown {
  return key === 'at' ? undefined : value
}

describe('what is wrong', () => {
  test.each<[string, string]>([
    ['A : B. C : A. B : C.', '1:1 `A` is an alternative of itself: A = B = C = A.'],
    ['A : B | C. B = .', '1:9 The class `C` is not defined.'],
    ['A = <x> ident [ B ]. B = "b".', '1:9 The class `ident` is not defined.'],
    ['A = [ <x> B ] <x> B. B = "b".', '1:16 `A` has two fields `x`.'],
    ['A ~ B { "," C }. B = "b". C = "c".', '1:13 The elements of `A` are of two classes, `B` and `C`.'],
    ['E : P | N. P = E "+" E. N = Integer.', '1:1 The text of `E` begins with itself (left recursion): E, P, E.'],
    ['A = "(" A ")". L ~ {A}.', '1:1 `A` has no finite value: each would contain another one.'],
    ['A ~ A {A}.', '1:1 `A` has no finite value: each would contain another one.'],
    ['A ~ {A}.', '1:1 The text of `A` begins with itself (left recursion): A, A.'],
    [
      'A : B | C. B = "x" Integer. C = "x" <y> Integer.',
      '1:9 In `A` the next 2 tokens do not distinguish `B` from `C`: both can begin with `x`, a whole number.',
    ],
    ['import a.B; A = <x> C [ B ].', '1:21 The class `C` is not defined.'],
    ['import a.*; A = <x> Claus [ Clause ]. Clause = "c".', '1:21 The class `Claus` is not defined.'],
  ])('%s', (text, message) => {
    expect(said(text).errors).toContain(message)
  })

  test('what dialect C calls otherwise is told', () => {
    const { errors } = judgeDictionary(read('A = <x> Ident <y> DemNumber.'))
    expect(errors.map(({ hint }) => hint)).toEqual([
      'Did you mean `ident`? Dialect A defines it; select it with `// dialect: A` as the first line.',
      'Did you mean `int`? Dialect A defines it; select it with `// dialect: A` as the first line.',
    ])
  })
})

describe('what is none of our business, or a warning', () => {
  test.each<[string, string[]]>([
    ['import a.B; A = B [ <c> StringBuffer ] $ C D @ m.', []],
    [
      'import java.util.*; A = Hashtable [ <b> B ]. B = "b".',
      ['The class `Hashtable` is not defined here; it is taken to be imported.'],
    ],
    ['A : B | C. B = "b" implements Written. C = "c" extends ByHand.', []],
    [
      'A : B | C. B = Ident. C = Ident.',
      ['In `A` the next 2 tokens do not distinguish `B` from `C`: both can begin with a name, the end of the text.'],
    ],
    ['A : C. B : C. C = "c".', ['`C` has two abstract parents, `A` and `B`.']],
    ['A = Ident B B Ident. B = "b".', []],
    ['A : lookahead (@ 3 @) B | C. B = "x" "y" "1". C = "x" "y" "2".', []],
  ])('%s', (text, expected) => {
    const { errors, warnings } = said(text)
    expect(errors).toEqual([])
    expect(warnings.map((line) => line.replace(/^\S+ /, ''))).toEqual(expected)
  })

  test("DemFGen's library stands in for its file", () => {
    const text = 'include "../lib/lib.java.cd"; A = <m> Map(ident, int) ";" <l> ListSet(int) ";" <c> Cons(ident).'
    expect(said(text).errors).toEqual([])
  })
})

describe('values of the older dialects', () => {
  const round = (text: string, type: string, written: string): unknown => {
    const values = compileValues(read(text))
    const parsed = values.parse(written, type)
    if (!parsed.ok) throw new Error(parsed.problem.message)
    expect(values.validate(parsed.value, type)).toBeNull()
    expect(values.parse(values.print(parsed.value, type), type)).toEqual(parsed)
    return parsed.value
  }

  test('unlabelled parts are called like their class, and numbered', () => {
    expect(
      round(
        'P = Name Name <name> Integer EdgeName. Name = [ "n" ] Ident. EdgeName = Ident.'.replace('[ "n" ] ', ''),
        'P',
        'a b 3 c',
      ),
    ).toEqual({
      name2: { ident: 'a' },
      name3: { ident: 'b' },
      name: 3,
      edgeName: { ident: 'c' },
    })
  })

  test('optional parts', () => {
    const text = 'A = [ "x" *s <x> Integer ";" ] [ B ] "end". B = "b".'
    expect(round(text, 'A', 'x 3; b end')).toEqual({ x: 3, b: {} })
    expect(round(text, 'A', 'end')).toEqual({ x: null, b: null })
  })

  test('repetitions, with their signs and at least one element where the first stands outside', () => {
    expect(round('L(S) ~ "(" S { "," S } ")". A = L(Ident).', 'A', '(a, b, c)')).toEqual({ l: ['a', 'b', 'c'] })
    expect(round('L(S) ~ { S ";" }. A = L(Ident).', 'A', 'a;b;')).toEqual({ l: ['a', 'b'] })
    expect(round('L ~ "[" { "-" Integer } "]".', 'L', '[]')).toEqual([])
    expect(round('T ~ "(" { T } ")".', 'T', '(()(()))')).toEqual([[], [[]]])
    expect(compileValues(read('L ~ "(" Ident { "," Ident } ")".')).parse('()', 'L').ok).toBe(false)
  })

  test('a repetition among alternatives says which it is', () => {
    const text = 'E : Atom | Sum common [ "!" Ident ]. Atom = Integer. Sum ~ "(" E { "+" E } ")".'
    expect(round(text, 'E', '(1 + 2!x)!y')).toEqual({
      $: 'Sum',
      elements: [
        { $: 'Atom', integer: 1, ident: null },
        { $: 'Atom', integer: 2, ident: 'x' },
      ],
      ident: 'y',
    })
  })

  test('shared parts come last, or where they are inherited', () => {
    expect(round('A : B common "," <x> Integer. B = "b" <y> Integer.', 'A', 'b 1, 2')).toEqual({ $: 'B', y: 1, x: 2 })
    const text = 'A : B common "," <x> Integer. B = "b" *inherit* A ";" <y> Integer.'
    expect(round(text, 'A', 'b, 1; 2')).toEqual({ $: 'B', x: 1, y: 2 })
  })

  test('the built-in names of each', () => {
    expect(round('A = [ <i> DemIdent ] <n> DemNumber <r> DemReal <s> DemString.', 'A', 'x 1 1.5 "s"')).toEqual({
      i: 'x',
      n: 1,
      r: 1.5,
      s: 's',
    })
    expect(round('A = "a" Ref. Ref = <i> ident <l> List(String) "." <o> Option(int).', 'A', 'a x "s" "t". 3')).toEqual({
      ref: { i: 'x', l: ['s', 't'], o: 3 },
    })
  })
})
