import { hash } from 'node:crypto'

/**
 * Whether SHA-256 of `nonce:id` has so many bits zero: whole bytes from the first on, and of the next one the low bits, as
 * the original counted them. `nonce`: a decimal number as text; the client looks for the smallest one, any will do.
 */
export function isProof(nonce: string, id: string, bits: number): boolean {
  if (!/^(?:0|[1-9]\d{0,19})$/.test(nonce)) return false
  const digest = hash('sha256', `${nonce}:${id}`, 'buffer')
  const whole = bits >>> 3
  const rest = (1 << (bits & 7)) - 1
  return digest.subarray(0, whole).every((byte) => byte === 0) && (digest[whole]! & rest) === 0
}
