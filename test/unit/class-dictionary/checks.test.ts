import { describe, expect, test } from 'vitest'
import { checkDictionary, judgeDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Dictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Problem } from '../../../grammars/problem.ts'

function read(text: string, resolve?: (name: string) => string | null): Dictionary {
  const { dictionary, problems } = readDictionary(text, resolve === undefined ? {} : { resolve })
  expect(problems).toEqual([])
  return dictionary!
}

function found(text: string): string[] {
  return checkDictionary(read(text)).map(({ at, message, hint }) => {
    expect(hint).toBeDefined()
    return `${at.line}:${at.column} ${message}`
  })
}

describe('nothing wrong', () => {
  test.each([
    ['nothing at all', ''],
    ['lists and options without an include', 'A = <x> List(int) ";" <y> Option(ident) ";".'],
    ['shared fields', 'A = B | C <x> int. B = "b". C = "c".'],
    ['type parameters', 'Pair(X, Y) = "<" <a> X "," <b> Y ">". A = <p> Pair(List(int), Pair(ident, string)).'],
    [
      'a List of its own',
      'List(X) = Cons(X) | Empty(X). Cons(X) = "," <first> X <rest> List(X). Empty(X) = ";". A = <x> List(int).',
    ],
    [
      'shared fields of generic classes',
      'A(X) = B(X) | C(X) <x> X. B(X) = "b". C(X) = "c". D = <a> A(int) <b> B(string).',
    ],
    ['two interfaces and a parent', 'P = A | B. A = "a". B = "b". interface I = A. interface J = A | B.'],
    ['a mark without implementers', 'extern interface Comparable(X) = . A = <x> int implements Comparable(A).'],
    ['names of Java', 'A = <a> Integer <b> String <c> boolean <d> verbatim.'],
    ['a field that ends in a second token', 'A = <x> List(int) <y> int.'],
    ['alternatives that differ in the second token', 'A = B | C. B = "x" "y". C = "x" "z".'],
    ['and in the sixth', 'A = B | C. B = "x" <l> List(D) "a b c d 1". C = "x" "a b c d 2". D = ";".'],
    ['right recursion', 'E = N | P. N = "n" <v> int. P = "(" <l> E "+" <r> E ")".'],
    [
      'recursion through type arguments that do not grow',
      'A(X) = "a" <n> Option(A(X)) ";". B = <a> A(int) <b> A(List(int)).',
    ],
    ['polymorphic recursion with fixed arguments', 'A(X) = "a" <n> Option(A(int)) ";". B = <a> A(string).'],
  ])('%s', (_, text) => {
    expect(found(text)).toEqual([])
  })
})

