import type { Framing } from '../contract/game/native-dialogue.ts'

/** Messages that end with one byte: a newline, or NUL. */
export function endedBy(end: number, most: number): Framing {
  const parts = createParts()
  return {
    read(chunk) {
      const messages: Uint8Array[] = []
      let from = 0
      for (let at = chunk.indexOf(end); at !== -1; at = chunk.indexOf(end, from)) {
        if (parts.size + at + 1 - from > most) return tooLong(most)
        messages.push(parts.take(chunk.subarray(from, at + 1)))
        from = at + 1
      }
      parts.keep(chunk.subarray(from))
      return parts.size > most ? tooLong(most) : messages
    },
  }
}

/**
 * Messages that begin with their length in bytes and a colon, in decimal: `11:{"ready":0}`. White space before it is passed over.
 * Messages before an invalid one are returned first: a wrong length shows in them, and only then in what follows.
 */
export function lengthPrefixed(most: number): Framing {
  const parts = createParts()
  let invalid: string | null = null
  /** Bytes that the message still lacks; null: its length is not known yet. */
  let lacks: number | null = null
  let digits = ''
  return {
    read(chunk) {
      const messages: Uint8Array[] = []
      let at = 0
      const broken = (text: string): readonly Uint8Array[] | string => {
        invalid = text
        return messages.length > 0 ? messages : text
      }
      if (invalid !== null) return invalid
      while (at < chunk.length) {
        if (lacks === null && digits === '') {
          const end = endOfWhole(chunk, at, most)
          if (end !== null) {
            messages.push(copyOf(chunk.subarray(at, end)))
            at = end
            continue
          }
        }
        if (lacks === null) {
          const byte = chunk[at]!
          at += 1
          if (digits === '' && (byte === 32 || (byte >= 9 && byte <= 13))) continue
          if (byte === COLON && digits !== '') {
            lacks = Number(digits)
            if (digits.length + 1 + lacks > most) return broken(tooLong(most))
            parts.keep(new TextEncoder().encode(`${digits}:`))
          } else if (byte >= ZERO && byte <= ZERO + 9 && digits.length < DIGITS) digits += String(byte - ZERO)
          else return broken(noLength(digits, chunk.subarray(at - 1)))
        }
        if (lacks === null) continue
        const some = chunk.subarray(at, at + lacks)
        at += some.length
        lacks -= some.length
        if (lacks > 0) parts.keep(some)
        else {
          messages.push(parts.take(some))
          lacks = null
          digits = ''
        }
      }
      return messages
    },
  }
}

const COLON = 58
const ZERO = 48

/** The end of the message that begins at `at`, if all of it is in the chunk and it is not too long; null: it is for the slow way to say. */
function endOfWhole(chunk: Uint8Array, at: number, most: number): number | null {
  let length = 0
  let colon = at
  for (; colon < chunk.length && colon - at <= DIGITS && chunk[colon] !== COLON; colon++) {
    const digit = chunk[colon]! - ZERO
    if (digit < 0 || digit > 9) return null
    length = length * 10 + digit
  }
  const end = colon + 1 + length
  return colon === at || colon - at > DIGITS || end > chunk.length || end - at > most ? null : end
}

/** Digits of a length. */
const DIGITS = 9

/** Characters of an invalid message that are quoted. */
const QUOTED = 20

function noLength(digits: string, rest: Uint8Array): string {
  const found = `${digits}${new TextDecoder().decode(rest.subarray(0, QUOTED))}`.slice(0, QUOTED)
  return `A message does not begin with its length in bytes and a colon, but with ${JSON.stringify(found)}.`
}

/** The sentence about a message that is longer than `most` bytes. */
export const tooLong = (most: number): string => `A message has more than ${most} bytes.`

/** The received part of a message that is not whole; copied, because a chunk may be used again by its reader. */
function createParts() {
  let buffer = new Uint8Array(0)
  let size = 0
  return {
    get size() {
      return size
    },
    keep(bytes: Uint8Array): void {
      if (size + bytes.length > buffer.length) {
        const larger = new Uint8Array(Math.max(2 * buffer.length, size + bytes.length))
        larger.set(buffer.subarray(0, size))
        buffer = larger
      }
      buffer.set(bytes, size)
      size += bytes.length
    },
    /** The whole message, of which `last` is the last piece. */
    take(last: Uint8Array): Uint8Array {
      if (size === 0) return copyOf(last)
      const whole = new Uint8Array(size + last.length)
      whole.set(buffer.subarray(0, size))
      whole.set(last, size)
      buffer = new Uint8Array(0)
      size = 0
      return whole
    },
  }
}

/** A copy of exactly these bytes. The `slice` of a Node buffer does not copy. */
function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes.length)
  copy.set(bytes)
  return copy
}
