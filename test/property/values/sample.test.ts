import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { compileValues } from '../../../grammars/values/index.ts'
import type { Values } from '../../../grammars/values/index.ts'
import { randomDictionary, randomFrom } from './random-dictionary.ts'

function valuesOf(source: string): Values {
  const { dictionary, problems } = readDictionary(source)
  if (dictionary === null) throw new Error(problems[0]?.message)
  return compileValues(dictionary)
}

function sampled(values: Values, type: string, random: () => number, size?: number): Json {
  const made = values.sample(type, random, size === undefined ? {} : { size })
  if (!made.ok) throw new Error(made.problem.message)
  return made.value
}

test.for(['C', 'A'] as const)('dialect %s: what is sampled is valid, and is read back as it was printed', (dialect) => {
  let read = 0
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(), fc.constantFrom(1, 10, 100, 1_000), (which, seed, size) => {
      const { source, dictionary, types } = randomDictionary(which, dialect)
      const values = compileValues(dictionary)
      for (const type of types) {
        const value = sampled(values, type, randomFrom(seed), size)
        expect({ source, type, wrong: values.validate(value, type) }).toEqual({ source, type, wrong: null })
        expect(sampled(values, type, randomFrom(seed), size)).toEqual(value)
        const through = JSON.parse(JSON.stringify(value)) as Json
        expect(through).toEqual(value)
        // `G(K0)`, which the dictionary itself does not use, can have values that no text tells apart.
        const can = values.parse('', type)
        if (!can.ok && /not distinguish|cannot tell/.test(can.problem.message)) continue
        const text = values.print(through, type)
        expect({ source, text, parsed: values.parse(text, type) }).toEqual({
          source,
          text,
          parsed: { ok: true, value },
        })
        read++
      }
    }),
    { numRuns: 300 },
  )
  expect(read).toBeGreaterThan(500)
})

/** The value that chi-square passes once in a thousand times, by degrees of freedom. */
const limits = [0, 10.828, 13.816, 16.266, 18.467]

describe('choices among finitely many are uniform', () => {
  const values = valuesOf(`
    Root = <flag> boolean <some> Option(Mark) ";" <figure> Figure <tree> Tree.
    Mark = "!".
    Figure = Round | Square | Triangle | Long.
    Round = Circle | Oval.
    Circle = "circle" <radius> int.
    Oval = "oval" <inner> List(Figure) ".".
    Square = "square" <side> int.
    Triangle = "triangle" <note> Option(Figure) ".".
    Long = "long".
    Tree = Leaf | Fork | Knot.
    Leaf = "leaf".
    Fork = "fork" <left> Tree <right> Tree.
    Knot = "knot" <below> Tree.`)
  type Root = { flag: boolean; some: Json; figure: { $: string }; tree: { $: string } }
  const roots = (seed: number, count: number): readonly Root[] => {
    const random = randomFrom(seed)
    return Array.from({ length: count }, () => sampled(values, 'Root', random, 50) as unknown as Root)
  }

  test.for([
    ['boolean', 2, (root: Root) => root.flag],
    ['an option', 2, (root: Root) => root.some === null],
    ['alternatives, those of inner abstract classes in their place', 5, (root: Root) => root.figure.$],
    ['alternatives that hold themselves', 3, (root: Root) => root.tree.$],
  ] as const)('%s', ([, kinds, kindOf]) => {
    for (let seed = 1; seed <= 20; seed++) {
      const count = 1_000
      const counts = new Map<string, number>()
      for (const root of roots(seed, count)) {
        const kind = String(kindOf(root))
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
      }
      expect(counts.size).toBe(kinds)
      const expected = count / kinds
      const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
      expect(chiSquare, `seed ${seed}`).toBeLessThan(limits[kinds - 1]!)
    }
  })
})

test('sampling always ends, also where each value holds several others', () => {
  const greedy = valuesOf('T = L | N. L = "l". N = "n" <a> T <b> T <c> T <d> List(T) ";".')
  for (let seed = 0; seed < 200; seed++) {
    const value = sampled(greedy, 'T', randomFrom(seed), 1_000)
    expect(greedy.validate(value, 'T')).toBeNull()
    expect(JSON.stringify(value).length).toBeLessThan(100_000)
  }
  // A source that always says the same must not keep it from ending either.
  for (const n of [0, 0xffff_ffff])
    expect(
      greedy.validate(
        sampled(greedy, 'T', () => n),
        'T',
      ),
    ).toBeNull()
})

test('values stay within the nesting that is allowed', () => {
  const values = valuesOf('A = "a" <next> Option(A).')
  const deep = sampled(values, 'A', () => 0xffff_ffff, 1_000_000)
  let levels = 0
  for (let one = deep as { next: Json } | null; one !== null; one = one.next as typeof one) levels++
  expect(levels).toBe(50_000)
  expect(values.validate(deep, 'A')).toBeNull()
})

test('names are never keywords', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const keywords = letters.flatMap((letter) => [letter, ...[...'0123456789'].map((digit) => letter + digit)])
  const values = valuesOf(`A = <name> ident ${keywords.map((word) => `"${word}"`).join(' ')}.`)
  const random = randomFrom(1)
  for (let i = 0; i < 500; i++) expect(values.validate(sampled(values, 'A', random), 'A')).toBeNull()
})

test('a type whose every value is huge is a problem', () => {
  const doubling = Array.from({ length: 40 }, (_, i) => `A${i} = "a" <x> A${i + 1} <y> A${i + 1}.`).join('\n')
  const values = valuesOf(`${doubling}\nA40 = "z".\nB = A39 | A0.`)
  expect(values.sample('A0', randomFrom(1))).toMatchObject({
    ok: false,
    problem: { message: 'Every `A0` has more than 1000000 objects and lists.' },
  })
  expect(values.validate(sampled(values, 'B', randomFrom(1)), 'B')).toBeNull()
})
