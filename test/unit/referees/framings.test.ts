import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Framing } from '../../../main/contract/game/native-dialogue.ts'
import { endedBy, lengthPrefixed } from '../../../main/referees/framings.ts'
import { framedText, readFramed } from '../../../main/referees/punter/frames.ts'
import { anyText } from '../../any-text.ts'

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** All messages of a stream that comes in pieces. */
function cut(framing: Framing, stream: Uint8Array, pieces: readonly number[]): readonly string[] | string {
  const messages: string[] = []
  let from = 0
  for (const piece of [...pieces, stream.length]) {
    const buffer = Uint8Array.from(stream.subarray(from, from + piece))
    const read = framing.read(buffer)
    // Whoever has read a chunk uses it again.
    buffer.fill(7)
    if (typeof read === 'string') return read
    messages.push(...read.map(text))
    from += piece
  }
  return messages
}

test('messages are whole, in whatever pieces they come', () => {
  const bodies = fc.array(anyText().map((body) => body.replaceAll('\0', '').toWellFormed()))
  fc.assert(
    fc.property(bodies, fc.array(fc.nat({ max: 5 })), (said, pieces) => {
      const ended = said.map((body) => `${body}\0`)
      const long = said.map((body) => `${Buffer.byteLength(body)}:${body}`)
      expect(cut(endedBy(0, 10_000), Buffer.from(ended.join('')), pieces)).toEqual(ended)
      // Between two messages there may be white space.
      expect(cut(lengthPrefixed(10_000), Buffer.from(long.join('\n ')), pieces)).toEqual(long)
    }),
  )
})

test.each([
  ['12x:', 'A message does not begin with its length in bytes and a colon, but with "12x:".'],
  [':{}', 'A message does not begin with its length in bytes and a colon, but with ":{}".'],
  ['-1:', 'A message does not begin with its length in bytes and a colon, but with "-1:".'],
  ['1234567890:', 'A message does not begin with its length in bytes and a colon, but with "1234567890:".'],
  [
    'debug: \u0000 and much more text',
    'A message does not begin with its length in bytes and a colon, but with "debug: \\u0000 and much mo".',
  ],
  ['999999999:', 'A message has more than 20 bytes.'],
  ['18:', 'A message has more than 20 bytes.'],
])('a length that is invalid or too large: %s', (said, words) => {
  expect(cut(lengthPrefixed(20), Buffer.from(said), [])).toBe(words)
  // In pieces less of it may be known.
  expect(cut(lengthPrefixed(20), Buffer.from(said), [1, 1])).toContain(words.slice(0, 20))
})

test('a message without an end is too long as soon as it is', () => {
  expect(cut(endedBy(0, 20), Buffer.alloc(20, 'x'), [5])).toEqual([])
  expect(cut(endedBy(0, 20), Buffer.alloc(21, 'x'), [5])).toBe('A message has more than 20 bytes.')
  expect(cut(endedBy(0, 20), Buffer.from(`${'x'.repeat(20)}\0`), [5])).toBe('A message has more than 20 bytes.')
  expect(cut(endedBy(0, 20), Buffer.from(`${'x'.repeat(19)}\0`), [5])).toHaveLength(1)
  expect(cut(lengthPrefixed(20), Buffer.from(`17:${'x'.repeat(17)}`), [5])).toHaveLength(1)
})

test('messages that come with an invalid one are read first, and then nothing more', () => {
  const framing = lengthPrefixed(20)
  // The length is one too small.
  const read = framing.read(Buffer.from('4:hello'))
  expect(typeof read === 'string' ? read : read.map(text)).toEqual(['4:hell'])
  expect(framing.read(Buffer.from('2:{}'))).toContain('but with "o"')
})

test('the length before a text is in bytes, and the text is read back', () => {
  fc.assert(
    fc.property(anyText(), (said) => {
      const json = JSON.stringify(said)
      const bytes = framedText(json)
      expect(text(bytes)).toBe(`${Buffer.byteLength(json)}:${json}`)
      expect(readFramed(bytes)).toEqual({ value: said })
    }),
  )
  // An unreadable message leaves nothing behind for the next one.
  expect(readFramed(Uint8Array.of(50, 58, 0xc3))).toBe('A message is not UTF-8.')
  expect(readFramed(framedText('"é"'))).toEqual({ value: 'é' })
})
