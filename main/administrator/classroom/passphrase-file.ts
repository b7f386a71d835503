import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'

// Files of age (age-encryption.org/v1) behind a passphrase, with the scrypt of Node: it is computed beside the main thread, so that matches and
// windows go on. The one of the package age-encryption stops them for its time. That package is loaded when it is needed.

/** 2 to the power of it: 64 MB of memory and half a second for each guess at a passphrase. */
const SCRYPT_WORK = 16
/** The most of a file that is opened: 1 GB. */
const SCRYPT_WORK_MAX = 20
const KEY_BYTES = 32
const SALT_BYTES = 16
const TYPE = 'scrypt'

const scryptKey = promisify<string, Uint8Array, number, object, Buffer>(scrypt)

/** The key that wraps the one of a file (age, "scrypt recipient stanza"). */
function wrappingKey(passphrase: string, salt: Uint8Array, work: number): Promise<Uint8Array> {
  const [N, r] = [2 ** work, 8]
  const labelled = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt])
  return scryptKey(passphrase, labelled, KEY_BYTES, { N, r, p: 1, maxmem: 256 * N * r + 2 ** 20 })
}

// Each key is used once.
const cipherOf = (key: Uint8Array) => chacha20poly1305(key, new Uint8Array(12))

/** A text as a file of age behind a passphrase. */
export async function encryptedBehind(passphrase: string, text: string): Promise<Uint8Array> {
  const { Encrypter, Stanza } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.addRecipient({
    async wrapFileKey(fileKey) {
      const salt = randomBytes(SALT_BYTES)
      const key = await wrappingKey(passphrase, salt, SCRYPT_WORK)
      const args = [TYPE, salt.toString('base64').replaceAll('=', ''), String(SCRYPT_WORK)]
      return [new Stanza(args, cipherOf(key).encrypt(fileKey))]
    },
  })
  return encrypter.encrypt(text)
}

/** The text of such a file. Rejects for another passphrase, and for a file that is not behind one. */
export async function decryptedBehind(passphrase: string, file: Uint8Array): Promise<string> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addIdentity({
    async unwrapFileKey(stanzas) {
      const [type, salt = '', work = ''] = stanzas[0]?.args ?? []
      if (stanzas.length !== 1 || type !== TYPE || !/^[1-9]\d?$/.test(work) || Number(work) > SCRYPT_WORK_MAX)
        return null
      const key = await wrappingKey(passphrase, Buffer.from(salt, 'base64'), Number(work))
      return cipherOf(key).decrypt(stanzas[0]!.body)
    },
  })
  return decrypter.decrypt(file, 'text')
}
