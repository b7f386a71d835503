import type { EntriesManifest, EntryStatement, SignedEntry } from '../contract/contests/entries.ts'
import { canonicalText } from './canonical.ts'
import { signedBy, type SigningKey } from './keys.ts'

/** A statement with the signature of the school's key. */
export function signEntry(statement: EntryStatement, key: SigningKey): SignedEntry {
  return { statement, signature: key.sign(canonicalText(statement)) }
}

/** Whether the statement was signed with the key that it names. Never throws. */
export function isSignedEntry({ statement, signature }: SignedEntry): boolean {
  return signedBy(statement.key, canonicalText(statement), signature)
}

/** The text that the signature of an entries file signs. */
export function entriesText(manifest: EntriesManifest): string {
  return canonicalText({ signs: 'tartaglia entries', ...manifest })
}
