import { exactly, toFraction, toNumber } from '../formulas/index.ts'
import { order } from '../formulas/numbers/exact.ts'
import type { Exact, Value } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import type { ClassShape, Shape } from '../values/index.ts'
import type { Lexical } from './plan.ts'

/** Maximum nesting of values that are compared. */
const DEEPEST = 500

type Fields = { readonly [label: string]: Value }

/** True if a value belongs to a lexical class. */
export type Valid = (value: Json, lexical: Lexical) => boolean

/**
 * The result of a formula as the JSON value of a shape, with fields in the order of the dictionary: equal values have
 * equal texts. undefined: not a value of the shape (1/3 is not a JSON number, a keyword is not a name), or nested too
 * deeply.
 */
export function canonical(value: Value, shape: Shape, valid: Valid, depth = 0): Json | undefined {
  if (depth > DEEPEST) return undefined
  switch (shape.kind) {
    case 'list': {
      const list: Json[] = []
      for (const element of value as readonly Value[]) {
        const one = canonical(element, shape.of, valid, depth + 1)
        if (one === undefined) return undefined
        list.push(one)
      }
      return shape.sorted === undefined || isSorted(list, shape.of, shape.sorted) ? list : undefined
    }
    case 'option':
      return value === null ? null : canonical(value, shape.of, valid, depth + 1)
    case 'class':
      return object(value as Fields, shape, {}, valid, depth)
    case 'choice': {
      const name = (value as Fields).$
      const alternative = shape.alternatives.find((one) => one.name === name)
      return alternative && object(value as Fields, alternative, { $: alternative.name }, valid, depth)
    }
    default: {
      const json = typeof value === 'object' && value !== null ? decimal(value as Exact) : (value as Json)
      return valid(json, shape.kind) ? json : undefined
    }
  }
}

/** The JSON number with exactly this value; otherwise the nearest one, or infinite. */
function decimal(value: Exact): Json {
  const nearest = toNumber(toFraction(value))
  return Number.isFinite(nearest) && order(exactly(nearest), value) === 0 ? nearest : null
}

function object(
  value: Fields,
  shape: ClassShape,
  into: { [label: string]: Json },
  valid: Valid,
  depth: number,
): Json | undefined {
  for (const { label, type } of shape.fields) {
    const field = canonical(value[label] as Value, type, valid, depth + 1)
    if (field === undefined) return undefined
    into[label] = field
  }
  return into
}

/** A key that differs for different values of a shape; null: the value is nested too deeply. */
export function keyOf(value: Json, shape: Shape): string | number | boolean | null {
  if (typeof value !== 'object') return value
  const form = canonical(value, shape, () => true)
  return form === undefined ? null : JSON.stringify(form)
}

/** Sorts the elements of a set, or the entries of a map by their keys. */
export function inOrder(list: readonly Json[], of: Shape, sorted: 'set' | 'map'): Json[] {
  return [...list].sort((a, b) => compareElements(a, b, of, sorted))
}

function isSorted(list: readonly Json[], of: Shape, sorted: 'set' | 'map'): boolean {
  return list.every((element, i) => i === 0 || compareElements(list[i - 1] as Json, element, of, sorted) < 0)
}

function compareElements(a: Json, b: Json, of: Shape, sorted: 'set' | 'map'): number {
  const key = sorted === 'map' && of.kind === 'class' ? of.fields[0] : undefined
  if (!key) return compare(a, b, of)
  return compare(
    (a as Record<string, Json>)[key.label] as Json,
    (b as Record<string, Json>)[key.label] as Json,
    key.type,
  )
}

/** The order of `ListShape.sorted`. The values must not be nested deeply. */
function compare(a: Json, b: Json, shape: Shape): number {
  switch (shape.kind) {
    case 'option':
      return a === null || b === null ? Number(a !== null) - Number(b !== null) : compare(a, b, shape.of)
    case 'list': {
      const [left, right] = [a as readonly Json[], b as readonly Json[]]
      for (let i = 0; i < left.length && i < right.length; i++) {
        const difference = compare(left[i] as Json, right[i] as Json, shape.of)
        if (difference !== 0) return difference
      }
      return left.length - right.length
    }
    case 'choice': {
      const [left, right] = [(a as Record<string, Json>).$ as string, (b as Record<string, Json>).$ as string]
      if (left !== right) return left < right ? -1 : 1
      const alternative = shape.alternatives.find((one) => one.name === left)
      return alternative ? compare(a, b, alternative) : 0
    }
    case 'class': {
      for (const { label, type } of shape.fields) {
        const difference = compare(
          (a as Record<string, Json>)[label] as Json,
          (b as Record<string, Json>)[label] as Json,
          type,
        )
        if (difference !== 0) return difference
      }
      return 0
    }
    default:
      return a === b ? 0 : (a as string) < (b as string) ? -1 : 1
  }
}
