import { exactly } from './numbers.ts'
import type { Exact } from './numbers.ts'
import { toText } from './fraction.ts'
import type { Fraction } from './fraction.ts'

/**
 * What a formula computes with: JSON values as they came, and exact fractions, which JSON has not. A number field's
 * decimal is turned into an exact number when it is read.
 */
export type Value = null | boolean | string | Exact | readonly Value[] | { readonly [key: string]: Value }

export function isFraction(value: Value): value is Fraction {
  return typeof value === 'object' && value !== null && 'd' in value && typeof value.d === 'bigint'
}

/** Are two values of one type equal? A class is compared field by field. Does not recur: values may nest deeply. */
export function equal(a: Value, b: Value): boolean {
  if (a === b) return true
  if (typeof a === 'string' || typeof b === 'string') return false
  const todo: [Value, Value][] = [[a, b]]
  for (let pair = todo.pop(); pair; pair = todo.pop()) {
    const [left, right] = pair
    if (left === right) continue
    if (isNumber(left) && isNumber(right)) {
      if (!sameNumber(left, right)) return false
    } else if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) return false
      for (let i = 0; i < left.length; i++) todo.push([left[i] as Value, right[i] as Value])
    } else if (isRecord(left) && isRecord(right)) {
      for (const key of Object.keys(left)) {
        // "$" is there only where the type is abstract: a matched alternative has it, the class on its own has not.
        if (key !== '$' || right.$ !== undefined) todo.push([left[key] as Value, right[key] as Value])
      }
    } else return false
  }
  return true
}

function sameNumber(a: Exact, b: Exact): boolean {
  const left = exactly(a)
  const right = exactly(b)
  if (typeof left === 'number' || typeof right === 'number') return left === right
  return left.n === right.n && left.d === right.d
}

function isNumber(value: Value): value is Exact {
  return typeof value === 'number' || isFraction(value)
}

function isRecord(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as a sentence shows it, cut where it is long. */
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
