import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { longestLine, type OutcomeBody } from '../contract/histories/history.ts'
import type { FinishedRow } from './segments/finished-pages.ts'
import { readHistoryLine } from './read-line.ts'
import { segmentName } from './segments/seal-texts.ts'
import { MachineError, machineErrorFrom } from './machine-error.ts'

/** The number of bytes read first from the end of a match: most outcome lines are shorter. */
const usualBytes = 4_096
/** The number of bytes read at a time when reading heads, because the next ones follow in the file. */
const windowBytes = 64 * 1024
/** The end of every line: `"h":"`, 64 digits, `"}` and the newline. */
const headEnd = /"h":"([0-9a-f]{64})"\}\n$/
const headBytes = 5 + 64 + 3

/** Reads the outcome of a finished match from its last line. `dir`: the contest's folder. Rejects with MachineError. */
export async function endingInHistory(dir: string, { run, to }: Pick<FinishedRow, 'run' | 'to'>): Promise<OutcomeBody> {
  const path = join(dir, segmentName(to.segment))
  try {
    const file = await open(path, 'r')
    try {
      for (let bytes = usualBytes; ; bytes *= 8) {
        const end = await readAt(file, Math.max(0, to.byte - bytes), to.byte)
        const start = end.lastIndexOf(10, -2) + 1
        if (start === 0 && bytes < to.byte && bytes <= longestLine) continue
        const read = readHistoryLine(end.subarray(start, -1))
        if (read.ok && read.body.k === 'outcome' && read.body.r === run) return read.body
        throw changed(path)
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw machineErrorFrom(error, 'read the history segment', path)
  }
}

/**
 * Reads the heads of matches, 32 bytes each, from their last lines. The caller must check that they are unchanged.
 * Rejects with MachineError.
 */
export async function readHeads(dir: string, rows: readonly FinishedRow[]): Promise<Buffer> {
  const heads: Buffer[] = []
  let segment = 0
  let file: FileHandle | null = null
  let window: { readonly from: number; readonly bytes: Buffer } = { from: 0, bytes: Buffer.alloc(0) }
  try {
    for (const { to } of rows) {
      const path = join(dir, segmentName(to.segment))
      try {
        if (file === null || segment !== to.segment) {
          await file?.close()
          file = null
          file = await open(path, 'r')
          segment = to.segment
          window = { from: 0, bytes: Buffer.alloc(0) }
        }
        const from = to.byte - headBytes
        if (from < window.from || to.byte > window.from + window.bytes.length) {
          window = { from, bytes: await readAt(file, from, from + windowBytes) }
        }
        const end = window.bytes.toString('latin1', from - window.from, to.byte - window.from)
        const head = headEnd.exec(end)?.[1]
        if (head === undefined) throw changed(path)
        heads.push(Buffer.from(head, 'hex'))
      } catch (error) {
        throw machineErrorFrom(error, 'read the history segment', path)
      }
    }
  } finally {
    await file?.close()
  }
  return Buffer.concat(heads)
}

/** The error for a segment that has changed since the scan. */
export function changed(path: string): MachineError {
  return new MachineError(`${path} has been changed since it was read; scan it again.`, path, 'file-changed')
}

/** The bytes from `from` to before `to`, or to the end of the file. */
async function readAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(to - from)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
  return bytes.subarray(0, bytesRead)
}
