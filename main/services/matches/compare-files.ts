import { open } from 'node:fs/promises'
import type { FileDifference } from '../../contract/histories/history-procedures.ts'
import type { OpenedFile } from './opened-files.ts'

const CHUNK = 1024 * 1024
/** Characters of a line that are shown. */
const SHOWN_MAX = 2_000
/** A line is looked for at most this far before the place where it differs; bytes. */
const BEFORE_MAX = 64 * 1024

type ComparedFile = Pick<OpenedFile, 'path' | 'whole' | 'same'>

/**
 * Finds the first line in which two files differ, in pieces. A long line is shown from shortly before its difference.
 * Rejects with ExpectedError if a file that is read in place has changed.
 */
export async function compareFiles(first: ComparedFile, second: ComparedFile): Promise<FileDifference> {
  await Promise.all([first.whole, second.whole])
  const files = await Promise.all([open(first.path, 'r'), open(second.path, 'r')])
  try {
    const [a, b] = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)]
    let line = 1
    for (let at = 0; ; at += CHUNK) {
      const [{ bytesRead: left }, { bytesRead: right }] = await Promise.all([
        files[0].read(a, 0, CHUNK, at),
        files[1].read(b, 0, CHUNK, at),
      ])
      const common = Math.min(left, right)
      const place = firstDifference(a, b, common)
      line += countLines(a.subarray(0, place))
      if (place < common || left !== right) {
        const texts = await Promise.all(files.map((file) => lineAround(file, at + place)))
        return { same: false, line, first: texts[0] ?? '', second: texts[1] ?? '' }
      }
      if (left < CHUNK) return { same: true }
    }
  } finally {
    await Promise.all(files.map((file) => file.close()))
    await first.same()
    await second.same()
  }
}

function firstDifference(a: Buffer, b: Buffer, length: number): number {
  if (a.compare(b, 0, length, 0, length) === 0) return length
  let at = 0
  while (a[at] === b[at]) at++
  return at
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}

/** The line of a file at a byte; '' at its end. */
async function lineAround(file: Awaited<ReturnType<typeof open>>, place: number): Promise<string> {
  const from = Math.max(0, place - BEFORE_MAX)
  const bytes = Buffer.alloc(place - from + SHOWN_MAX * 4)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
  if (bytesRead <= place - from && (bytesRead === 0 || bytes[bytesRead - 1] === 10)) return ''
  // An offset of -1 would mean the end.
  const start = place === from ? 0 : bytes.lastIndexOf(10, place - from - 1) + 1
  const shown = place - from - start > SHOWN_MAX / 2 ? place - from - SHOWN_MAX / 2 : start
  const end = bytes.indexOf(10, place - from)
  return bytes
    .subarray(shown, end === -1 ? bytesRead : end)
    .toString('utf8')
    .slice(0, SHOWN_MAX)
}