describe('each kind of problem has its place and its words', () => {
  test.each([
    ['A = <x> Claus. Clause = .', '1:9 The class `Claus` is not defined.'],
    ['A = <x> List(List(Foo)).', '1:19 The class `Foo` is not defined.'],
    ['A = <x> int implements B.', '1:24 The class `B` is not defined.'],
    ['A(X: B) = <x> X.', '1:6 The class `B` is not defined.'],
    ['A = <x> Ident.', '1:9 The class `Ident` is not defined.'],
    ['A = <x> List.', '1:9 `List` takes 1 type argument, but here it has 0.'],
    ['A(X) = <x> X(int).', '1:12 `X` takes no type arguments, but here it has 1.'],
    ['A = .\nA = .', '2:1 The class `A` is defined twice, first in line 1.'],
    ['A = <x> int <x> int.', '1:14 `A` has two fields `x`.'],
    ['A = B. B = C. C = A.', '1:1 `A` is an alternative of itself: A = B = C = A.'],
    ['A = A.', '1:1 `A` is an alternative of itself: A = A.'],
    ['A = B. C = B. B = .', '1:12 `B` has two abstract parents, `A` and `C`.'],
    ['A = B | B. B = .', '1:9 `B` is an alternative of `A` twice.'],
    ['A = int.', '1:5 `int` is not a class of this dictionary, so it cannot be an alternative of `A`.'],
    ['A = B <x> int. B = <x> int.', '1:21 The field `x` of `B` is also a shared field of `A`.'],
    ['A(X) = B <x> X. B = "b".', '1:8 `B` does not take the type parameter `X` of `A`, whose shared fields it has.'],
    ['A(X) = <n> Option(A(List(X))).', '1:19 The type arguments of `A` grow without end: each needs a larger one.'],
    ['A = "(" <a> A ")".', '1:1 `A` has no finite value: each would contain another one.'],
    ['A = <a> Option(A) "x".', '1:1 The text of `A` begins with itself (left recursion): A, Option(A), A.'],
    [
      'A = "" <e> List(B) <a> Option(A) "x". B = "b".',
      '1:1 The text of `A` begins with itself (left recursion): A, Option(A), A.',
    ],
    [
      'A = <x> List(E) . E = <o> Option(int).',
      '1:9 The text of `E` can be empty, so `List(E)` cannot tell how many there are.',
    ],
    [
      'A = <x> Option(Option(int)).',
      '1:9 The text of `Option(int)` can be empty, so `Option(Option(int))` cannot tell whether it is there.',
    ],
    ['A = <b> B "x". B = "b" EOF.', '1:11 In `A` this part can never be read, because it comes after EOF.'],
    ['A = <b> List(B). B = "b" EOF.', '1:9 The text of `B` can end with EOF, so it cannot be an element.'],
    ['A = "\\"" <s> string.', '1:5 This literal contains a double quote, which begins the text of a `string`.'],
    [
      'A = B | C. B = "x" <a> int. C = "x" <b> int.',
      '1:9 In `A` the next 2 tokens do not distinguish `B` from `C`: both can begin with `x`, a whole number.',
    ],
    [
      'lookahead = 4; A = B | C. B = "x a b c 1". C = "x a b c 2".',
      '1:24 In `A` the next 4 tokens do not distinguish `B` from `C`: both can begin with `x`, `a`, `b`, `c`.',
    ],
    [
      'lookahead = 1; A = B | C. B = "x" "y". C = "x" "z".',
      '1:24 In `A` the next token does not distinguish `B` from `C`: both can begin with `x`.',
    ],
    [
      'A = B | C. B = <i> int. C = <n> number.',
      '1:9 In `A` the next 2 tokens do not distinguish `B` from `C`: both can begin with a whole number, the end of the text.',
    ],
    [
      'A = <x> List(ident) <y> List(ident).',
      '1:9 In `List(ident)` the next 2 tokens do not distinguish a further element `ident` from the end of the list: both can continue with a name, the end of the text.',
    ],
    [
      'S = "if" <c> T <e> Option(E). E = "else" <s> S. T = S | U. U = "u".',
      '1:20 In `Option(E)` the next 2 tokens do not distinguish the value `E` from its absence: both can continue with `else`, `if`.',
    ],
  ])('%s', (text, message) => {
    expect(found(text)).toContain(message)
  })

  test('the conflict of inner alternatives is told once', () => {
    expect(found('A = B | D. B = C | E. C = "x". E = "x". D = "d".')).toHaveLength(1)
  })

  test('a misspelt name is put right', () => {
    const [problem] = checkDictionary(read('A = <x> Claus. Clause = .'))
    expect(problem!.hint).toBe('Did you mean `Clause`?')
  })

  test('missing includes are told wherever they are', () => {
    const resolve = (name: string): string | null => (name === 'a.cd' ? '\n include "b.cd"; A = <x> B.' : null)
    const problems = checkDictionary(read('include "a.cd"; include "c.cd";', resolve))
    expect(problems.map(({ file, at, message }) => `${file ?? ''} ${at.line}:${at.column} ${message}`)).toEqual([
      ' 1:25 The included file "c.cd" was not found.',
      // `B` may be in it.
      'a.cd 2:10 The included file "b.cd" was not found.',
    ])
  })

  test('an include is looked up beside the file that it is in, and one place is read once', () => {
    const files = new Map([
      ['sub/c.cd', 'include "d.cd"; include "../b.cd"; C = <d> D.'],
      ['sub/d.cd', 'D = "d".'],
      ['b.cd', 'include "./sub/../b.cd"; B = "b".'],
    ])
    const resolve = (path: string): string | null => files.get(path) ?? null
    expect(checkDictionary(read('include "sub/c.cd"; include "./b.cd"; A = <c> C <b> B.', resolve))).toEqual([])
    const [outside] = checkDictionary(read('include "sub/../../b.cd"; A = "a".', resolve))
    expect(outside).toMatchObject({ code: 'include-missing', hint: expect.stringContaining('--root') as string })
  })

  test('of two classes the place of the first is told with its file where that is another', () => {
    const [problem] = checkDictionary(read('include "a.cd"; Y = "y".', () => '\nY = "z".'))
    expect([problem?.file, problem?.message]).toEqual([
      'a.cd',
      'The class `Y` is defined twice, first in line 1 of the file that is read.',
    ])
  })

  test('classes come from included files too', () => {
    expect(checkDictionary(read('include "a.cd"; A = <b> B.', () => 'B = <x> int.'))).toEqual([])
  })
})

