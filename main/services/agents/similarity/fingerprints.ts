import { setImmediate as turn } from 'node:timers/promises'
import { codeTokens, type CommentStyle } from './code-tokens.ts'

/** The number of tokens that a fingerprint covers: what is shorter is too common to tell anything. */
export const GRAM = 12
/** The number of successive fingerprints of which one is kept. Equal passages of GRAM + WINDOW - 1 tokens are found. */
export const WINDOW = 4
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
    hash = rolled(hash, grams[place]!, token)
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

/** The hash of the last `GRAM` tokens after one more. `oldest`: the token that leaves. */
function rolled(hash: number, oldest: number, token: number): number {
  return (Math.imul(hash - Math.imul(oldest, OLDEST), BASE) + token) | 0
}

/** The hash of each passage of `GRAM` tokens, by its first one: those of which `fingerprintsOf` keeps some. */
export function gramPrints(tokens: readonly number[]): Uint32Array {
  const prints = new Uint32Array(Math.max(0, tokens.length - GRAM + 1))
  let hash = 0
  for (const [at, token] of tokens.entries()) {
    hash = rolled(hash, tokens[at - GRAM] ?? 0, token)
    if (at >= GRAM - 1) prints[at - GRAM + 1] = mixed(hash)
  }
  return prints
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
