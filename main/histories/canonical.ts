import { hash } from 'node:crypto'
import serialize from 'canonicalize'
import type { Sha256 } from '../contract/ids.ts'

/**
 * The RFC 8785 text of a JSON value (plain data without getters); undefined members are left out. Throws for values
 * that JSON cannot represent: infinite numbers, lone surrogates. Players do not accept such values.
 */
export function canonicalText(value: unknown): string {
  const sorted = inOrder(value, deepest)
  if (sorted !== odd) {
    // JSON.stringify conforms to RFC 8785 except for the order of members, and is twice as fast as the library.
    const text = JSON.stringify(sorted) as string | undefined
    if (text?.includes(halfPair) === false) return text
  }
  const text = serialize(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

/** How JSON.stringify begins the escape of a lone surrogate, which the library refuses. */
const halfPair = String.raw`\ud`
/** Deeper values are passed to the library. */
const deepest = 512
const odd = Symbol('odd')

/**
 * The value with its members in the order of RFC 8785: the value itself if they are, otherwise a copy. `odd` if
 * JSON.stringify cannot be used: for invalid values, for member names that an object cannot keep in that order, and for
 * other than plain data.
 */
function inOrder(value: unknown, depth: number): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : odd
  if (typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined) return value
  if (typeof value !== 'object' || depth === 0 || 'toJSON' in value) return odd
  return Array.isArray(value) ? itemsInOrder(value, depth) : membersInOrder(value, depth)
}

function itemsInOrder(list: readonly unknown[], depth: number): unknown {
  let copy: unknown[] | null = null
  for (let at = 0; at < list.length; at++) {
    const sorted = inOrder(list[at], depth - 1)
    if (sorted === odd) return odd
    if (sorted !== list[at]) copy ??= list.slice(0, at)
    copy?.push(sorted)
  }
  return copy ?? list
}

function membersInOrder(value: object, depth: number): unknown {
  if (Object.getPrototypeOf(value) !== Object.prototype) return odd
  const members = value as Readonly<Record<string, unknown>>
  const names = Object.keys(members)
  let same = true
  for (let at = 1; same && at < names.length; at++) same = names[at - 1]! < names[at]!
  if (!same) names.sort()
  let copy: Record<string, unknown> | null = same ? null : {}
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!
    // Objects enumerate integer names first, and `__proto__` cannot be assigned.
    const first = name.charCodeAt(0)
    if ((first >= 48 && first <= 57) || name === '__proto__') return odd
    const sorted = inOrder(members[name], depth - 1)
    if (sorted === odd) return odd
    if (copy === null && sorted !== members[name]) {
      copy = {}
      for (const before of names.slice(0, at)) copy[before] = members[before]
    }
    if (copy !== null) copy[name] = sorted
  }
  return copy ?? value
}

export function sha256(data: string | Uint8Array): Sha256 {
  return hash('sha256', data, 'hex')
}

/** SHA-256 of the canonical text: the name of a blob, and the hash of a saved state. Throws like `canonicalText`. */
export function hashOf(value: unknown): Sha256 {
  return sha256(canonicalText(value))
}
