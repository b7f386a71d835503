import { hash } from 'node:crypto'
import serialize from 'canonicalize'
import type { Sha256 } from '../contract/ids.ts'

/**
 * RFC 8785 text of a JSON value; members that are undefined are left out. Throws on what JSON cannot hold: a number beyond its
 * range, half of a surrogate pair. Players let no such value in.
 */
export function canonical(value: unknown): string {
  const text = serialize(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

export function sha256(data: string | Uint8Array): Sha256 {
  return hash('sha256', data, 'hex')
}

/** SHA-256 of the canonical text: the name of a blob, and the hash of a saved state. Throws as `canonical` does. */
export function hashOf(value: unknown): Sha256 {
  return sha256(canonical(value))
}
