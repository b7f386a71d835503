import { isFraction, LimitError, spend, textSteps, type Frame, type Value } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import { decimal } from './config.ts'

/** The deepest nesting of a value that formulas have made. */
const DEEPEST = 500

/**
 * A value of formulas as JSON, for steps: for each part and for the characters of texts, because values may share parts many times.
 * Exact numbers become the nearest JSON numbers. Throws LimitError.
 */
export function madeJson(frame: Frame, value: Value, depth = 0): Json {
  spend(frame, typeof value === 'string' ? textSteps(value.length) : 1)
  if (depth > DEEPEST) throw new LimitError(`A value that formulas have made is nested more than ${DEEPEST} deep.`)
  if (isFraction(value)) return decimal(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one: Value) => madeJson(frame, one, depth + 1))
  const fields = Object.entries(value).map(([label, one]: [string, Value]) => {
    return [label, madeJson(frame, one, depth + 1)] as const
  })
  return Object.fromEntries(fields)
}
