import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyse } from '../../../grammars/class-dictionary/checking/checks.ts'
import { readDictionary, type Dictionary } from '../../../grammars/class-dictionary/index.ts'
import { alternativesByName } from '../../../grammars/values/alternatives.ts'
import { signsOf } from '../../../grammars/values/cursor.ts'
import { compileValues, type Values } from '../../../grammars/values/index.ts'
import { noMoulds, parseValue, type Parsed } from '../../../grammars/values/parse.ts'
import { readerOf } from '../../../grammars/values/reader.ts'
import { Scanner } from '../../../grammars/values/scanner.ts'
import { SHIPPED, sourceOf } from '../../unit/challenges/shipped.ts'
import { randomDictionary, randomFrom } from './random-dictionary.ts'

/** The two readers of a class of a dictionary. */
interface Readers {
  readonly thorough: (text: string) => Parsed
  readonly fast: (text: string) => unknown
}

function readersOf(dictionary: Dictionary): ReadonlyMap<string, Readers> {
  const analysis = analyse(dictionary)
  if (!analysis.ok) throw new Error(analysis.problems[0]!.message)
  const { expansion, vocabulary, predictor } = analysis
  const signs = signsOf(vocabulary)
  const input = { predictor, vocabulary, alternatives: alternativesByName(), moulds: noMoulds() }
  const reader = readerOf(input, signs)
  return new Map(
    dictionary.definitions
      .filter(({ parameters, flag }) => parameters.length === 0 && flag === null)
      .map(({ name, at }) => {
        const node = expansion.node({ name, at, arguments: [] }, null)
        return [name, { thorough: (text) => parseValue(node, new Scanner(text, signs), input), fast: reader(node) }]
      }),
  )
}

const shards = ['', ' ', '\n', '(', ')', '-', '1', '0.50', '1e3', '99999999999999999999', 'x', 'true', '"', '"a"', '"\\n"', "'", '{{', '}}', '/*', '*/', '//', '//\n', ',', ';', '->', '\\', '\0', '\ud800', 'é'] // prettier-ignore

/** The text with one place replaced by a shard, or by another part of the text. */
function mutated(text: string, random: () => number): string {
  const at = random() % (text.length + 1)
  const shard =
    random() % 4 === 0 ? text.slice(random() % (text.length + 1)).slice(0, 9) : shards[random() % shards.length]!
  return text.slice(0, at) + shard + text.slice(at + (random() % 5))
}

interface Counts {
  read: number
  refused: number
}

/** Asserts that the fast reader reads exactly what the thorough one does, and leaves it the rest. */
function compare({ thorough, fast }: Readers, text: string, counts: Counts): void {
  const parsed = thorough(text)
  expect({ text, value: fast(text) }).toEqual({ text, value: parsed.ok ? parsed.value : undefined })
  if (parsed.ok) counts.read++
  else counts.refused++
}

function compareSamples(
  dictionary: Dictionary,
  values: Values,
  random: () => number,
  size: number,
  counts: Counts,
): void {
  for (const [name, readers] of readersOf(dictionary)) {
    const sampled = values.sample(name, random, { size })
    if (!sampled.ok) continue
    const text = values.print(sampled.value, name)
    compare(readers, text, counts)
    for (let i = 0; i < 8; i++) compare(readers, mutated(text, random), counts)
    compare(readers, mutated(mutated(text, random), random), counts)
  }
}

test.for(['C', 'A'] as const)('dialect %s: both readers read the same values, and refuse the same texts', (dialect) => {
  const counts = { read: 0, refused: 0 }
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(), fc.constantFrom(1, 10, 100), (which, seed, size) => {
      const { dictionary } = randomDictionary(which, dialect)
      compareSamples(dictionary, compileValues(dictionary), randomFrom(seed), size, counts)
    }),
    { numRuns: 200 },
  )
  expect(counts.read).toBeGreaterThan(1_000)
  expect(counts.refused).toBeGreaterThan(1_000)
})

test.for(SHIPPED)('the dictionary of %s: both readers read the same values, and refuse the same texts', (name) => {
  const { dictionary } = readDictionary(/^dictionary \{\{(.*?)^\}\}/ms.exec(sourceOf(name))![1]!)
  const values = compileValues(dictionary!)
  const counts = { read: 0, refused: 0 }
  for (let seed = 0; seed < 20; seed++) {
    compareSamples(dictionary!, values, randomFrom(seed), 1 + 20 * (seed % 4), counts)
  }
  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(20)
})

describe('values that are deep or long', () => {
  const { dictionary } = readDictionary(`
    T = "(" <inner> List(T) ")".
    S = <names> Set(ident) "." <empty> List(E) <numbers> List(int).
    E = <none> Option(V). V = "v".`)
  const readers = readersOf(dictionary!)
  const nested = (levels: number): string => '('.repeat(levels) + ')'.repeat(levels)

  test('a deep value is left to the thorough reader, and the next one is read again', () => {
    const { fast, thorough } = readers.get('T')!
    for (const levels of [90, 100, 1_000, 20_000]) {
      expect(thorough(nested(levels)).ok).toBe(true)
      expect(fast(nested(levels)) === undefined).toBe(levels > 100)
    }
    expect(thorough(nested(30_000)).ok).toBe(false)
    expect(fast(nested(2))).toEqual({ inner: [{ inner: [] }] })
  })

  test('lists of thousands of elements, and of elements without a text, are read alike', () => {
    const counts = { read: 0, refused: 0 }
    const names = Array.from({ length: 10_000 }, (_, i) => `n${(i * 7_919) % 9_000}`).join(' ')
    for (const length of [0, 1, 4_095, 4_096, 4_097, 9_000]) {
      compare(readers.get('S')!, `${names}. ${'v '.repeat(length)} ${'12 '.repeat(length)}`, counts)
    }
    expect(counts).toEqual({ read: 6, refused: 0 })
  })
})
