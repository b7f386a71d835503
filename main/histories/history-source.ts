import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { longestLine } from '../contract/histories/history.ts'

/** The bytes of an exported match. It may be read more than once, each time from the beginning. */
export interface HistorySource {
  readonly bytes: number
  /** All bytes, in pieces of any size; a yielded piece is not reused. May throw the system's error. */
  pieces(): Iterable<Uint8Array>
}

/** A line without its newline. `whole`: whether the newline was there. */
export interface SourceLine {
  readonly bytes: Uint8Array
  readonly whole: boolean
}

const pieceBytes = 1024 * 1024

export function bytesSource(bytes: Uint8Array): HistorySource {
  return { bytes: bytes.length, pieces: () => [bytes] }
}

/**
 * A file, or its bytes from `from` to before `to`, read in bounded memory and synchronously, so only for processes
 * without other work. Reading throws the system's error, and an error if a later reading gives different bytes.
 */
export function fileSource(path: string, from = 0, to = Infinity): HistorySource {
  const end = Math.min(to, statSync(path).size)
  let first: string | null = null
  return {
    bytes: Math.max(0, end - from),
    *pieces() {
      const file = openSync(path, 'r')
      try {
        const hash = createHash('sha256')
        for (let at = from; at < end;) {
          const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - at))
          const read = readSync(file, piece, 0, piece.length, at)
          if (read === 0) break
          at += read
          hash.update(piece.subarray(0, read))
          yield piece.subarray(0, read)
        }
        const now = hash.digest('hex')
        first ??= now
        if (now !== first) throw new Error(`${path} has been changed while it was read`)
      } finally {
        closeSync(file)
      }
    },
  }
}

/** The lines of a source. A line longer than `longestLine` is returned as far as it was read, as the last one. */
export function* sourceLines(source: HistorySource): Generator<SourceLine> {
  let carry: Uint8Array[] = []
  let carried = 0
  for (const piece of source.pieces()) {
    for (let start = 0; start < piece.length;) {
      const newline = piece.indexOf(10, start)
      const part = piece.subarray(start, newline === -1 ? piece.length : newline)
      start += part.length + 1
      if (newline === -1) {
        carry.push(part)
        carried += part.length
        if (carried <= longestLine) continue
        yield { bytes: Buffer.concat(carry), whole: false }
        return
      }
      yield { bytes: carried === 0 ? part : Buffer.concat([...carry, part]), whole: true }
      carry = []
      carried = 0
    }
  }
  if (carried > 0) yield { bytes: Buffer.concat(carry), whole: false }
}
