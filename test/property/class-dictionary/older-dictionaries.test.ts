import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeDictionary, printDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Dictionary } from '../../../grammars/class-dictionary/index.ts'
import { compileValues } from '../../../grammars/values/index.ts'
import { withoutPlaces } from './described.ts'
import { anyOlderDictionary } from './older.ts'

test('what is printed in dialects A and B is read back as the same dictionary', () => {
  fc.assert(
    fc.property(anyOlderDictionary, (dictionary) => {
      const text = printDictionary(dictionary as Dictionary)
      const read = readDictionary(text)
      expect(read.problems).toEqual([])
      expect(withoutPlaces(read.dictionary)).toEqual(dictionary)
      expect(printDictionary(read.dictionary!)).toBe(text)
    }),
    { numRuns: 1_000 },
  )
})

test('judging whatever is read ends, and a dictionary without errors gives values', () => {
  fc.assert(
    fc.property(anyOlderDictionary, (dictionary) => {
      const { errors } = judgeDictionary(dictionary as Dictionary)
      if (errors.length === 0) expect(compileValues(dictionary as Dictionary).shape('int').ok).toBe(true)
      else expect(() => compileValues(dictionary as Dictionary)).toThrow(errors[0]!.message)
    }),
    { numRuns: 500 },
  )
})
