import { randomBytes } from 'node:crypto'

const BYTES = 32
/** So many at a time: asking the system for a few bytes takes as long as asking it for many. */
const AHEAD = 128

let drawn = Buffer.alloc(0)
let used = 0

/** 256 bits that nobody can guess, as 64 lower-case hexadecimal digits: what a commitment or a salt is made with. */
export function newNonce(): string {
  if (used === drawn.length) {
    drawn = randomBytes(BYTES * AHEAD)
    used = 0
  }
  const nonce = drawn.toString('hex', used, used + BYTES)
  // What has been given out is kept nowhere else.
  drawn.fill(0, used, used + BYTES)
  used += BYTES
  return nonce
}
