import type { Json } from '../json.ts'
import type { ClassShape, Shape } from '../values/index.ts'

/** Maximum nesting of a predicate with a canonical form. */
const DEEPEST = 500

type Fields = { readonly [label: string]: Json }

/** The fields that are sets, such as "Predicate.relations". */
export type Sets = ReadonlySet<string>

/**
 * The canonical form of a valid value: fields in the dictionary's order, the elements of sets sorted and each once.
 * undefined: it is nested too deeply.
 */
export function canonical(value: Json, shape: Shape, sets: Sets, depth = 0): Json | undefined {
  if (depth > DEEPEST) return undefined
  switch (shape.kind) {
    case 'option':
      return value === null ? null : canonical(value, shape.of, sets, depth + 1)
    case 'list': {
      const list: Json[] = []
      for (const element of value as readonly Json[]) {
        const one = canonical(element, shape.of, sets, depth + 1)
        if (one === undefined) return undefined
        list.push(one)
      }
      return list
    }
    case 'class':
      return canonicalFields(value as Fields, shape, sets, depth)
    case 'choice': {
      const name = (value as Fields).$
      const alternative = shape.alternatives.find((one) => one.name === name)
      return alternative && canonicalFields(value as Fields, alternative, sets, depth)
    }
    default:
      return value
  }
}

function canonicalFields(value: Fields, shape: ClassShape, sets: Sets, depth: number): Json | undefined {
  const fields: [string, Json][] = '$' in value ? [['$', value.$]] : []
  for (const { label, type } of shape.fields) {
    let field = canonical(value[label] as Json, type, sets, depth + 1)
    if (field === undefined) return undefined
    if (type.kind === 'list' && sets.has(`${shape.name}.${label}`)) field = asSet(field as readonly Json[])
    fields.push([label, field])
  }
  return Object.fromEntries(fields)
}

/** Sorts the elements and removes duplicates. Elements are canonical, so that equal ones have equal texts. */
function asSet(list: readonly Json[]): readonly Json[] {
  const sorted = list.map((value) => ({ value, text: JSON.stringify(value) }))
  sorted.sort((a, b) => compareValues(a.value, b.value))
  return sorted.filter((one, i) => one.text !== sorted[i - 1]?.text).map((one) => one.value)
}

/**
 * Compares two canonical values of one type: numbers by size, false before true, texts by code units, lists and fields
 * by their first difference.
 */
function compareValues(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  const left = Object.values(a)
  const right = Object.values(b)
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = compareValues(left[i] as Json, right[i] as Json)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
