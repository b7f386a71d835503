import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { ExpectedError } from '../../contract/expected-error.ts'

// Encryption in the format of age (age-encryption.org/v1), which its own programs read too. The package is loaded when it is needed.

/** The first bytes of each encrypted file. */
export const AGE_BEGINNING = 'age-encryption.org/v1\n'

type Bytes = AsyncIterable<Uint8Array>

// Node and browsers declare types of their own for the same streams.
function webStream(bytes: Bytes): ReadableStream<Uint8Array> {
  const stream: unknown = Readable.toWeb(Readable.from(bytes))
  return stream as ReadableStream<Uint8Array>
}
function nodeStream(stream: unknown): Bytes {
  return Readable.fromWeb(stream as NodeStream)
}

/** A function that encrypts for the holder of a key (`age1...`). Throws ExpectedError 'usage' if that is not a recipient. */
export async function encrypterFor(recipient: string): Promise<(bytes: Bytes) => Promise<Bytes>> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  try {
    encrypter.addRecipient(recipient)
  } catch {
    const next = 'It begins with age1; "age-keygen" makes one.'
    throw new ExpectedError(
      'usage',
      'age-key-invalid',
      `--age ${JSON.stringify(recipient)} is not a recipient of age. ${next}`,
    )
  }
  return async (bytes) => nodeStream(await encrypter.encrypt(webStream(bytes)))
}

/** Decrypts with the keys in a text, as age-keygen writes it. `archive`: the name of the file. Throws ExpectedError 'usage'. */
export async function decrypted(bytes: Bytes, identities: string, archive: string): Promise<Bytes> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  const keys = identities.split(/\r?\n/).map((line) => line.trim())
  try {
    const used = keys.filter((line) => line !== '' && !line.startsWith('#'))
    if (used.length === 0) throw new Error('no key')
    for (const key of used) decrypter.addIdentity(key)
  } catch {
    const wanted = 'A line of it begins with AGE-SECRET-KEY-1.'
    throw new ExpectedError('usage', 'age-key-invalid', `The file of --identity has no private key of age. ${wanted}`)
  }
  try {
    return nodeStream(await decrypter.decrypt(webStream(bytes)))
  } catch {
    throw new ExpectedError(
      'usage',
      'age-key-wrong',
      `The key of --identity does not open ${archive}: it was encrypted for another one, or its beginning is damaged.`,
    )
  }
}
