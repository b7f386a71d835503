import { expect, test } from 'vitest'
import { longestLine } from '../../../main/contract/histories/history.ts'
import { canonicalText, sha256 } from '../../../main/histories/canonical.ts'
import { chainLine, linkHash } from '../../../main/histories/chain.ts'
import { readHistoryLine } from '../../../main/histories/read-line.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { games } from '../../unit/histories/toy.ts'

/** A blob line whose hashes all fit. */
function blob(valueText: string): string {
  const body = `{"k":"blob","sha256":"${sha256(valueText)}","value":${valueText}}`
  return chainLine(body, linkHash('', '-', sha256(body)))
}

const deep = '['.repeat(100_000) + ']'.repeat(100_000)

test.each<[string, string | Uint8Array]>([
  ['nothing', ''],
  ['a newline', '\n'],
  ['NULs', new Uint8Array(100_000)],
  ['bytes that are not UTF-8', Uint8Array.of(0xff, 0xfe, 0x0a)],
  ['a byte order mark', `\ufeff${blob('1')}`],
  ['CRLF', blob('1').replace('\n', '\r\n')],
  ['white space', blob('1').replace('{"b":', '{ "b":')],
  ['deep nesting', blob(deep)],
  ['open brackets only', `{"b":${'['.repeat(1_000_000)}\n`],
  ['a duplicate key', blob('{"a":1,"a":1}')],
  ['unsorted keys', blob('{"b":1,"a":1}')],
  ['a number in another spelling', blob('1.0')],
  ['an escape that need not be', blob('"\\u0061"')],
  ['half a character', blob('"\\ud800"')],
  ['a number beyond all range', blob('1e999')],
  ['a null body', `{"b":null,"h":"${'0'.repeat(64)}"}\n`],
  ['a __proto__ in the record', chainLine('{"__proto__":{"k":"blob"}}', sha256('x'))],
  ['an upper-case hash', blob('1').toUpperCase()],
])('%s: a verdict on line 1, not an exception', (_what, content) => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  expect(verifyMatch(bytes, { games })).toMatchObject({ ok: false, line: 1 })
})

test('a __proto__ in a value is data like any other', () => {
  const text = blob('{"__proto__":{"polluted":true}}')
  expect(readHistoryLine(Buffer.from(text.slice(0, -1))).ok).toBe(true)
  expect('polluted' in {}).toBe(false)
})

test('a line beyond the longest is refused without being parsed', () => {
  const bytes = Buffer.alloc(longestLine + 2, 0x5b)
  expect(verifyMatch(bytes)).toMatchObject({ ok: false, line: 1 })
  bytes[bytes.length - 1] = 10
  const message = `the line is longer than ${longestLine} bytes`
  expect(verifyMatch(bytes)).toEqual({ ok: false, line: 1, message, events: 0, text: '['.repeat(4_000) })
})

test('a million short lines of nonsense end at the first', () => {
  const line = blob(canonicalText({ a: 1 }))
  expect(verifyMatch(Buffer.from(line.repeat(100_000)))).toMatchObject({ ok: false, line: 2 })
})
