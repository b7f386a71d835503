import * as z from 'zod'
import type { PersonId } from './people.ts'
import type { TeamId } from './teams.ts'
import { nothing, procedure } from '../procedures/procedure.ts'

// Names behind a passphrase. class.json then has a placeholder in the place of each name, and the names themselves encrypted: in the
// same file, so that a crash cannot part them, and copies of days, backups and archives have both.

/** The encrypted names of a class: files of the format age (age-encryption.org/v1), in base64. */
export const lockedNames = z.strictObject({
  /** The private key to the parts, encrypted with the passphrase (scrypt). */
  key: z.base64().max(4_000),
  /** The public key to which parts are encrypted, so that writing needs no passphrase. */
  recipient: z.string().regex(/^age1[0-9a-z]{1,200}$/, 'expected a recipient of age'),
  /**
   * The names, and then what was written while they were locked; a later part counts before an earlier one. In memory, none: the names are
   * unlocked, and in their places.
   */
  parts: z.array(z.base64()),
  /** Words of which pseudonyms are drawn while the names are locked; no name of the class has one. Absent in files of earlier programs: any. */
  drawn: z.array(z.string().max(20)).readonly().optional(),
})
export type LockedNames = z.infer<typeof lockedNames>

/** `none`: the class has no passphrase. `locked`: it has placeholders instead of names. */
export type NamesState = 'none' | 'locked' | 'unlocked'

export function namesState({ names }: { readonly names?: LockedNames }): NamesState {
  return names === undefined ? 'none' : names.parts.length > 0 ? 'locked' : 'unlocked'
}

/** Placeholders; they tell people apart, and each is a valid name. */
export const lockedPerson = (id: PersonId): string => `Locked person ${id.slice(0, 4)}`
export const lockedTeam = (id: TeamId): string => `Locked team ${id.slice(0, 4)}`
export const LOCKED_TEXT = 'locked'

/** Names that stay when the passphrase of a class was lost. `digits`: the part of the id that tells it from the others, at least 4 characters. */
export const namelessPerson = (id: PersonId, digits = 4): string => `Nameless person ${id.slice(0, digits)}`
export const namelessTeam = (id: TeamId, digits = 4): string => `Nameless team ${id.slice(0, digits)}`
export const FORGOTTEN_TEXT = 'forgotten'

/** True for somebody whose name is locked. */
export const isLocked = ({ id, name }: { readonly id: PersonId; readonly name: string }): boolean =>
  name === lockedPerson(id)

/** The length of a passphrase, in characters. */
export const PASSPHRASE_MIN = 12
export const PASSPHRASE_MAX = 200
const passphrase = z.string().min(1).max(PASSPHRASE_MAX)
const SMALL = 2_000

/** Procedures of the passphrase of a class. */
export const lockedNamesProcedures = {
  'names.state': procedure<z.infer<typeof nothing>, NamesState>(nothing, SMALL),
  /** Puts the names in their places until the class is closed. Refused for a wrong passphrase. */
  'names.unlock': procedure<{ passphrase: string }, NamesState>(z.strictObject({ passphrase }), SMALL),
  /**
   * Sets, changes (with the present one) or removes (`next` null) the passphrase. Copies of former days are deleted: they have the names in
   * the clear, or under the former passphrase.
   */
  'names.setPassphrase': procedure<{ present: string | null; next: string | null }, NamesState>(
    z.strictObject({ present: passphrase.nullable(), next: passphrase.nullable() }),
    SMALL,
  ),
  /**
   * Goes on without the names of a locked class whose passphrase is lost: people and teams get names that tell them apart, and no lock. The copies of
   * former days keep the encrypted names that are in them, until they are deleted. Refused if the names are not locked.
   */
  'names.forget': procedure<z.infer<typeof nothing>, NamesState>(nothing, SMALL),
} as const