/** Errors begin with `!`, warnings with `?`. */
function judged(text: string): string[] {
  const { errors, warnings } = judgeDictionary(read(text))
  const line = (sign: string, { at, message }: Problem): string => `${sign}${at.line}:${at.column} ${message}`
  return [...errors.map((problem) => line('!', problem)), ...warnings.map((problem) => line('?', problem))]
}

describe('what is only a warning', () => {
  test.each([
    ['int = .', '1:1 `int` is built in; here it means this class instead.'],
    ['A = <$> int.', '1:6 The label `$` has another meaning in JSON; values use `$2`.'],
    ['A = <__proto__> int.', '1:6 The label `__proto__` has another meaning in JSON; values use `__proto__2`.'],
    ['A(X, X) = <x> X.', '1:6 `A` has two type parameters `X`.'],
    ['lookahead = 0; A = .', '1:13 A lookahead of 0 cannot decide anything; 1 is used instead.'],
    [
      'A = <x> List(ident) <y> List(ident).',
      '1:9 In `List(ident)` the next 2 tokens do not distinguish a further element `ident` from the end of the list: both can continue with a name, the end of the text.',
    ],
    [
      'S = "if" <c> T <e> Option(E). E = "else" <s> S. T = S | U. U = "u".',
      '1:20 In `Option(E)` the next 2 tokens do not distinguish the value `E` from its absence: both can continue with `else`, `if`.',
    ],
    [
      'lookahead = 1; A = <b> B "x". B = C | D. C = "x". D = .',
      '1:39 In `B` the next token does not distinguish `C` from `D`: with `x` one of them has ended. `C` is taken.',
    ],
    [
      // The followers of `K` never follow `J`, so `J` has nothing to report.
      'A = <x> List(K) ";". K = J. J = C | D | E. C = "c". D = "d" <j> J "e". E = <o> Option(C) "w".',
      '1:26 In `K` the next 2 tokens do not distinguish `E` from `C`: with `c`, `w` one of them has ended. `E` is taken.',
    ],
    ['A = <x> List(E). E = .', '1:9 The text of `E` can be empty, so `List(E)` cannot tell how many there are.'],
    ['A = EOF <x> int.', '1:10 In `A` this part can never be read, because it comes after EOF.'],
    ['A = "\\"" <s> string.', '1:5 This literal contains a double quote, which begins the text of a `string`.'],
    [
      'A = B | C <x> int. B = . C = .',
      '1:9 In `A` the next 2 tokens do not distinguish `B` from `C`: both can begin with a whole number, the end of the text.',
    ],
    [
      'interface I = B | C. B = "b". C = "b".',
      '1:19 In `I` the next 2 tokens do not distinguish `B` from `C`: both can begin with `b`, the end of the text.',
    ],
    [
      'noparse A = B | C. B = "b". C = "b".',
      '1:17 In `A` the next 2 tokens do not distinguish `B` from `C`: both can begin with `b`, the end of the text.',
    ],
    [
      'A = B. B = "b".',
      '1:1 This is read as dialect C, where `A = B.` makes `A` an abstract class with the one alternative `B`; in dialects A and B it is a class with a part.',
    ],
  ])('%s', (text, message) => {
    const found = judged(text)
    expect(found).toContain(`?${message}`)
    expect(found.filter((line) => line.startsWith('!'))).toEqual([])
  })

  test('what an alternative that is abstract reports itself is said there alone', () => {
    expect(found('A = <x> List(K) ";" <y> List(J). K = J. J = C | E. C = "c". E = <o> Option(C) "w".')).toEqual([
      '1:45 In `J` the next 2 tokens do not distinguish `E` from `C`: with `c`, `w` one of them has ended. `E` is taken.',
    ])
  })

  test('doubts count where values must be read back, remarks do not', () => {
    expect(found('A = <x> List(ident) <y> List(ident).')).toHaveLength(1)
    expect(found('A = B. B = "b". C = .')).toEqual([])
  })

  test('extern classes are told apart by whoever knows them', () => {
    expect(judged('A = B | C. extern B = . extern C = .')).toEqual([])
  })

  test('an interface that is held must be read', () => {
    expect(judged('A = <i> I. interface I = B | C. B = "b". C = "b".')).toEqual([
      '!1:30 In `I` the next 2 tokens do not distinguish `B` from `C`: both can begin with `b`, the end of the text.',
    ])
  })
})

