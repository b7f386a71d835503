import { hash } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { sha256 } from '../../../main/referees/sha256.ts'

test('the examples of FIPS 180-4', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(sha256('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe(
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  )
})

test('is that of node:crypto, also at the edges of blocks and for a long text', () => {
  const same = (text: string): void => void expect(sha256(text)).toBe(hash('sha256', text, 'hex'))
  for (let length = 0; length < 200; length++) same('x'.repeat(length))
  same('é𝄞a'.repeat(5_000))
  fc.assert(
    fc.property(fc.array(fc.nat(0x10ffff), { maxLength: 80 }), (codes) => same(String.fromCodePoint(...codes))),
    { numRuns: 100 },
  )
})

afterEach(() => vi.unstubAllGlobals())

test('wants nothing that an agent’s realm has not: agents commit to their secrets with it', () => {
  for (const name of ['TextEncoder', 'TextDecoder', 'crypto', 'Buffer', 'process']) vi.stubGlobal(name, undefined)
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
