import type { Json } from '../json.ts'
import type { Shape } from '../values/index.ts'

/** A value with one part grown. */
interface GrownValue {
  /** The part, such as `instance.items[1].weight`. */
  readonly place: string
  /** The grown part in short. */
  readonly grown: string
  readonly value: Json
}

/** Factors for numbers: each is tried in turn, so that a demand that permits only some growth is found too. */
const FACTORS = [10, 1_000, 100_000, 10_000_000, 1_000_000_000]
/** Numbers with many digits, which cost more to compute with. */
const LONG_NUMBERS = [0.123456789012345, 1e300, 1.23456789012345e-300]
/** Lengths for lists and texts: where a pair of elements takes a step, the longest is slow. */
const LENGTHS = [60, 1_500]

/** Parts of one value that are grown, at most, and the nesting up to which they are looked for. */
const PLACES = 24
const DEEPEST = 6

/**
 * Grows one part of a value at a time: numbers, texts and lists, wherever the shape has them; of lists the first element
 * stands for all. The results have the shape, but need not meet any demand.
 */
export function* grownValues(value: Json, shape: Shape, name: string): Generator<GrownValue> {
  let places = 0
  for (const place of placesIn({ value, shape, name, put: (part) => part }, 0)) {
    if (places++ === PLACES) return
    for (const { part, grown } of growthOf(place)) yield { place: place.name, grown, value: place.put(part) }
  }
}

interface Place {
  readonly value: Json
  readonly shape: Shape
  readonly name: string
  /** The whole value with this part instead. */
  put(part: Json): Json
}

function* placesIn(place: Place, depth: number): Generator<Place> {
  const { value, shape, name, put } = place
  if (depth > DEEPEST) return
  switch (shape.kind) {
    case 'list': {
      yield place
      const list = value as readonly Json[]
      if (list.length === 0) return
      const first = {
        value: list[0]!,
        shape: shape.of,
        name: `${name}[1]`,
        put: (part: Json) => put(list.with(0, part)),
      }
      yield* placesIn(first, depth + 1)
      return
    }
    case 'option':
      if (value !== null) yield* placesIn({ ...place, shape: shape.of }, depth)
      return
    case 'class':
    case 'choice': {
      const fields = value as { readonly [label: string]: Json }
      const found = shape.kind === 'class' ? shape : shape.alternatives.find((one) => one.name === fields['$'])
      for (const { label, type } of found?.fields ?? []) {
        const part = { value: fields[label] ?? null, shape: type, name: `${name}.${label}` }
        yield* placesIn({ ...part, put: (grown) => put({ ...fields, [label]: grown }) }, depth + 1)
      }
      return
    }
    default:
      yield place
  }
}

function* growthOf({ value, shape }: Place): Generator<{ readonly part: Json; readonly grown: string }> {
  switch (shape.kind) {
    case 'int':
    case 'number': {
      const size = Math.max(1, Math.abs(value as number))
      const sign = (value as number) < 0 ? -1 : 1
      const whole = FACTORS.map((factor) => sign * Math.floor(size) * factor).filter(Number.isSafeInteger)
      const numbers = shape.kind === 'int' ? whole : [...whole, ...LONG_NUMBERS]
      for (const part of numbers) yield { part, grown: String(part) }
      return
    }
    case 'string':
    case 'verbatim':
    case 'ident':
      for (const length of LENGTHS) yield { part: 'a'.repeat(length), grown: `a text of ${length} characters` }
      return
    case 'list':
      for (const length of LENGTHS) {
        for (const part of longLists(value as readonly Json[], length))
          yield { part, grown: `a list of ${length} elements` }
      }
      return
    default:
  }
}

/** Its elements again and again and, of whole numbers, also ever larger ones, because elements may have to differ. */
function longLists(list: readonly Json[], length: number): readonly (readonly Json[])[] {
  if (list.length === 0 || list.length >= length) return []
  const repeated = Array.from({ length }, (_, i) => list[i % list.length]!)
  if (!list.every((element) => Number.isSafeInteger(element))) return [repeated]
  const most = Math.max(...(list as readonly number[]))
  return [repeated, [...list, ...Array.from({ length: length - list.length }, (_, i) => most + 1 + i)]]
}
