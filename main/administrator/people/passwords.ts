import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ExpectedError } from '../../contract/expected-error.ts'
import { commonPasswords } from './common-passwords.ts'

/** The lengths of passwords, in characters. */
const PASSWORD_MIN = 10
const PASSWORD_MAX = 200

/** The cost of a hash: 32 MiB and some 50 ms. A hash says with which it was made, so that it can be raised. */
export interface HashCost {
  readonly N: number
  readonly r: number
  readonly p: number
}
const usual: HashCost = { N: 2 ** 15, r: 8, p: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Computes scrypt: the expensive part, which tests count. */
export type Derive = (secret: string, salt: Uint8Array, cost: HashCost) => Promise<Buffer>

const scryptHash = promisify<string, Uint8Array, number, object, Buffer>(scrypt)
const derived: Derive = (secret, salt, { N, r, p }) =>
  scryptHash(secret, salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r + 2 ** 20 })

/** Hashes and compares secrets. Few at a time: others wait, and beyond a number of them are refused. */
export interface PasswordHasher {
  /** A text with the cost, salt and hash. Rejects with ExpectedError `too-many` if too many wait. */
  hash(secret: string): Promise<string>
  /**
   * True if the secret is that of a hash. null: there is no hash, and comparing takes the same time and is false. Rejects like `hash`.
   */
  matches(secret: string, stored: string | null): Promise<boolean>
  /** Everybody who waits is refused with ExpectedError `classroom-closed`: what they wait for could not be written. */
  close(): void
}

/** Hashes computed at a time: each takes one of the four threads that also read and write files. */
const AT_A_TIME = 2
/** Hashes that wait: a whole school redeems its slips at once, with two hashes each. Some 12 s for the last one. */
const WAITING_MAX = 500

export function createPasswordHasher(derive: Derive = derived, waitingMax: number = WAITING_MAX): PasswordHasher {
  const waiting: (() => void)[] = []
  let running = 0
  let closed = false
  const inTurn = async (secret: string, salt: Uint8Array, cost: HashCost): Promise<Buffer> => {
    if (running >= AT_A_TIME) {
      if (waiting.length >= waitingMax)
        throw new ExpectedError('host', 'too-many', 'Too many people are signing in at this moment: try again shortly.')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      const hash = closed ? null : await derive(secret.normalize('NFC'), salt, cost)
      if (hash !== null && !closed) return hash
      throw new ExpectedError('stopped', 'classroom-closed', 'The classroom is being closed.')
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
  /** The hash of a secret that nobody knows. */
  const nobody = { cost: usual, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) }
  return {
    async hash(secret) {
      const salt = randomBytes(SALT_BYTES)
      return written(usual, salt, await inTurn(secret, salt, usual))
    },
    async matches(secret, stored) {
      const { cost, salt, hash } = stored === null ? nobody : parsed(stored)
      return timingSafeEqual(await inTurn(secret, salt, cost), hash) && stored !== null
    },
    close() {
      closed = true
    },
  }
}

function written({ N, r, p }: HashCost, salt: Uint8Array, hash: Uint8Array): string {
  return `scrypt$${N}$${r}$${p}$${Buffer.from(salt).toString('hex')}$${Buffer.from(hash).toString('hex')}`
}

function parsed(stored: string): { readonly cost: HashCost; readonly salt: Buffer; readonly hash: Buffer } {
  const [, N, r, p, salt = '', hash = ''] = stored.split('$')
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'hex'),
    hash: Buffer.from(hash, 'hex'),
  }
}

let common: ReadonlySet<string> | null = null

/** Throws ExpectedError `password-invalid` if a new password is too short, too long or common. It does not depend on the person. */
export function checkPassword(password: string): void {
  const characters = Array.from(password.normalize('NFC')).length
  if (characters < PASSWORD_MIN) throw unfit(`A password has at least ${PASSWORD_MIN} characters.`)
  if (characters > PASSWORD_MAX) throw unfit(`A password has at most ${PASSWORD_MAX} characters.`)
  common ??= new Set(commonPasswords.trim().split(/\s+/))
  if (common.has(password.normalize('NFC').toLowerCase()) || isOneRepeated(password))
    throw unfit('This password is one of the commonest: choose another one, such as four words of your own.')
}

/** True for one or two characters over and over, such as "aaaaaaaaaa". */
function isOneRepeated(password: string): boolean {
  return new Set(password).size <= 2
}

function unfit(sentence: string): ExpectedError {
  return new ExpectedError('usage', 'password-invalid', sentence)
}
