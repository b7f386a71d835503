import { expect, test } from 'vitest'
import { newNonce } from '../../../main/histories/nonce.ts'

test('256 bits each, and never the same twice', () => {
  const nonces = Array.from({ length: 1_000 }, newNonce)
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{64}$/)
  expect(new Set(nonces).size).toBe(1_000)
  // Every bit is as often 1 as 0, but for chance: 1,000 draws stay within six standard deviations.
  for (let at = 0; at < 64; at++) {
    const ones = nonces.reduce((sum, nonce) => sum + (parseInt(nonce.charAt(at), 16) & 1), 0)
    expect(Math.abs(ones - 500)).toBeLessThan(95)
  }
})
