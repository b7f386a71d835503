import { describe, expect, test } from 'vitest'
import { readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { compileValues } from '../../../grammars/values/index.ts'
import type { Values } from '../../../grammars/values/index.ts'

function valuesOf(text: string): Values {
  const { dictionary, problems } = readDictionary(text)
  expect(problems).toEqual([])
  return compileValues(dictionary!)
}

function parsed(values: Values, text: string, type: string): Json {
  const result = values.parse(text, type)
  if (!result.ok) throw new Error(`${result.problem.at.line}:${result.problem.at.column} ${result.problem.message}`)
  return result.value
}

function refusal(values: Values, text: string, type: string): string {
  const result = values.parse(text, type)
  if (result.ok) throw new Error(`read as ${JSON.stringify(result.value)}`)
  return `${result.problem.at.line}:${result.problem.at.column} ${result.problem.message}`
}

const all = valuesOf(`
  A = "a" <yes> boolean <letter> char <text> verbatim.
  N = <name> ident.`)

describe('booleans, characters, verbatim texts', () => {
  test('are read and printed', () => {
    const text = "a true 'x' {{ any { text } 'at' all\n\"// }}"
    const value = { yes: true, letter: 'x', text: " any { text } 'at' all\n\"// " }
    expect(parsed(all, text, 'A')).toEqual(value)
    expect(all.print(value, 'A')).toBe("a true'x'{{ any { text } 'at' all\n\"// }}")
  })

  test.for([
    ["'\\n'", '\n'],
    ["'\\''", "'"],
    ["'\\\\'", '\\'],
    [`'"'`, '"'],
    ["'\\101'", 'A'],
    ["'é'", 'é'],
    ["'🙂'", '🙂'],
    ["' '", ' '],
  ] as const)('the character %s', ([text, value]) => {
    expect(parsed(all, text, 'char')).toBe(value)
    expect(parsed(all, all.print(value, 'char'), 'char')).toBe(value)
  })

  test.for([
    ['char', "''", 'Between these quotes must be one character or one known escape.'],
    ['char', "'ab'", 'Between these quotes must be one character or one known escape.'],
    ['char', "'\\q'", 'Between these quotes must be one character or one known escape.'],
    ['char', "'\n'", 'Between these quotes must be one character or one known escape.'],
    ['char', "'\ud800'", 'Between these quotes must be one character or one known escape.'],
    ['verbatim', '{{ open', 'The text in {{ }} is not closed.'],
    ['boolean', 'yes', 'Expected `true`, found `yes`.'],
    ['A', 'a 1', 'Expected `true`, found `1`.'],
  ] as const)('%s %j is refused', ([type, text, message]) => {
    expect(refusal(all, text, type)).toContain(message)
  })

  test('true and false are keywords where there are booleans, and nowhere else', () => {
    expect(all.validate({ name: 'true' }, 'N')?.message).toContain('cannot be a name')
    expect(valuesOf('N = <name> ident.').validate({ name: 'true' }, 'N')).toBeNull()
  })

  test.for<[Json, string, string]>([
    ['', 'char', '"" is not one character'],
    ['ab', 'char', '"ab" is not one character'],
    ['\ud800', 'char', 'this is half a character (a lone surrogate)'],
    [1, 'boolean', 'expected true or false, found 1'],
    ['a }} b', 'verbatim', 'the text contains "}}" or ends in "}", which would close it early'],
    ['a }', 'verbatim', 'the text contains "}}" or ends in "}", which would close it early'],
  ])('%j is no %s', ([value, type, message]) => {
    expect(all.validate(value, type)).toEqual({ path: '', message })
  })

  test('a literal that begins one of them is told', () => {
    expect(() => valuesOf(`A = "'" <c> char.`).print({ c: 'x' }, 'A')).not.toThrow()
    const { dictionary } = readDictionary(`A = "{{" <t> verbatim.`)
    expect(compileValues(dictionary!).parse('{{ {{x}}', 'A').ok).toBe(false)
  })
})

describe('sets and maps', () => {
  const values = valuesOf(`
    S = "{" <items> Set(T) "}".
    T = One | Two.
    One = "one" <n> int.
    Two = "two" <inner> Option(S).
    M = "[" <map> Map(ident, List(int)) "]".
    E = <entry> Entry(int, string).`)

  test('have one JSON form, whatever the order of their text', () => {
    const sorted = {
      items: [
        { $: 'One', n: -1 },
        { $: 'One', n: 10 },
        { $: 'Two', inner: null },
        { $: 'Two', inner: { items: [] } },
      ],
    }
    expect(parsed(values, '{ two { } one 10 two one -1 two one 10 }', 'S')).toEqual(sorted)
    expect(values.validate(sorted, 'S')).toBeNull()
    expect(parsed(values, values.print(sorted, 'S'), 'S')).toEqual(sorted)
  })

  test('a map is a set of entries with different keys', () => {
    const value = {
      map: [
        { key: 'a', val: [1, 2] },
        { key: 'b', val: [] },
      ],
    }
    expect(parsed(values, '[(b->)(a -> 1 2)]', 'M')).toEqual(value)
    expect(values.print(value, 'M')).toBe('[(a->1 2)(b->)]')
    expect(refusal(values, '[(b -> 1)\n (a -> 2)\n (b -> 3)]', 'M')).toBe(
      '3:2 This `Map(ident, List(int))` has an entry with the same key already.',
    )
  })

  test('entries stand for themselves', () => {
    expect(parsed(values, '(7 -> "seven")', 'E')).toEqual({ entry: { key: 7, val: 'seven' } })
  })

  test('numbers are sorted by size and names by their letters, also where the type is not in the dictionary', () => {
    expect(parsed(values, '10 9 -1 9', 'Set(int)')).toEqual([-1, 9, 10])
    expect(parsed(values, 'b B aa a', 'Set(ident)')).toEqual(['B', 'a', 'aa', 'b'])
    expect(parsed(valuesOf('A = .'), '(2 -> true) (1 -> false)', 'Map(int, boolean)')).toEqual([
      { key: 1, val: false },
      { key: 2, val: true },
    ])
  })

  test.for<[Json, string]>([
    [[2, 1], 'element 1 of `Set(int)` must come before the previous one: sets and maps are sorted'],
    [[1, 1], 'element 1 of `Set(int)` is a duplicate'],
  ])('%j is not their JSON form', ([value, message]) => {
    expect(values.validate(value, 'Set(int)')).toEqual({ path: '', message })
  })

  test('the place of what is wrong is told', () => {
    const twice = {
      map: [
        { key: 'a', val: [1] },
        { key: 'a', val: [2] },
      ],
    }
    expect(values.validate(twice, 'M')).toEqual({
      path: 'map',
      message: 'the key of element 1 of `Map(ident, List(int))` is a duplicate',
    })
    expect(values.validate({ map: [{ key: 'a' }] }, 'M')).toEqual({
      path: 'map[0]',
      message: 'the field "val" of `Entry(ident, List(int))` is missing',
    })
  })

  test('shapes: sorted lists, of entries', () => {
    expect(values.shape('Map(int, ident)')).toEqual({
      ok: true,
      shape: {
        kind: 'list',
        sorted: 'map',
        of: {
          kind: 'class',
          name: 'Entry',
          fields: [
            { label: 'key', type: { kind: 'int' } },
            { label: 'val', type: { kind: 'ident' } },
          ],
        },
      },
    })
  })

  test('sets in sets, 10,000 levels deep', () => {
    const nested = valuesOf('S = "{" <s> Set(S) "}".')
    const text = `${'{'.repeat(10_000)}${'{}'.repeat(3)}${'}'.repeat(10_000)}`
    const value = parsed(nested, text, 'S')
    expect(nested.print(value, 'S')).toBe(`${'{'.repeat(10_001)}${'}'.repeat(10_001)}`)
  })

  test('a set of a million', () => {
    const text = Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) % 1_000_003).join(' ')
    const value = parsed(values, text, 'Set(int)') as readonly number[]
    expect(value).toHaveLength(1_000_000)
    expect(values.validate(value, 'Set(int)')).toBeNull()
  })

  test('a dictionary that defines its own uses that', () => {
    const own = valuesOf('M = <m> Map(int). Map(X) = "map" <x> X.')
    expect(parsed(own, 'map 1', 'M')).toEqual({ m: { x: 1 } })
  })
})

