import type { Framing } from '../../../contract/game/native-dialogue.ts'

const NUL = 0

/** Bytes of one message that are passed over before the connection counts as broken, relative to the bytes that it may have. */
const PASSED_OVER = 16

/**
 * Messages that end with NUL. One that is longer than `most` bytes is passed over and leaves its NUL alone, which stands for a
 * message that cannot be read; one without an end is invalid.
 */
export function nulFraming(most: number): Framing {
  let parts: Uint8Array[] = []
  let size = 0

  const take = (last: Uint8Array): Uint8Array => {
    size += last.length
    const whole = size > most ? Uint8Array.of(NUL) : joined([...parts, last])
    parts = []
    size = 0
    return whole
  }
  return {
    read(chunk) {
      const messages: Uint8Array[] = []
      let from = 0
      for (let at = chunk.indexOf(NUL); at !== -1; at = chunk.indexOf(NUL, from)) {
        messages.push(take(chunk.subarray(from, at + 1)))
        from = at + 1
      }
      const rest = chunk.subarray(from)
      size += rest.length
      if (size > PASSED_OVER * most) return `A message has no end within ${PASSED_OVER * most} bytes.`
      // A copy, because a chunk may be used again by its reader.
      if (size > most) parts = []
      else if (rest.length > 0) parts.push(rest.slice())
      return messages
    },
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  if (parts.length === 1) return only!.slice()
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
