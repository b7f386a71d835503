import { fingerprint, generateKey, signingKey, type PublicKey, type SigningKey } from '../../histories/keys.ts'
import { machineName } from './names.ts'

/** Under which name a worker of a cluster is known, and the key that proves it. */
export interface WorkerIdentity {
  /** `HOST-PROCESS-FINGERPRINT`: it ends with the beginning of the key's fingerprint, so that nobody else can take it. */
  readonly name: string
  /** Made when the worker starts, and kept nowhere. */
  readonly key: SigningKey
}

/** Hex digits of a fingerprint in a name: 64 bits. */
const DIGITS = 16

/** A new identity. */
export function createWorkerIdentity(host = `${machineName()}-${process.pid}`): WorkerIdentity {
  const key = signingKey(generateKey())!
  return { name: `${host}-${key.fingerprint.slice(0, DIGITS)}`, key }
}

/** True for a name that the holder of this key may have. */
export function isNameOf(name: string, key: PublicKey): boolean {
  return name.endsWith(`-${fingerprint(key).slice(0, DIGITS)}`)
}
