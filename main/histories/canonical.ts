import { hash } from 'node:crypto'
import serialize from 'canonicalize'
import type { Sha256 } from '../contract/ids.ts'

/**
 * RFC 8785 text of a JSON value; members that are undefined are left out. Throws on what JSON cannot hold: a number beyond its
 * range, half of a surrogate pair. Players let no such value in.
 */
export function canonical(value: unknown): string {
  const sorted = inOrder(value, deepest)
  // JSON.stringify writes all but the order of members as RFC 8785 wants it, and twice as fast as the library.
  const text = sorted === odd ? serialize(value) : JSON.stringify(sorted)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

/** Deeper values are left to the library, which needs no stack. */
const deepest = 512
const odd = Symbol('odd')

/**
 * A copy with the members in the order of RFC 8785. `odd` where JSON.stringify would not do: what must be refused, names
 * that no object holds in that order, and what is no plain data.
 */
function inOrder(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : odd
  if (typeof value === 'number') return Number.isFinite(value) ? value : odd
  if (typeof value === 'boolean' || value === null || value === undefined) return value
  if (typeof value !== 'object' || depth === 0) return odd
  return Array.isArray(value) ? itemsInOrder(value, depth) : membersInOrder(value, depth)
}

function itemsInOrder(list: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = []
  for (const item of list) {
    const sorted = inOrder(item, depth - 1)
    if (sorted === odd) return odd
    copy.push(sorted)
  }
  return copy
}

function membersInOrder(value: object, depth: number): unknown {
  if (Object.getPrototypeOf(value) !== Object.prototype) return odd
  const members = value as Readonly<Record<string, unknown>>
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(members).sort()) {
    // Names that are numbers come first in every object, and `__proto__` cannot be assigned.
    const first = key.charCodeAt(0)
    if ((first >= 48 && first <= 57) || key === '__proto__' || !key.isWellFormed()) return odd
    const sorted = inOrder(members[key], depth - 1)
    if (sorted === odd) return odd
    copy[key] = sorted
  }
  return copy
}

export function sha256(data: string | Uint8Array): Sha256 {
  return hash('sha256', data, 'hex')
}

/** SHA-256 of the canonical text: the name of a blob, and the hash of a saved state. Throws as `canonical` does. */
export function hashOf(value: unknown): Sha256 {
  return sha256(canonical(value))
}
