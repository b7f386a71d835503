import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Bytes of chance in a credential. */
const size = 32

/** Who may come in with which credential. The credentials themselves are not kept, only what they hash to. */
export interface Keyring<T> {
  /** A new credential for somebody, to be shown once. */
  issue(owner: T): string
  /** Whose it is; null: nobody's. Takes as long whatever is asked. */
  ownerOf(credential: string): T | null
}

export function createKeyring<T>(): Keyring<T> {
  const keys: { readonly print: Buffer; readonly owner: T }[] = []
  return {
    issue(owner) {
      const credential = randomBytes(size).toString('base64url')
      keys.push({ print: printOf(credential), owner })
      return credential
    },
    ownerOf(credential) {
      const print = printOf(credential)
      let found: T | null = null
      // To the last one, so that nothing is told by the time that it takes.
      for (const { print: other, owner } of keys) if (timingSafeEqual(print, other)) found = owner
      return found
    },
  }
}

const printOf = (credential: string): Buffer => hash('sha256', credential, 'buffer')
