import { randomBytes } from 'node:crypto'

const BYTES = 32
/** The number of nonces drawn at a time, because a system call takes as long for a few bytes as for many. */
const AHEAD = 128

let drawn = Buffer.alloc(0)
let used = 0

/** 256 cryptographically random bits for commitments and salts, as 64 lower-case hex digits. */
export function newNonce(): string {
  if (used === drawn.length) {
    drawn = randomBytes(BYTES * AHEAD)
    used = 0
  }
  const nonce = drawn.toString('hex', used, used + BYTES)
  // Used bytes are erased, so that no copy of the nonce remains here.
  drawn.fill(0, used, used + BYTES)
  used += BYTES
  return nonce
}
