import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import type { Sha256 } from '../contract/ids.ts'
import { sha256, canonicalText } from './canonical.ts'
import type { EntriesManifest, EntryStatement, SignedEntry } from '../contract/contests/entries.ts'

/** A class's public key: 32 raw bytes as hex. */
export type PublicKey = string

/** The class's signing key, held only by the main process. */
export interface SigningKey {
  readonly publicKey: PublicKey
  readonly fingerprint: Sha256
  /** Ed25519 over the text's UTF-8, as 128 hex digits. */
  sign(text: string): string
}

const prefix = 'tartaglia-ed25519:'

/** The public key as one line of text for people and for `--key`: `tartaglia-ed25519:<hex>`. */
export function keyText(key: PublicKey): string {
  return prefix + key
}

/** Parses the text of `keyText`, with optional surrounding white space; null if it is not one. */
export function parseKeyText(text: string): PublicKey | null {
  return /^\s*tartaglia-ed25519:([0-9a-f]{64})\s*$/.exec(text)?.[1] ?? null
}

/** SHA-256 of the raw public key. */
export function fingerprint(key: PublicKey): Sha256 {
  return sha256(Buffer.from(key, 'hex'))
}

/** A fresh key pair as PEM (PKCS 8), for storing. */
export function generateKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
}

/** A fresh key that is kept nowhere, for what is signed and checked in one go. */
export function passingKey(): SigningKey {
  return keyOf(generateKeyPairSync('ed25519').privateKey)
}

/** The signing key in a PEM text; null if the text contains no Ed25519 private key. */
export function signingKey(pem: string): SigningKey | null {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    return null
  }
  return key.asymmetricKeyType === 'ed25519' ? keyOf(key) : null
}

function keyOf(key: KeyObject): SigningKey {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  const publicKey = Buffer.from(x ?? '', 'base64url').toString('hex')
  return {
    publicKey,
    fingerprint: fingerprint(publicKey),
    sign: (text) => sign(null, Buffer.from(text), key).toString('hex'),
  }
}

/** True if `signature` (128 hex digits) over `text` was made with `key`. Never throws. */
export function signedBy(key: PublicKey, text: string, signature: string): boolean {
  try {
    const x = Buffer.from(key, 'hex').toString('base64url')
    const object = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, Buffer.from(text), object, Buffer.from(signature, 'hex'))
  } catch {
    return false
  }
}

/** A statement with the signature of the school's key. */
export function signEntry(statement: EntryStatement, key: SigningKey): SignedEntry {
  return { statement, signature: key.sign(canonicalText(statement)) }
}

/** True if the statement was signed with the key that it names. Never throws. */
export function isSignedEntry({ statement, signature }: SignedEntry): boolean {
  return signedBy(statement.key, canonicalText(statement), signature)
}

/** The text that the signature of an entries file signs. */
export function entriesText(manifest: EntriesManifest): string {
  return canonicalText({ signs: 'tartaglia entries', ...manifest })
}
