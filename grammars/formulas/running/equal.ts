import { spend } from './frame.ts'
import type { Frame } from './frame.ts'
import { exactlyFor, spendOnDigits } from './number-work.ts'
import type { Exact } from '../numbers/exact.ts'
import { isFraction } from '../numbers/value.ts'
import type { Value } from '../numbers/value.ts'

/**
 * Are two values of one type equal? A class is compared field by field. Does not recur, because values may be nested
 * deeply, and takes a step for each part, because lists built by a formula may share parts many times.
 */
export function equal(frame: Frame, a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return sameText(frame, a, b)
  if (a === b) return true
  if (typeof a === 'string' || typeof b === 'string') return false
  const todo: [Value, Value][] = [[a, b]]
  for (let pair = todo.pop(); pair; pair = todo.pop()) {
    const [left, right] = pair
    if (typeof left === 'string' && typeof right === 'string') {
      if (!sameText(frame, left, right)) return false
      continue
    }
    if (left === right) continue
    spend(frame, 1)
    if (isNumber(left) && isNumber(right)) {
      if (!sameNumber(frame, left, right)) return false
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

/** Takes a step for each 256 characters that may have to be compared. */
function sameText(frame: Frame, a: string, b: string): boolean {
  if (a.length !== b.length) return false
  spend(frame, a.length >> 8)
  return a === b
}

function sameNumber(frame: Frame, a: Exact, b: Exact): boolean {
  const left = exactlyFor(frame, a)
  const right = exactlyFor(frame, b)
  spendOnDigits(frame, left)
  if (typeof left === 'number' || typeof right === 'number') return left === right
  return left.n === right.n && left.d === right.d
}

function isNumber(value: Value): value is Exact {
  return typeof value === 'number' || isFraction(value)
}

function isRecord(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
