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

/** How many wrong credentials one address may try. */
export interface Tries {
  /** ms until the address is heard again; 0: it is heard. */
  wait(address: string): number
  failed(address: string): void
}

/** So many at once, and one more each `everyMs`. Of addresses that failed the newest are remembered. */
export function createTries(
  now = () => performance.now(),
  { most = 10, everyMs = 6_000, addresses = 10_000 } = {},
): Tries {
  const failures = new Map<string, { readonly count: number; readonly at: number }>()
  const countOf = (address: string): number => {
    const known = failures.get(address)
    return known === undefined ? 0 : Math.max(0, known.count - (now() - known.at) / everyMs)
  }
  return {
    wait: (address) => Math.ceil(Math.max(0, countOf(address) - (most - 1)) * everyMs),
    failed(address) {
      const count = countOf(address) + 1
      failures.delete(address)
      failures.set(address, { count, at: now() })
      const [oldest] = failures.keys()
      if (failures.size > addresses && oldest !== undefined) failures.delete(oldest)
    },
  }
}
