import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readWholeLines } from '../../../main/histories/read-lines.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** Bytes that are read at once; see read-lines.ts. */
const CHUNK = 1024 * 1024

/** A file of lines of these lengths, each with its own letter. */
function fileOf(lengths: readonly number[], rest = ''): { readonly path: string; readonly text: string } {
  const text = lengths.map((length, at) => `${String.fromCharCode(97 + (at % 26)).repeat(length)}\n`).join('') + rest
  const path = join(temporaryFolder('read-lines'), 'lines')
  writeFileSync(path, text)
  return { path, text }
}

test('every whole line is passed on once, at its offset, whatever its length beside that of what is read at once', async () => {
  // Around the edges of the first and the second read, and longer than several.
  const length = fc.oneof(
    { weight: 4, arbitrary: fc.nat(50_000) },
    fc.integer({ min: CHUNK - 3, max: CHUNK + 3 }),
    fc.integer({ min: 2 * CHUNK, max: 5 * CHUNK }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(length, { maxLength: 12 }), fc.constantFrom('', 'half'), async (lengths, rest) => {
      const { path, text } = fileOf(lengths, rest)
      let seen = ''
      const read = await readWholeLines(path, async (batch, offset) => {
        expect(offset).toBe(seen.length)
        await Promise.resolve()
        seen += batch.toString('latin1')
        return undefined
      })
      expect(read).toEqual({ end: text.length - rest.length, tail: rest.length, tooLong: false })
      expect(seen === text.slice(0, read.end)).toBe(true)
    }),
    { numRuns: 12 },
  )
})

test('a part of a file is read to its end, and one that is being written is read on', async () => {
  const { path, text } = fileOf([10, CHUNK, 20], 'the beg')
  const part: string[] = []
  await readWholeLines(path, (batch) => void part.push(batch.toString('latin1')), 11, 11 + CHUNK + 1)
  expect(part.join('') === text.slice(11, 11 + CHUNK + 1)).toBe(true)
  const nothing = await readWholeLines(path, () => expect.unreachable(), 11, 11)
  expect(nothing).toEqual({ end: 11, tail: 0, tooLong: false })
  const asked: number[] = []
  const seen: string[] = []
  const read = await readWholeLines(
    path,
    (batch) => void seen.push(batch.toString('latin1')),
    0,
    Infinity,
    async (have) => {
      asked.push(have)
      if (asked.length === 1) appendFileSync(path, 'inning\n')
      return asked.length === 1
    },
  )
  expect(asked).toEqual([text.length, text.length + 7])
  expect(read).toEqual({ end: text.length + 7, tail: 0, tooLong: false })
  expect(seen.join('') === `${text}inning\n`).toBe(true)
})

test('a visitor that returns false gets nothing more', async () => {
  const { path } = fileOf(Array.from({ length: 100 }, () => 40_000))
  let visits = 0
  const { end } = await readWholeLines(path, () => ++visits < 3)
  expect([visits, end]).toEqual([3, 3 * 40_001])
})
