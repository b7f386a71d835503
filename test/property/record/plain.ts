import { expect } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'

export type Row = Readonly<Record<string, Json>>

/** The columns that lead to an event. */
const places = ['match', 'line', 'move', 'part']

/** Compares the answer to a question with rows that were computed in another way, but for the order, the places and rounding. */
export function expectRows(found: readonly Row[], expected: readonly Row[], without: readonly string[] = places): void {
  const plain = (rows: readonly Row[]): readonly string[] =>
    rows.map((row) => JSON.stringify(plainRow(row, without))).sort()
  expect(plain(found)).toEqual(plain(expected))
}

function plainRow(row: Row, without: readonly string[]): readonly (readonly [string, Json])[] {
  return Object.entries(row)
    .filter(([column]) => !without.includes(column))
    .map(([column, value]) => [column, typeof value === 'number' ? rounded(value) : value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Sums come in another order, so that the last digits differ. Without -0. */
const rounded = (value: number): number => Number(value.toFixed(7)) + 0

/** Things by a key, in the order of their keys. */
export function grouped<T>(
  things: Iterable<T>,
  keyOf: (thing: T) => string,
): readonly (readonly [string, readonly T[]])[] {
  return [...Map.groupBy(things, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1))
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
/** null: there are none. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sum(values) / values.length

/** True if the numbers of a column never rise, or never fall. */
export function expectOrder(rows: readonly Row[], column: string, direction: 'falling' | 'rising'): void {
  const values = rows.map((row) => Number(row[column]))
  const sorted = values.toSorted((a, b) => (direction === 'falling' ? b - a : a - b))
  expect(values.map(rounded)).toEqual(sorted.map(rounded))
}
