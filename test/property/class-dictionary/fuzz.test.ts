import { expect, test } from 'vitest'
import { repeats } from '../../long.ts'
import { fuzzed, randomOf, tryText } from './fuzz.ts'

// FUZZ_FROM says from which seed on, so that it can be done in pieces.
const count = Number(process.env['FUZZ_COUNT'] ?? repeats({ short: 20_000, long: 1_000_000 }))
const from = Number(process.env['FUZZ_FROM'] ?? 0)

test(`${count} texts: no exception, and every answer as it must be`, { timeout: 600_000 + count * 10 }, () => {
  let read = 0
  for (let seed = from; seed < from + count; seed++) {
    const random = randomOf(seed)
    const dialect = ([undefined, undefined, 'A', 'B', 'C'] as const)[random() % 5]
    const text = fuzzed(random)
    try {
      if (tryText(text, dialect)) read++
    } catch (error) {
      throw new Error(`seed ${seed}, dialect ${dialect ?? 'found'}: ${JSON.stringify(text)}`, { cause: error })
    }
  }
  // Mostly mistakes, but not only.
  expect(read / count).toBeGreaterThan(0.1)
})
