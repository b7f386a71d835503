import { z } from 'zod'
import type { Sha256 } from './ids.ts'
import { nameKey, whyNoName } from './names.ts'

/** A class's public key, as it is given to people: one line, `tartaglia-ed25519:` and 64 hex digits. */
export const publicKeyText = z
  .string()
  .regex(/^tartaglia-ed25519:[0-9a-f]{64}$/, 'expected a public key: tartaglia-ed25519: and 64 hex digits')

/** The public key of another class or school, under the name that the educator gave it. */
export const trustedKey = z.strictObject({
  name: z.string().superRefine((name, context) => {
    const problem = whyNoName(name)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  }),
  key: publicKeyText,
})
export type TrustedKey = z.infer<typeof trustedKey>

/** Keys and names are each there once, so that a name says whose key it is. */
export const trustedKeys = z
  .array(trustedKey)
  .max(1_000)
  .refine((keys) => new Set(keys.map(({ key }) => key)).size === keys.length, 'a key has one name')
  .refine((keys) => new Set(keys.map(({ name }) => nameKey(name))).size === keys.length, 'a name stands for one key')

/** Whose signature a history bears. */
export interface Signer {
  /** What the signer is called here; null: the key is not one that is known. */
  readonly name: string | null
  /** As `publicKeyText`. */
  readonly key: string
  /** SHA-256 of the key's 32 bytes. */
  readonly fingerprint: Sha256
}
