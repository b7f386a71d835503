import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isProof } from '../../../main/arenas/haggle/lobby.ts'

/** Smallest nonces, found by another program from the facts' text. If the low bits end a byte, they are not the high ones. */
test.each([
  ['a', 1, 2],
  ['a', 4, 15],
  ['a', 8, 325],
  ['a', 11, 4458],
  ['a', 12, 4458],
  ['a', 16, 58403],
  ['a', 20, 1997914],
  ['student@example.org:1234abcd', 4, 1],
  ['student@example.org:1234abcd', 8, 159],
  ['student@example.org:1234abcd', 16, 36217],
  ['student@example.org:1234abcd', 20, 297387],
  ['été', 4, 24],
  ['été', 11, 5710],
  ['été', 20, 400092],
])('of %s, %i bits: the smallest nonce is %i', (id, bits, nonce) => {
  expect(isProof(String(nonce), id, bits)).toBe(true)
  for (let smaller = Math.max(0, nonce - 5_000); smaller < nonce; smaller++) {
    expect(isProof(String(smaller), id, bits)).toBe(false)
  }
})

test('the bits left over are the low ones of the next byte', () => {
  // 15: 90..., 30: 0...; who counts high bits takes the second and not the first.
  expect(hash('sha256', '15:a').slice(0, 2)).toBe('90')
  expect(isProof('15', 'a', 4)).toBe(true)
  expect(hash('sha256', '30:a').startsWith('0')).toBe(true)
  expect(isProof('30', 'a', 4)).toBe(false)
})

test('a proof of more bits is one of fewer', () => {
  for (let bits = 0; bits <= 20; bits++) expect(isProof('297387', 'student@example.org:1234abcd', bits)).toBe(true)
  expect(isProof('297387', 'student@example.org:1234abcd', 32)).toBe(false)
})

test.each(['', ' 2', '2 ', '+2', '02', '2.0', '0x2', '-0', '1e1', '99999999999999999999999', '2\n'])(
  'a nonce is a decimal number: not "%s"',
  (nonce) => {
    expect(isProof(nonce, 'a', 0)).toBe(false)
  },
)