describe('dialect A', () => {
  const values = valuesOf(`// dialect: A
    Program = Block [ "note" <note> String ] EOF.
    Block ~ "{" { Statement ";" } "}".
    Statement : Call | Jump *common* <line> Integer.
    Call = Ident "(" <arguments> Arguments ")".
    Arguments ~ Ident { "," Ident }.
    Jump = "goto".`)

  test('repetitions are lists, optional parts null or there, parts without labels are named', () => {
    const value = {
      block: [
        { $: 'Call', ident: 'f', arguments: ['x', 'y'], line: 1 },
        { $: 'Jump', line: 2 },
      ],
      note: null,
    }
    expect(parsed(values, '{ f(x, y) 1; goto 2; }', 'Program')).toEqual(value)
    expect(values.print(value, 'Program')).toBe('{f(x,y)1;goto 2;}')
    expect(parsed(values, '{} note "n"', 'Program')).toEqual({ block: [], note: 'n' })
  })

  test('a repetition behind its first element is not empty', () => {
    expect(refusal(values, '{ f() 1; }', 'Program')).toBe('1:5 Expected a name, found `)`.')
    expect(values.validate([], 'Arguments')).toEqual({ path: '', message: '`Arguments` has at least one element' })
    expect(values.shape('Arguments')).toEqual({
      ok: true,
      shape: { kind: 'list', of: { kind: 'ident' }, filled: true },
    })
  })

  test('what is wrong inside is placed', () => {
    expect(refusal(values, '{ f(x y) 1; }', 'Program')).toBe('1:7 Expected `)` or `,`, found `y`.')
    expect(refusal(values, '{ goto 1 }', 'Program')).toBe('1:10 Expected `;`, found `}`.')
  })

  test('a repetition of itself', () => {
    const nest = valuesOf('// dialect: A\nN ~ "(" { N } ")".')
    const text = `${'('.repeat(10_000)}${')'.repeat(10_000)}`
    const value = parsed(nest, text, 'N')
    expect(nest.print(value, 'N')).toBe(text)
    expect(nest.shape('N').ok).toBe(true)
    expect(nest.typescript('N')).toEqual({ ok: true, text: 'export type N = readonly N[]\n' })
  })
})

