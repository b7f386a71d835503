import { open } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { longestLine } from '../contract/histories/history.ts'

/** The place where reading ended. `end`: the offset after the last newline that was read. */
export interface LinesRead {
  readonly end: number
  /** Bytes after `end` without a closing newline. */
  readonly tail: number
  /** The line that begins at `end` is longer than `longestLine`; reading stopped there. */
  readonly tooLong: boolean
}

const chunkBytes = 1024 * 1024
/** Bytes of whole lines that are visited at once; short lines take some ms. */
const pieceBytes = 32 * 1024
/** The time in ms after which other work of this process gets its turn. */
const turnMs = 5

/**
 * Reads a file's whole lines in batches of about 32 KiB, from offset `from` to `to` (default: its end), in bounded
 * memory, and gives other work its turn between them. `visit` gets a batch and its offset and is awaited; it stops the
 * reading by returning false. It must keep no part of the batch: the next one is read into the same memory. `more` is for a
 * file that is still being written: called with the offset if the file ends before `to`; true: try again. Rejects with
 * the system's error, and like `visit` and `more`.
 */
export async function readWholeLines(
  path: string,
  visit: (lines: Buffer, offset: number) => boolean | undefined | Promise<boolean | undefined>,
  from = 0,
  to = Infinity,
  more: (have: number) => Promise<boolean> = () => Promise.resolve(false),
): Promise<LinesRead> {
  const file = await open(path, 'r')
  try {
    // One for the whole file: the memory of many that were dropped stays with the process.
    let buffer = Buffer.allocUnsafeSlow(Math.min(chunkBytes, to - from))
    let end = from
    let turned = performance.now()
    /** Bytes at the beginning of the buffer, of a line whose end has not been read. */
    let tail = 0
    for (;;) {
      const left = to - end - tail
      if (tail === buffer.length && left > 0) buffer = Buffer.concat([buffer], 2 * tail)
      const wanted = Math.min(buffer.length - tail, left)
      const { bytesRead } = await file.read(buffer, tail, wanted, end + tail)
      if (bytesRead === 0) {
        if (wanted > 0 && (await more(end + tail))) continue
        return { end, tail, tooLong: false }
      }
      const have = tail + bytesRead
      const newline = buffer.subarray(tail, have).lastIndexOf(10)
      const batch = buffer.subarray(0, newline === -1 ? 0 : tail + newline + 1)
      tail = have - batch.length
      for (let at = 0; at < batch.length;) {
        const piece = batch.subarray(at, pieceEnd(batch, at))
        at += piece.length
        const goOn = await visit(piece, end)
        end += piece.length
        if (goOn === false) return { end, tail, tooLong: false }
        if (performance.now() - turned < turnMs) continue
        await nextTurn()
        turned = performance.now()
      }
      buffer.copyWithin(0, batch.length, have)
      if (tail > longestLine) return { end, tail, tooLong: true }
    }
  } finally {
    await file.close()
  }
}

/** The end of the whole lines that begin at an offset and fit into a piece; one longer line is a piece. */
function pieceEnd(batch: Buffer, from: number): number {
  const most = from + pieceBytes
  if (batch.length <= most) return batch.length
  const last = batch.lastIndexOf(10, most - 1)
  return (last >= from ? last : batch.indexOf(10, most)) + 1
}

/**
 * Calls `visit` with each line of a batch, without its newline, and its offset in the batch; stops if it returns false.
 */
export function eachLine(batch: Buffer, visit: (line: Buffer, start: number) => boolean | undefined): boolean {
  for (let start = 0; start < batch.length;) {
    const newline = batch.indexOf(10, start)
    const end = newline === -1 ? batch.length : newline
    if (visit(batch.subarray(start, end), start) === false) return false
    start = end + 1
  }
  return true
}
