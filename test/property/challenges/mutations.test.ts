import { expect, test } from 'vitest'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { repeats } from '../../long.ts'
import { randomOf } from '../class-dictionary/fuzz.ts'
import { mutated } from './mutants.ts'

// In addition to 20,000 changed dictionaries, which are read faster. FUZZ_FROM says from which seed on, so that it can be done in pieces.
const count = Number(process.env['FUZZ_COUNT'] ?? repeats({ short: 3_000, long: 1_000_000 }))
const from = Number(process.env['FUZZ_FROM'] ?? 0)

/** Words that only an author of the program understands, and values that were never meant for a sentence. */
const JARGON = /so far|of nothing|unfinished|any type|\bslots?\b|\bundefined\b|\bNaN\b|\bInfinity\b|\[object /i

/** Reads the text; throws where the answer is not as it must be. Was it accepted? */
function tryFile(text: string): boolean {
  const { challenge, problems } = readChallenge(text)
  if ((challenge === null) !== problems.length > 0) throw new Error('neither read nor refused')
  const lines = text.split(/\r\n|\n|\r/)
  for (const { at, message, hint, remedy } of problems) {
    if (!/^\S[^]*[.)]\s*$/u.test(message) || hint === '') throw new Error(`no sentence: ${message}`)
    // Names, letters and texts of the file may be anything; where it has such a word itself, nothing is asked.
    const told = `${message} ${hint ?? ''}`
    if (JARGON.test(told) && !JARGON.test(text)) throw new Error(`jargon: ${told}`)
    const line = lines[at.line - 1]
    if (line === undefined || at.column > line.length + 1 || at.offset > text.length) throw new Error('out of the text')
    if (remedy === undefined) continue
    if (remedy.from < 0 || remedy.to < remedy.from || remedy.to > text.length)
      throw new Error('a remedy out of the text')
    if (text.slice(remedy.from, remedy.to) === remedy.text) throw new Error('a remedy that changes nothing')
  }
  return challenge !== null
}

test(`${count} changed files: no exception, and every answer as it must be`, { timeout: 600_000 + count * 20 }, () => {
  let read = 0
  for (let seed = from; seed < from + count; seed++) {
    const text = mutated(randomOf(seed))
    try {
      if (tryFile(text)) read++
    } catch (error) {
      throw new Error(`seed ${seed}: ${JSON.stringify(text)}`, { cause: error })
    }
  }
  // Some changes are in texts for people.
  expect(read / count).toBeGreaterThan(0.01)
})
