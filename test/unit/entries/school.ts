import { hash } from 'node:crypto'
import { canonicalText } from '../../../main/histories/canonical.ts'
import { entriesText, signEntry, generateKey, signingKey, type SigningKey } from '../../../main/histories/keys.ts'
import type { EntriesManifest, EntryStatement, SignedEntry } from '../../../main/contract/contests/entries.ts'

/** A school that has a key of its own. */
export function newKey(): SigningKey {
  return signingKey(generateKey())!
}

export const script = (text: string): Uint8Array => Buffer.from(`// ${text}\nmodule.exports = () => ({})\n`)

/** A statement of a school about a script, and what of it differs. */
export function statement(key: SigningKey, bytes: Uint8Array, over: Partial<EntryStatement> = {}): EntryStatement {
  return {
    signs: 'tartaglia entry',
    school: 'Liceo Padova',
    key: key.publicKey,
    name: 'anna',
    game: 'specker',
    kind: 'script',
    package: hash('sha256', bytes),
    submitted: '2026-11-20T08:00:00.000Z',
    ...over,
  }
}

/** An entry that is packed as it is given, right or wrong. */
export interface Given {
  readonly entry: SignedEntry
  readonly bytes: Uint8Array
  /** The size in the manifest; absent: the true one. */
  readonly size?: number
}

export function given(key: SigningKey, bytes: Uint8Array, over: Partial<EntryStatement> = {}): Given {
  return { entry: signEntry(statement(key, bytes, over), key), bytes }
}

/** The bytes of an entries file made by somebody who signs whatever it says. */
export function signedFile(key: SigningKey, entries: readonly Given[], over: object = {}): Buffer {
  const manifest = {
    format: 'tartaglia-entries/1',
    school: 'Liceo Padova',
    key: key.publicKey,
    entries: entries.map(({ entry, bytes, size = bytes.length }) => ({ ...entry, bytes: size })),
    ...over,
  } as EntriesManifest
  const first = canonicalText({ manifest, signature: key.sign(entriesText(manifest)) })
  return Buffer.concat([Buffer.from(`${first}\n`), ...entries.map(({ bytes }) => bytes)])
}
