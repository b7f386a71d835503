import * as z from 'zod'
import { plainName, type Sha256 } from '../ids.ts'
import { nameKey } from '../names.ts'

/** A class's public key as text: one line, `tartaglia-ed25519:` and 64 hex digits. */
export const publicKeyText = z
  .string()
  .regex(/^tartaglia-ed25519:[0-9a-f]{64}$/, 'expected a public key: tartaglia-ed25519: and 64 hex digits')

/** The public key of another class or school, with a name chosen by the educator. */
export const trustedKey = z.strictObject({
  name: z.string().check(plainName),
  key: publicKeyText,
})
export type TrustedKey = z.infer<typeof trustedKey>

/** A list in which each key and each name occurs only once, so that a name identifies a key. */
export const trustedKeys = z
  .array(trustedKey)
  .max(1_000)
  .refine((keys) => new Set(keys.map(({ key }) => key)).size === keys.length, 'a key can have only one name')
  .refine((keys) => new Set(keys.map(({ name }) => nameKey(name))).size === keys.length, 'a name can have only one key')

/** The signer of a history. */
export interface Signer {
  /** The signer's name in this class; null: the key is unknown. */
  readonly name: string | null
  /** In the form of `publicKeyText`. */
  readonly key: string
  /** SHA-256 of the key's 32 bytes. */
  readonly fingerprint: Sha256
}
