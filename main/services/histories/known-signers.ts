import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readClass } from '../../administrator/classroom/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Signer, TrustedKey } from '../../contract/histories/trusted-keys.ts'
import { readPublicKey } from '../../histories/key-files.ts'
import { fingerprint, keyText, type PublicKey } from '../../histories/keys.ts'

/** The names of signers by their keys as text. */
export type KnownSigners = ReadonlyMap<string, string>

/** The class's own key, if it has one, and the keys of others that it trusts. */
export function knownSigners(own: PublicKey | null, trusted: readonly TrustedKey[]): KnownSigners {
  const others = trusted.map(({ key, name }) => [key, name] as const)
  return new Map(own === null ? others : [...others, [keyText(own), 'this class'] as const])
}

/**
 * The signers that the class in a data folder knows; empty if there is no class. Changes nothing. Throws ExpectedError.
 */
export async function knownSignersIn(data: string): Promise<KnownSigners> {
  const file = join(data, 'keys', 'class.pub')
  const own = existsSync(file) ? readPublicKey(file) : null
  if (own?.ok === false) throw new ExpectedError('usage', 'key-invalid', own.message)
  return knownSigners(own?.key ?? null, (await readClass(data)).settings.trustedKeys)
}

/** The signer with a key. */
export function signerOf(key: PublicKey, known: KnownSigners): Signer {
  const text = keyText(key)
  return { name: known.get(text) ?? null, key: text, fingerprint: fingerprint(key) }
}
