import { describe, expect, test } from 'vitest'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { judgeDictionary, printDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Dictionary } from '../../../grammars/class-dictionary/index.ts'
import { randomOf } from '../../property/class-dictionary/fuzz.ts'

function read(text: string): Dictionary {
  const { dictionary, problems } = readDictionary(text)
  expect(problems).toEqual([])
  return dictionary!
}

describe('large dictionaries', () => {
  test('128,000 parts are printed', () => {
    const text = `A = ${'"a" '.repeat(127_999)}"a".\n`
    expect(printDictionary(read(text)) === text).toBe(true)
  })

  test('3,200 optional fields are decided', () => {
    const fields = Array.from({ length: 3_200 }, (_, i) => i)
    const text = `A = ${fields.map((i) => `<a${i}> Option(K${i})`).join(' ')}.\n${fields.map((i) => `K${i} = "k${i}" <v> int.`).join('\n')}`
    expect(judgeDictionary(read(text))).toEqual({ errors: [], warnings: [] })
  })

  test('two optional fields that begin alike are reported, however many are between them', () => {
    const fields = Array.from({ length: 500 }, (_, i) => i)
    const text = `A = ${fields.map((i) => `<a${i}> Option(K${i})`).join(' ')} <b> K7 <c> K7.\n${fields.map((i) => `K${i} = "k${i}" <v> int.`).join('\n')}`
    const { warnings } = judgeDictionary(read(text))
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('`Option(K7)`')])
  })
})

describe('names are drawn outside of the literals of a dictionary, whatever these are', () => {
  test.each([
    ['one of 1,900 letters', ['a'.repeat(1_900)]],
    ['1,600 keywords', Array.from({ length: 1_600 }, (_, i) => `word${i}`)],
    [
      'all names of one letter and 20,000 keywords',
      [
        ...'abcdefghijklmnopqrstuvwxyz',
        ...Array.from({ length: 20_000 }, (_, i) => `${'abcdefghijklmnopqrstuvwxyz'[i % 26]}${(i * 7_919) % 99_991}`),
      ],
    ],
  ])('%s', (_, literals) => {
    const { challenge, problems } = readChallenge(`challenge x "X"
dictionary {{
  Predicate = <n> ident <more> List(ident) ${literals.map((literal) => `"${literal}"`).join(' ')}.
  Instance = <n> int.
  Solution = <n> int.
}}
legal predicate {} legal instance {} feasible solution {}
measure = 0
goal = max
bound = 1
property predicate { Predicate.more: length 20, distinct }
example "any" { predicate {{ zzz ${literals.join(' ')} }} instance {{ 1 }} solution {{ 1 }} quality = 0 }
`)
    expect(problems).toEqual([])
    const words = new Set(literals)
    const random = randomOf(1)
    const config = challenge!.config({})
    if (!config.ok) throw new Error(config.error)
    for (let i = 0; i < 20; i++) {
      const made = challenge!.sampler.predicate(config.value, random)
      if (!made.ok) throw new Error(made.error)
      const { n, more } = made.value as { n: string; more: string[] }
      expect([n, ...more].filter((name) => words.has(name))).toEqual([])
      expect(new Set(more).size).toBe(20)
    }
  })
})
