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
 * memory, and gives other work its turn between them. `visit` gets a batch and its offset and is awaited; it stops the reading by returning false. `more` is for a
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
    let end = from
    let turned = performance.now()
    let carry: Buffer[] = []
    let carried = 0
    for (;;) {
      const wanted = Math.min(chunkBytes, to - end - carried)
      const chunk = Buffer.allocUnsafe(wanted)
      const { bytesRead } = await file.read(chunk, 0, wanted, end + carried)
      if (bytesRead === 0) {
        if (wanted > 0 && (await more(end + carried))) continue
        return { end, tail: carried, tooLong: false }
      }
      const newline = chunk.subarray(0, bytesRead).lastIndexOf(10)
      carry.push(chunk.subarray(0, newline === -1 ? bytesRead : newline + 1))
      if (newline === -1) {
        carried += bytesRead
      } else {
        const batch = carry.length === 1 ? carry[0]! : Buffer.concat(carry)
        carry = newline + 1 === bytesRead ? [] : [chunk.subarray(newline + 1, bytesRead)]
        carried = bytesRead - newline - 1
        for (let at = 0; at < batch.length;) {
          const piece = batch.subarray(at, pieceEnd(batch, at))
          at += piece.length
          const goOn = await visit(piece, end)
          end += piece.length
          if (goOn === false) return { end, tail: carried, tooLong: false }
          if (performance.now() - turned < turnMs) continue
          await nextTurn()
          turned = performance.now()
        }
      }
      if (carried > longestLine) return { end, tail: carried, tooLong: true }
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