describe('where a dictionary cannot tell, reading is greedy', () => {
  test('a list takes what it can', () => {
    const values = valuesOf('A = <first> List(ident) <second> List(ident) ";".')
    expect(parsed(values, 'x y z;', 'A')).toEqual({ first: ['x', 'y', 'z'], second: [] })
  })

  test('an option is there where it can be', () => {
    const values = valuesOf('A = <first> Option(ident) <second> List(ident) ";".')
    expect(parsed(values, 'x y;', 'A')).toEqual({ first: 'x', second: ['y'] })
  })

  test('elements that are written as nothing are not read, and reading ends', () => {
    const values = valuesOf('A = <list> List(E) "end". E = <o> Option(F). F = "f".')
    expect(parsed(values, 'f f end', 'A')).toEqual({ list: [{ o: {} }, { o: {} }] })
    expect(parsed(values, 'end', 'A')).toEqual({ list: [] })
  })
})

describe('declarations', () => {
  const values = valuesOf(`
    Root = <shape> Shape <pairs> List(Pair(int, Option(ident))) <nothing> Empty <tags> Set(string).
    Shape = Circle | Empty.
    Circle = "circle" <radius> number.
    Empty = "empty".
    Pair(X, Y) = "<" <x> X <y> Y ">".`)

  test('TypeScript', () => {
    const made = values.typescript('Root')
    expect(made.ok && made.text).toBe(`export interface Root {
  readonly shape: Shape
  readonly pairs: readonly Pair_int_Option_ident[]
  readonly nothing: Empty
  readonly tags: readonly string[]
}

export type Shape =
  | ({ readonly $: 'Circle' } & Circle)
  | { readonly $: 'Empty' }

export type Empty = Readonly<Record<string, never>>

export interface Circle {
  readonly radius: number
}

export interface Pair_int_Option_ident {
  readonly x: int
  readonly y: ident | null
}

/** A whole number from -9007199254740991 to 9007199254740991. */
export type int = number

/** A name: letters, digits, _ and $, not beginning with a digit; not one of the dictionary's own words. */
export type ident = string
`)
    expect(values.typescript('List(Root)')).toMatchObject({
      text: expect.stringMatching(/^export type Value = readonly Root\[\]\n/),
    })
  })

  test('JSON Schema', () => {
    expect(values.jsonSchema('Pair(int, ident)')).toEqual({
      ok: true,
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'Pair(int, ident)',
        $ref: '#/$defs/Pair_int_ident',
        $defs: {
          Pair_int_ident: {
            type: 'object',
            properties: { x: { $ref: '#/$defs/int' }, y: { $ref: '#/$defs/ident' } },
            required: ['x', 'y'],
            additionalProperties: false,
          },
          int: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
          ident: { type: 'string', pattern: '^[A-Za-z_$][A-Za-z0-9_$]*$', not: { enum: ['circle', 'empty'] } },
        },
      },
    })
  })

  test('types without values are told', () => {
    const other = valuesOf('A = <x> E. extern E = .')
    for (const made of [other.typescript('A'), other.jsonSchema('A'), other.sample('A', () => 0)]) {
      expect(made).toMatchObject({
        ok: false,
        problem: { message: '`A` has no values here: it contains the extern class `E`.' },
      })
    }
  })

  test('types that are nested a hundred deep', () => {
    const deep = Array.from({ length: 120 }, (_, i) => `A${i}(X) = "a" <x> A${i + 1}(List(X)).`).join('\n')
    const big = valuesOf(`${deep}\nA120(X) = "b" <x> Option(X).`)
    const made = big.typescript('A0(int)')
    expect(made.ok && made.text.length).toBeLessThan(60_000)
    expect(big.jsonSchema('A0(int)').ok).toBe(true)
    expect(big.sample('A0(int)', () => 0).ok).toBe(true)
  })
})
