import type { Json } from '../json.ts'
import type { Shape } from '../values/index.ts'

/** Uniform random integers from 0 to 2^32 - 1. */
type Random = () => number

/** Values seen at places of solutions, by the shape of the place. */
type Pool = ReadonlyMap<Shape, readonly Json[]>

/** The maximum number of values kept for each shape. */
const REMEMBERED = 500

/**
 * Collects the parts of random solutions. Variations of a solution reuse them, so that they tend to be feasible without
 * knowledge of the challenge.
 */
export function poolOf(solutions: readonly Json[], shape: Shape): Pool {
  const pool = new Map<Shape, Json[]>()
  const waiting: Place[] = solutions.map((value) => ({ value, shape }))
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const known = pool.get(at.shape)
    if (known === undefined) pool.set(at.shape, [at.value])
    else if (known.length < REMEMBERED) known.push(at.value)
    waiting.push(...partsOf(at))
  }
  return pool
}

interface Place {
  readonly value: Json
  readonly shape: Shape
}

/**
 * A variation of a value in one place: a part is replaced, or in a list an element is added, removed, swapped with another,
 * or a range is reversed. The result need not be feasible. Does not modify its argument.
 */
export function variationOf(value: Json, shape: Shape, pool: Pool, random: Random): Json {
  const places = count({ value, shape })
  return variedAt({ value, shape }, random() % places, pool, random)
}

/** The number of places in a value, including itself. */
function count(place: Place): number {
  let places = 0
  const waiting = [place]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    places += 1
    waiting.push(...partsOf(at))
  }
  return places
}

/** `nth`: the index of the place, in the order of writing. */
function variedAt(place: Place, nth: number, pool: Pool, random: Random): Json {
  if (nth === 0) return changed(place, pool, random)
  let before = 1
  for (const [i, part] of partsOf(place).entries()) {
    const inside = count(part)
    if (nth < before + inside) return withPart(place, i, variedAt(part, nth - before, pool, random))
    before += inside
  }
  return place.value
}

function partsOf({ value, shape }: Place): readonly Place[] {
  switch (shape.kind) {
    case 'list':
      return (value as readonly Json[]).map((element) => ({ value: element, shape: shape.of }))
    case 'option':
      return value === null ? [] : [{ value, shape: shape.of }]
    case 'class': {
      const fields = value as Readonly<Record<string, Json>>
      return shape.fields.map(({ label, type }) => ({ value: fields[label] ?? null, shape: type }))
    }
    case 'choice': {
      const name = (value as Readonly<Record<string, Json>>).$
      const alternative = shape.alternatives.find((one) => one.name === name)
      return alternative === undefined ? [] : partsOf({ value, shape: alternative })
    }
    default:
      return []
  }
}

function withPart({ value, shape }: Place, i: number, part: Json): Json {
  if (shape.kind === 'list') return (value as readonly Json[]).with(i, part)
  if (shape.kind === 'option') return part
  const fields = value as Readonly<Record<string, Json>>
  const named = shape.kind === 'choice' ? shape.alternatives.find((one) => one.name === fields.$) : shape
  const label = named?.kind === 'class' ? named.fields[i]?.label : undefined
  return label === undefined ? value : { ...fields, [label]: part }
}

function changed(place: Place, pool: Pool, random: Random): Json {
  const { value, shape } = place
  if (shape.kind === 'list') return listChanged(value as readonly Json[], shape.of, pool, random)
  if (shape.kind === 'boolean') return value !== true
  // Sometimes an adjacent number.
  if (shape.kind === 'int' && random() % 4 === 0) return (value as number) + (random() % 2 === 0 ? 1 : -1)
  return oneOf(pool.get(shape) ?? [], random) ?? value
}

function listChanged(list: readonly Json[], of: Shape, pool: Pool, random: Random): Json {
  const one = list.length === 0 ? 0 : random() % list.length
  const other = list.length === 0 ? 0 : random() % list.length
  switch (random() % 5) {
    case 0: {
      const element = oneOf(pool.get(of) ?? [], random)
      return element === undefined ? list : list.toSpliced(random() % (list.length + 1), 0, element)
    }
    case 1:
      return list.toSpliced(one, 1)
    case 2:
      return list.length < 2 ? list : list.with(one, list[other]!).with(other, list[one]!)
    case 3: {
      const [from, to] = one < other ? [one, other] : [other, one]
      return [...list.slice(0, from), ...list.slice(from, to + 1).toReversed(), ...list.slice(to + 1)]
    }
    default: {
      const element = oneOf(pool.get(of) ?? [], random)
      return element === undefined || list.length === 0 ? list : list.with(one, element)
    }
  }
}

function oneOf<T>(list: readonly T[], random: Random): T | undefined {
  return list.length === 0 ? undefined : list[random() % list.length]
}
