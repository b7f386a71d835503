import type { Exact } from './exact.ts'
import { toText } from './fraction.ts'
import type { Fraction } from './fraction.ts'

/**
 * A value of a formula: JSON values as given, and exact fractions. The decimal of a number field is converted to an
 * exact number when it is read.
 */
export type Value = null | boolean | string | Exact | readonly Value[] | { readonly [key: string]: Value }

export function isFraction(value: Value): value is Fraction {
  return typeof value === 'object' && value !== null && 'd' in value && typeof value.d === 'bigint'
}

/** A value as shown in a sentence, shortened if long. */
export function show(value: Value): string {
  const text = brief(value, 4)
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}

function brief(value: Value, depth: number): string {
  if (value === null) return 'none'
  if (isFraction(value)) return value.d === 1n ? String(value.n) : toText(value)
  if (typeof value !== 'object') return String(value)
  if (depth === 0) return '...'
  if (Array.isArray(value)) {
    const shown = value.slice(0, 20).map((one: Value) => brief(one, depth - 1))
    return `[${shown.join(', ')}${value.length > 20 ? ', ...' : ''}]`
  }
  const fields = Object.entries(value).map(([label, field]: [string, Value]) => `${label}: ${brief(field, depth - 1)}`)
  return `{${fields.join(', ')}}`
}
