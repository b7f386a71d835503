import { randomBytes } from 'node:crypto'

/** Bytes of a new token: 128 bits, which nobody finds by trying. */
const BYTES = 16
/** Hex digits of a token. More than those of a new one are accepted. */
const [DIGITS_MIN, DIGITS_MAX] = [2 * BYTES, 128]
/** Different digits in a token. About forty in a billion random ones of 32 digits have fewer, and are not given out. */
const DIFFERENT_MIN = 8

/** A new token of 128 random bits, as 32 hex digits. */
export function newToken(): string {
  const token = randomBytes(BYTES).toString('hex')
  return isStrongToken(token) ? token : newToken()
}

/** True for a token that was made by a program: random hex digits, at least 128 bits. A word that somebody thought of can be found by trying. */
export function isStrongToken(token: string): boolean {
  const { length } = token
  return (
    length >= DIGITS_MIN && length <= DIGITS_MAX && /^[0-9a-f]+$/.test(token) && new Set(token).size >= DIFFERENT_MIN
  )
}
