import { spend } from './frame.ts'
import type { Frame } from './frame.ts'
import { exactly } from './numbers.ts'
import type { Exact } from './numbers.ts'
import { isFraction } from './value.ts'
import type { Value } from './value.ts'

/**
 * Are two values of one type equal? A class is compared field by field. Does not recur, because values may be nested
 * deeply, and takes a step for each part, because lists built by a formula may share parts many times.
 */
export function equal(frame: Frame, a: Value, b: Value): boolean {
  if (a === b) return true
  if (typeof a === 'string' || typeof b === 'string') return false
  const todo: [Value, Value][] = [[a, b]]
  for (let pair = todo.pop(); pair; pair = todo.pop()) {
    const [left, right] = pair
    if (left === right) continue
    spend(frame, 1)
    if (isNumber(left) && isNumber(right)) {
      if (!sameNumber(left, right)) return false
    } else if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) return false
      for (let i = 0; i < left.length; i++) todo.push([left[i] as Value, right[i] as Value])
    } else if (isRecord(left) && isRecord(right)) {
      for (const key of Object.keys(left)) {
        // Only values of an abstract type have "$": a matched alternative has it, a value of the class itself does not.
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
