import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openSegments } from '../../../main/histories/segments/writer.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { blobs, openToy, playToy, testKey } from '../../unit/histories/toy.ts'

const key = testKey()
const names = ['segment-000001.jsonl', 'segment-000002.jsonl', 'segment-000003.jsonl'] as const
let folder: string
let whole: string[]

/** Three files: two groups in each, the runs of two matches interleaved in each group. */
beforeEach(async () => {
  folder = temporaryFolder('histories')
  const dir = join(folder, 'whole')
  for (let file = 0; file < 3; file++) {
    const { writer } = await openToy(dir, key)
    for (let group = 0; group < 2; group++) {
      const match = file * 4 + group * 2
      const [a, b] = [match, match + 1].map((m) => playToy(m, m + 1).split(/(?<=\n)/))
      for (let i = 0; i < a!.length; i++) writer.append(a![i]! + b![i]!)
      await writer.commit()
    }
    await writer.close()
  }
  whole = names.map((name) => readFileSync(join(dir, name), 'utf8'))
})

let copies = 0
function copyOf(texts: readonly (string | Buffer)[]): string {
  const dir = join(folder, `copy-${copies++}`)
  mkdirSync(dir)
  texts.forEach((text, i) => writeFileSync(join(dir, names[i]!), text))
  return dir
}

const linesOf = (text: string): string[] => text.split(/(?<=\n)/)

test('every line of every segment removed in turn is located; only the last seal of all may be lost', async () => {
  for (const [file, text] of whole.entries()) {
    const lines = linesOf(text)
    for (let i = 0; i < lines.length; i++) {
      const dir = copyOf(whole.with(file, lines.toSpliced(i, 1).join('')))
      const scan = await scanContest({ dir, contest: 'toy-1', key: key.publicKey })
      const what = `line ${i + 1} of segment ${file + 1}`
      if (file === 2 && i === lines.length - 1) {
        // Without its seal the last group was never confirmed, and nobody was told that it is done.
        if (!scan.ok) throw new Error(scan.damage.message)
        expect([...scan.finished.keys()].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        expect(scan.repairs).toHaveLength(1)
        continue
      }
      if (scan.ok) throw new Error(`${what} was not missed`)
      expect(scan.damage.segment, what).toBe(file + 1)
      expect(scan.damage.line, what).toBeGreaterThanOrEqual(i === 0 ? 1 : i + 1)
      const opened = await openSegments({ dir, contest: 'toy-1', key, blobs })
      expect(opened.ok, what).toBe(false)
      expect(readFileSync(join(dir, names[file]!), 'utf8')).toBe(lines.toSpliced(i, 1).join(''))
    }
  }
})

test('the last segment cut in or between any two lines is repaired, loses no confirmed group and can be gone on with', async () => {
  const text = Buffer.from(whole[2]!)
  const seals = linesOf(whole[2]!).flatMap((line, i, lines) =>
    line.includes('"k":"seal"') ? [Buffer.byteLength(lines.slice(0, i + 1).join(''))] : [],
  )
  expect(seals).toHaveLength(2)
  const ends = [...text.keys()].filter((at) => text[at] === 10)
  const cuts = new Set([0, 1, ...ends.flatMap((end) => [end - 71, end - 1, end, end + 1, end + 2])])
  for (const cut of cuts) {
    if (cut >= text.length) continue
    const dir = copyOf([whole[0]!, whole[1]!, text.subarray(0, cut)])
    const opened = await openSegments({ dir, contest: 'toy-1', key, blobs })
    if (!opened.ok) throw new Error(`cut at ${cut}: ${opened.damage.message}`)
    const groups = seals.filter((end) => end <= cut).length
    expect(opened.scan.finished.size, `cut at ${cut}`).toBe(8 + groups * 2)
    const kept = readFileSync(join(dir, names[2]))
    expect(kept.length === 0 || kept.at(-1) === 10).toBe(true)
    expect(kept.length).toBe(text.subarray(0, cut).lastIndexOf(10) + 1)
  }
})

test('any other segment cut after any line is located and left alone', async () => {
  for (const file of [0, 1]) {
    const lines = linesOf(whole[file]!)
    for (let i = 0; i < lines.length; i++) {
      const kept = lines.slice(0, i).join('')
      const dir = copyOf(whole.with(file, kept))
      const opened = await openSegments({ dir, contest: 'toy-1', key, blobs })
      if (opened.ok) throw new Error(`cut of segment ${file + 1} after line ${i} was not found`)
      expect(opened.damage).toMatchObject({ segment: file + 1, line: i + 1 })
      expect(readFileSync(join(dir, names[file]!), 'utf8')).toBe(kept)
    }
  }
})

test('a byte changed anywhere in a segment is located on its line', async () => {
  for (const file of [1, 2]) {
    const text = Buffer.from(whole[file]!)
    let line = 1
    for (let at = 0; at < text.length; at++) {
      // The very last newline is a torn end like any other: see the test before.
      if (at % 37 === 0 && !(file === 2 && at === text.length - 1)) {
        const changed = Buffer.from(text)
        changed[at]! ^= 1 + (at % 127)
        const dir = copyOf([...whole.slice(0, file), changed, ...whole.slice(file + 1)])
        const scan = await scanContest({ dir, contest: 'toy-1', key: key.publicKey })
        if (scan.ok)
          throw new Error(
            `byte ${at} of ${text.length} of segment ${file + 1} was not found: ${scan.repairs.join()} ${JSON.stringify(changed.subarray(at - 20).toString())}`,
          )
        expect(scan.damage, `byte ${at}`).toMatchObject({ segment: file + 1, line })
      }
      if (text[at] === 10) line++
    }
  }
})
