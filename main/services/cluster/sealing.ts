import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** The kinds of sealed messages. Each has keys of its own, so that none can pass for another: an order is not a result. */
export type Purpose = 'setup' | 'order' | 'result' | 'agent' | 'refusal'

/** The place of a message: a seal holds for this place only, so that a message that is moved or copied to another cannot be opened. */
export type Place = readonly (string | number)[]

/** Names and keys that follow from a token (HKDF-SHA-256). Neither names nor sealed messages give the token away. */
export interface ClusterSecrets {
  /** Equal for equal tokens; public. */
  readonly owner: string
  /** A public name that only those who know the token can compute. */
  nameOf(...parts: Place): string
  /** Encrypts and authenticates a message (AES-256-GCM); gives base64. `scope`: the session that has keys of its own; '': none. */
  seal(purpose: Purpose, scope: string, place: Place, body: Uint8Array): string
  /** null: the text is not a message that was sealed with this token for this purpose, session and place. */
  open(purpose: Purpose, scope: string, place: Place, text: string): Buffer | null
}

/** Separates these keys from everything else that may ever be derived from a token. */
const SALT = 'tartaglia cluster'
const KEY_BYTES = 32
/** A random nonce: with keys for each session and purpose, fewer than 2^32 messages share a key. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'
/** Hex digits of a public name: 128 bits. */
const NAME_DIGITS = 32
/** Keys that are kept derived. */
const KEYS_MAX = 64

/** The secrets of a token. */
export function secretsOf(token: string): ClusterSecrets {
  const derive = (...info: Place): Buffer =>
    Buffer.from(hkdfSync('sha256', token, SALT, JSON.stringify(info), KEY_BYTES))
  const naming = derive('names')
  const nameOf = (...parts: Place): string =>
    createHmac('sha256', naming).update(JSON.stringify(parts)).digest('hex').slice(0, NAME_DIGITS)
  const known = new Map<string, Buffer>()
  const keyOf = (purpose: Purpose, scope: string): Buffer => {
    const name = `${purpose} ${scope}`
    const key = known.get(name) ?? derive('seal', purpose, scope)
    if (!known.has(name) && known.size >= KEYS_MAX) known.delete(known.keys().next().value!)
    known.set(name, key)
    return key
  }
  return {
    owner: nameOf('owner'),
    nameOf,
    seal: (purpose, scope, place, body) => seal(keyOf(purpose, scope), [purpose, scope, ...place], body),
    open: (purpose, scope, place, text) => open(keyOf(purpose, scope), [purpose, scope, ...place], text),
  }
}

function seal(key: Uint8Array, place: Place, body: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(covered(place))
  const sealed = [cipher.update(body), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64')
}

function open(key: Uint8Array, place: Place, text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  const [tag, body] = [NONCE_BYTES, NONCE_BYTES + TAG_BYTES]
  // A text with other characters in it would be read all the same.
  if (bytes.length < body || bytes.toString('base64') !== text) return null
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, tag), { authTagLength: TAG_BYTES })
  decipher.setAAD(covered(place)).setAuthTag(bytes.subarray(tag, body))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()])
  } catch {
    return null
  }
}

/** The associated data of a seal. */
const covered = (place: Place): Buffer => Buffer.from(JSON.stringify(place))
