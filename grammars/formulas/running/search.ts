import { equal } from './equal.ts'
import { spend } from './frame.ts'
import type { Frame } from './frame.ts'
import { spendOnDigits } from './number-work.ts'
import { isFraction } from '../numbers/value.ts'
import type { Value } from '../numbers/value.ts'

/** Longer lists are searched with a set. */
export const SHORT = 8

/** Is the value in the list? */
export function contains(frame: Frame, list: readonly Value[], value: Value): boolean {
  const plain = typeof value === 'string' || Number.isSafeInteger(value)
  if (plain && list.length > SHORT) {
    let set = frame.sets.get(list)
    if (!set) {
      spend(frame, list.length)
      set = new Set(list)
      frame.sets.set(list, set)
    }
    return set.has(value)
  }
  spend(frame, list.length)
  for (let i = 0; i < list.length; i++) {
    const element = list[i] as Value
    // An integer equals only itself.
    if (typeof value === 'number' && plain ? element === value : equal(frame, element, value)) return true
  }
  return false
}

/** Is each value of a list in the other one? */
export function isSubset(frame: Frame, list: readonly Value[], within: readonly Value[]): boolean {
  spend(frame, list.length)
  return list.every((value) => contains(frame, within, value))
}

/** True if all elements are different. */
export function allDistinct(frame: Frame, list: readonly Value[]): boolean {
  const n = list.length
  if (n <= SHORT) {
    for (let i = 1; i < n; i++) {
      for (let j = 0; j < i; j++) if (equal(frame, list[i] as Value, list[j] as Value)) return false
    }
    return true
  }
  spend(frame, n)
  const plain = new Set<Value>()
  const others: Value[] = []
  for (const element of list) {
    if (isFraction(element)) {
      spendOnDigits(frame, element)
      plain.add(`${element.n}/${element.d}`)
    } else if (typeof element !== 'object') plain.add(element)
    else others.push(element)
  }
  if (plain.size + others.length < n) return false
  // Other values are compared pairwise.
  spend(frame, (others.length * others.length) / 2)
  for (let i = 1; i < others.length; i++) {
    for (let j = 0; j < i; j++) if (equal(frame, others[i] as Value, others[j] as Value)) return false
  }
  return true
}

/** The `val` of the first entry with a key; undefined: none. */
export function entryOf(frame: Frame, entries: readonly Value[], key: Value): Value | undefined {
  const plain = typeof key === 'string' || typeof key === 'boolean' || Number.isSafeInteger(key)
  if (plain && entries.length > SHORT) {
    spend(frame, 1)
    let table: Map<Value, Value> | undefined = frame.tables.get(entries)
    if (!table) {
      spend(frame, entries.length)
      table = new Map()
      // The first of equal keys wins, like everywhere else.
      for (const entry of entries as readonly Entry[]) if (!table.has(entry.key)) table.set(entry.key, entry.val)
      frame.tables.set(entries, table)
    }
    return table.get(key)
  }
  spend(frame, entries.length)
  return (entries as readonly Entry[]).find((entry) => equal(frame, entry.key, key))?.val
}

type Entry = { readonly [label in 'key' | 'val']: Value } & { readonly [label: string]: Value }
