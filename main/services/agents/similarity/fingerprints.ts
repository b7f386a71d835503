import { setImmediate as turn } from 'node:timers/promises'
import { codeTokens, type CommentStyle } from './code-tokens.ts'

/** The number of tokens that a fingerprint covers: what is shorter is too common to tell anything. */
const GRAM = 12
/** The number of successive fingerprints of which one is kept. Equal passages of GRAM + WINDOW - 1 tokens are found. */
const WINDOW = 4
/** The number of tokens after which other work gets its turn. */
const TOKENS_AT_ONCE = 100_000

const BASE = 0x01000193
/** BASE to the power of GRAM - 1: the weight of the oldest token. */
const OLDEST = Array.from({ length: GRAM - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1)

/**
 * The fingerprints of a script by winnowing: of each window of successive hashes over its tokens, the smallest one, the
 * last of equal ones. Equal passages give equal fingerprints, wherever they are.
 */
export async function fingerprintsOf(code: string, comments: CommentStyle = 'slashes'): Promise<Set<number>> {
  const found = new Set<number>()
  const grams = new Int32Array(GRAM)
  const window = new Uint32Array(WINDOW)
  let hash = 0
  let count = 0
  for (const token of codeTokens(code, comments)) {
    const place = count % GRAM
    hash = (Math.imul(hash - Math.imul(grams[place]!, OLDEST), BASE) + token) | 0
    grams[place] = token
    count++
    const hashes = count - GRAM
    if (hashes >= 0) {
      window[hashes % WINDOW] = mixed(hash)
      if (hashes >= WINDOW - 1) found.add(smallest(window))
    }
    if (count % TOKENS_AT_ONCE === 0) await turn()
  }
  return found
}

function smallest(window: Uint32Array): number {
  let least = window[0]!
  for (const hash of window) if (hash < least) least = hash
  return least
}

/** Spreads a hash over all 32 bits, so that the smallest ones do not come from the smallest tokens. */
function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}
