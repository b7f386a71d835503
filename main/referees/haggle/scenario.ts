import { below, mersenne } from '../../contract/mersenne.ts'

/** The parameters from which scenarios are drawn; whole numbers. Limits: `scenarioFault`. */
export interface ScenarioSpace {
  /** The number of types of objects. */
  readonly types: number
  /** The minimum number of objects of all types together. */
  readonly minObjects: number
  /** The maximum number of objects of all types together. */
  readonly maxObjects: number
  /** The value of all objects together to each side, in dollars. */
  readonly totalValue: number
  /**
   * `original`: as in 2018, where the minimum number of objects restricts the first types and not only the last.
   * `corrected`: every division of minObjects to maxObjects objects into types, each with at least one object.
   */
  readonly generator: 'original' | 'corrected'
}

/** The objects and the value of one object of each type to each side. */
export interface Scenario {
  readonly counts: readonly number[]
  /** By seat. The two differ; with `counts` each adds up to the total value. */
  readonly values: readonly [readonly number[], readonly number[]]
}

/** The scenarios of one space, by seed. */
export interface Scenarios {
  /** The number of possible object sets; all are equally likely. */
  readonly sets: number
  /** `seed`: 1 to 2^32 - 1 (in the original 0 meant "any"). */
  scenario(seed: number): Scenario
}

/** Beyond these limits the original ran out of memory or took minutes; here it is an error. */
const SETS_MAX = 2_000_000
/** Cells of tables computed to find the object sets: about a second. */
const CELLS_MAX = 200_000_000
/** Cells of tables of valuations kept for the next scenario. */
const KEPT_MAX = 4_000_000
const TABLE_MAX = 4_000_000
const VALUATIONS_MAX = 2 ** 32

/**
 * Computes the object sets of a space, which takes some milliseconds for small ones (keep the result). `original` is
 * bit for bit the original's generator. A string says in one sentence why there are no scenarios.
 */
export function scenariosOf(space: ScenarioSpace): Scenarios | string {
  const fault = scenarioFault(space)
  if (fault !== null) return fault
  const sets = objectSets(space)
  if (typeof sets === 'string') return sets
  const { types, totalValue } = space
  if (sets.length === 0) {
    return `No ${types} types of ${space.minObjects} to ${space.maxObjects} objects can be worth ${totalValue} in two ways.`
  }
  const valuations = new Map<number, Valuations>()
  const most = Math.max(1, Math.floor(KEPT_MAX / ((types + 1) * (totalValue + 1))))
  return {
    sets: sets.length / types,
    scenario(seed) {
      const draw = mersenne(seed)
      // In the original this decided the seats when a person took part; it is drawn in any case.
      draw()
      const set = below(draw, sets.length / types)
      const counts = Array.from(sets.subarray(set * types, (set + 1) * types))
      const all = valuations.get(set) ?? valuationsOf(counts, totalValue)
      if (valuations.size >= most) valuations.clear()
      valuations.set(set, all)
      // The last two places of a shuffle that is not completed.
      const last = below(draw, all.count)
      const other = all.count === 2 ? 0 : below(draw, all.count - 1)
      const swapped = all.count === 2 ? 1 - last : other === last ? all.count - 1 : other
      return { counts, values: [all.at(swapped), all.at(last)] }
    },
  }
}

/** The problem of a space, in one sentence; null: none. */
function scenarioFault({ types, minObjects, maxObjects, totalValue }: ScenarioSpace): string | null {
  if (maxObjects < minObjects) return `At most ${maxObjects} objects are fewer than at least ${minObjects}.`
  if (types > maxObjects) return `${types} types need ${types} objects, and ${maxObjects} are the most.`
  if (totalValue < maxObjects)
    return `A total value of ${totalValue} is less than the ${maxObjects} objects there may be.`
  if (types * (totalValue + 1) > TABLE_MAX || divisions(totalValue, types) > VALUATIONS_MAX) {
    return `A total value of ${totalValue} can be divided among ${types} types in too many ways to work out.`
  }
  return null
}

/** The number of ways in which a sum can be divided among types of one object each. */
function divisions(sum: number, types: number): number {
  let ways = 1
  for (let i = 1; i < types; i++) ways = (ways * (sum + i)) / i
  return ways
}

/** All object sets with at least two valuations, concatenated, `types` counts each, in the original's order. */
function objectSets({ types, minObjects, maxObjects, totalValue, generator }: ScenarioSpace): Uint8Array | string {
  const found: number[] = []
  const counts = new Array<number>(types).fill(0)
  /** ways[i][s]: the number of ways in which the first i types can have the value s: 0, 1, or 2 for more. */
  const ways = Array.from({ length: types + 1 }, () => new Uint8Array(totalValue + 1))
  ways[0]![0] = 1
  let tried = 0
  let cells = 0

  const extend = (type: number, sum: number): boolean => {
    if (type === types) {
      if (ways[types]![totalValue]! >= 2) found.push(...counts)
      return ++tried <= SETS_MAX
    }
    const behind = types - 1 - type
    const asked = generator === 'original' || behind === 0 ? minObjects - sum - behind : 1
    for (let count = Math.max(1, asked); count <= maxObjects - sum - behind; count++) {
      cells += totalValue + 1
      if (cells > CELLS_MAX) return false
      counts[type] = count
      const before = ways[type]!
      const after = ways[type + 1]!
      for (let worth = 0; worth <= totalValue; worth++) {
        after[worth] = Math.min(2, before[worth]! + (worth < count ? 0 : after[worth - count]!))
      }
      if (!extend(type + 1, sum + count)) return false
    }
    return true
  }

  if (!extend(0, 0)) {
    return `${types} types of up to ${maxObjects} objects worth ${totalValue} are too many sets to work out.`
  }
  return Uint8Array.from(found)
}

/** The valuations of one object set in the original's order: ascending, the first type's value most significant. */
interface Valuations {
  readonly count: number
  at(index: number): readonly number[]
}

function valuationsOf(counts: readonly number[], totalValue: number): Valuations {
  const types = counts.length
  /** ways[i][s]: the number of ways in which the types from i on can have the value s. */
  const ways = Array.from({ length: types + 1 }, () => new Float64Array(totalValue + 1))
  ways[types]![0] = 1
  for (let type = types - 1; type >= 0; type--) {
    const count = counts[type]!
    for (let worth = 0; worth <= totalValue; worth++) {
      ways[type]![worth] = ways[type + 1]![worth]! + (worth < count ? 0 : ways[type]![worth - count]!)
    }
  }
  const count = ways[0]![totalValue]!
  return {
    count,
    at(index) {
      let left = totalValue
      let rank = index
      return counts.map((objects, type) => {
        let value = 0
        for (let fewer = ways[type + 1]![left]!; rank >= fewer; fewer = ways[type + 1]![left]!) {
          rank -= fewer
          left -= objects
          value++
        }
        return value
      })
    },
  }
}
