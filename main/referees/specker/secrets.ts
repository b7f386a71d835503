import serialize from 'canonicalize'
import { compare, fraction, fromText, toText, type Fraction } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../contract/json.ts'
import type { Secret } from './messages.ts'
import { sha256 } from '../sha256.ts'

const HASH = /^[0-9a-f]{64}$/

/**
 * The commitment that a seller publishes instead of a secret solution: the SHA-256 of the canonical JSON text (RFC
 * 8785) of `[solution, nonce]` in UTF-8. `nonce`: 256 bits as 64 lower-case hex digits, so that nobody can guess the
 * solution by trying.
 */
export function commitmentOf(solution: Json, nonce: string): string {
  return sha256(serialize([solution, nonce])!)
}

/** The quality that a seller claims for its secret solution, 0 to 1; null: not valid. */
export function secretQuality({ quality }: Secret): Fraction | null {
  const read = fromText(quality)
  return read !== null && compare(read, fraction(0)) >= 0 && compare(read, fraction(1)) <= 0 ? read : null
}

/** The problem of a secret on delivery; null: none that is visible yet. */
export function wrongSecret(secret: Secret): string | null {
  if (secretQuality(secret) === null)
    return `its quality must be a fraction "p/q" from 0 to 1, not "${secret.quality}".`
  return HASH.test(secret.commitment) ? null : 'its commitment must be a SHA-256 of 64 lower-case hex digits.'
}

/** The problem of a revealed solution and nonce; null: they match the commitment. */
export function wrongOpening({ commitment }: Secret, solution: Json, nonce: string): string | null {
  if (!HASH.test(nonce)) return 'the nonce must be 256 bits in 64 lower-case hex digits.'
  const found = commitmentOf(solution, nonce)
  return found === commitment ? null : `solution and nonce have the SHA-256 ${found}, not ${commitment}.`
}

/** Why a revealed solution of this quality is worse than its seller claimed; null: it is not. */
export function belowPromise(secret: Secret, quality: Fraction): string | null {
  const promised = secretQuality(secret)!
  if (compare(quality, promised) >= 0) return null
  return `the secret solution has quality ${toText(quality)}, not the ${toText(promised)} that was promised.`
}
