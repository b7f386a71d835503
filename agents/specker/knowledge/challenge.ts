import type { Json } from '../../../main/contract/json.ts'
import type { Kind } from '../mathematics/kinds.ts'
import type { Formula } from '../solvers/formula.ts'

/** The limits of raw material: the challenge's own configuration (sections 5.1 and 5.2). */
export interface Limits {
  readonly variables: number
  readonly constraints: number
  readonly weight: number
  /** The number of variables of a constraint. */
  readonly longest: number
}

/**
 * An agent's knowledge of a challenge. An item is one relation or one clause type, as a number; a predicate is a set of
 * items. Functions that read JSON of others return undefined if they cannot read it, and never throw.
 */
export interface Challenge {
  readonly name: string
  readonly limits: Limits
  /** The items that an agent may offer and can deliver within the limits, simplest first. */
  readonly items: readonly number[]
  /** Items that may be offered but cannot be delivered: useful only beside others, when predicates are scarce. */
  readonly spares: readonly number[]
  kind(item: number): Kind
  implies(a: number, b: number): boolean
  /** The items of a predicate, ascending and without duplicates. */
  read(predicate: Json): number[] | undefined
  predicate(items: readonly number[]): Json
  /** The number of constraints of the fully symmetric raw material of one item on n variables. */
  placements(item: number, n: number): number
  /** Fully symmetric raw material on n variables; all constraints of an item have the weight given with it. */
  symmetric(n: number, parts: readonly { readonly item: number; readonly weight: number }[]): Json
  /** Random raw material: `n` variables, one constraint of weight 1 for each given item. */
  random(n: number, items: readonly number[], random: () => number): Json
  formula(instance: Json): Formula | undefined
  solution(values: ArrayLike<number>): Json
}

/** A whole number in [0, below). */
export function randomInt(below: number, random: () => number): number {
  return Math.floor(random() * below)
}

/** `count` different numbers in [0, n), in random order. */
export function sample(n: number, count: number, random: () => number): number[] {
  const chosen: number[] = []
  while (chosen.length < count) {
    const next = randomInt(n, random)
    if (!chosen.includes(next)) chosen.push(next)
  }
  return chosen
}

/** All `size`-element subsets of 0..n-1 in lexicographic order. */
export function* subsets(n: number, size: number, from = 0): Generator<number[]> {
  if (size === 0) {
    yield []
    return
  }
  for (let first = from; first <= n - size; first++) {
    for (const rest of subsets(n, size - 1, first + 1)) yield [first, ...rest]
  }
}

/** n over k as a double. */
export function choose(n: number, k: number): number {
  let result = 1
  for (let i = 0; i < k; i++) result = (result * (n - i)) / (i + 1)
  return Math.round(Math.max(0, result))
}

export function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The list under `key`, or undefined. */
export function listOf(value: Json, key: string): readonly Json[] | undefined {
  const list = isRecord(value) ? value[key] : undefined
  return Array.isArray(list) ? (list as readonly Json[]) : undefined
}

/** A whole number of at least `low`, or undefined. */
export function whole(value: Json | undefined, low: number): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= low ? value : undefined
}

/** A number of the challenge's configuration; `fallback` if it is missing. */
export function limit(config: Json, key: string, fallback: number): number {
  return (isRecord(config) ? whole(config[key], 1) : undefined) ?? fallback
}