describe('unreachable classes', () => {
  const told = (text: string): string[] =>
    judgeDictionary(read(text)).warnings.flatMap(({ message }) => (message.startsWith('No value') ? [message] : []))

  test('seen from the first class', () => {
    expect(told('A = <b> List(B). B = C | D <e> E. C = "c". D = "d". E = . F = <g> G. G = "g" <f> Option(F).')).toEqual(
      ['No value of `A` can contain a `F`.'],
    )
  })

  test('a first class that holds nothing is not a beginning', () => {
    expect(told('M = . A = <b> B. B = "b".')).toEqual(['No value of `A` can contain a `M`.'])
  })

  test('the name of an abstract class is used by its alternatives, its other alternatives are not', () => {
    expect(told('A = <b> B. P = B | C. B = "b". C = "c".')).toEqual(['No value of `A` can contain a `C`.'])
  })

  test('a long way', () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => `A${i} = "a" <a> A${i + 1}.`).join('\n')
    expect(told(`${chain} A20000 = . B = "b".`)).toHaveLength(1)
  })
})

describe('dictionaries made to hurt', () => {
  const chain = (size: number, one: (i: number) => string): string =>
    Array.from({ length: size }, (_, i) => one(i)).join('\n')
  test.each([
    ['a long way to itself', `${chain(5_000, (i) => `A${i} = <a> A${i + 1}.`)} A5000 = <a> A0.`, 100],
    ['abstract classes in one another', `${chain(5_000, (i) => `A${i} = A${i + 1}.`)} A5000 = "x".`, 1],
    [
      'alternatives that all begin alike',
      `A = ${chain(300, (i) => `${i ? '| ' : ''}B${i}`)}. ${chain(300, (i) => `B${i} = "x" "y" "z".`)}`,
      100,
    ],
    [
      'type arguments that multiply',
      `${chain(40, (i) => `A${i}(X) = <a> A${i + 1}(P(X, X)) <b> A${i + 1}(P(X, int)).`)} A40(X) = "x". P(X, Y) = "p". B = <a> A0(int).`,
      1,
    ],
    ['many unknown names', chain(5_000, (i) => `A${i} = <x> Zork${i}.`), 100],
    [
      'many shared fields',
      `A = ${chain(2_000, (i) => `${i ? '| ' : ''}B${i}`)} ${chain(2_000, (i) => `<x${i}> int`)}. ${chain(2_000, (i) => `B${i} = "b${i}".`)}`,
      1,
    ],
  ])('%s', (_, text, problems) => {
    expect(checkDictionary(read(text))).toHaveLength(problems)
  })

  test('a large one that is right', () => {
    const text = `A = ${chain(2_000, (i) => `${i ? '| ' : ''}B${i}`)}. ${chain(2_000, (i) => `B${i} = "b${i}" <a> List(A) ";".`)}`
    expect(checkDictionary(read(text))).toEqual([])
  })
})
