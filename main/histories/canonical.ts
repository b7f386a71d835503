import { hash } from 'node:crypto'
import serialize from 'canonicalize'
import type { Sha256 } from '../contract/ids.ts'

/**
 * RFC 8785 text of a JSON value, of plain data without getters; members that are undefined are left out. Throws on what JSON
 * cannot hold: a number beyond its range, half of a surrogate pair. Players let no such value in.
 */
export function canonicalText(value: unknown): string {
  const sorted = inOrder(value, deepest)
  if (sorted !== odd) {
    // JSON.stringify writes all but the order of members as RFC 8785 wants it, and twice as fast as the library.
    const text = JSON.stringify(sorted) as string | undefined
    if (text?.includes(halfPair) === false) return text
  }
  const text = serialize(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

/** JSON.stringify writes half of a surrogate pair so, which the library refuses. */
const halfPair = String.raw`\ud`
/** Deeper values are left to the library, which needs no stack. */
const deepest = 512
const odd = Symbol('odd')

/**
 * The value with its members in the order of RFC 8785: itself where they are, and a copy otherwise. `odd` where
 * JSON.stringify would not do: what must be refused, names that no object holds in that order, and what is no plain data.
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
    // Names that are numbers come first in every object, and `__proto__` cannot be assigned.
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

/** SHA-256 of the canonical text: the name of a blob, and the hash of a saved state. Throws as `canonical` does. */
export function hashOf(value: unknown): Sha256 {
  return sha256(canonicalText(value))
}
