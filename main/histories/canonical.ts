import { hash } from 'node:crypto'
import serialize from 'canonicalize'
import type { Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'

/**
 * RFC 8785 text of a JSON value; members that are undefined are left out. Throws on what JSON cannot hold (a number beyond its range, a lone surrogate): ask
 * `unrecordable` first about values that come from outside.
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

/**
 * Why a parsed value cannot enter a history, in words, or null. JSON.parse reads 1e999 as Infinity and "\ud800" as half
 * a character; neither can be written back, so an answer that holds one is invalid before a referee sees it.
 */
export function unrecordable(value: Json): string | null {
  try {
    canonical(value)
    return null
  } catch (error) {
    if (!(error instanceof Error)) return 'it cannot be written as JSON'
    if (error.message.includes('surrogate')) return 'it holds half of a surrogate pair, which is no character'
    if (error.message.includes('Infinity') || error.message.includes('NaN')) return 'it holds a number beyond all range'
    return 'it cannot be written as JSON'
  }
}
