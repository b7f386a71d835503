import type { EntrantId } from '../../../contract/ids.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'

/** A place that counts. */
export interface CountedPlace {
  readonly entrant: number
  readonly role: string
  readonly points: number
  readonly removed: boolean
}

/** Reports that two of the unit's `players` met in it. `won`: by the one, a tie is one half. */
export type Met = (unit: number, one: number, other: number, won: number, players: number) => void

/** Compares entrants over units of matches, in games whose roles cannot be compared with one another. */
export interface RoleComparison {
  /** `size`: the number of the unit's matches. */
  add(unit: number, size: number, places: readonly CountedPlace[]): void
  /** A match of the unit that does not count. */
  skip(unit: number, size: number): void
}

interface RoleSum {
  count: number
  points: number
}

interface OpenUnit {
  left: number
  /** By entrant and role. */
  readonly sums: Map<number, Map<string, RoleSum>>
  readonly removals: Map<number, number>
}

/**
 * Compares every two entrants of a unit when all its matches are over: in each role that both have had, by the points a
 * match in it, times the matches that both have had of it. If all have had every role equally often these are their
 * points in the unit. Two who have had no role in common have not met. The one removed more often is behind.
 */
export function createRoleComparison(met: Met): RoleComparison {
  const open = new Map<number, OpenUnit>()
  const unitOf = (unit: number, size: number): OpenUnit => {
    const known = open.get(unit) ?? { left: size, sums: new Map(), removals: new Map() }
    open.set(unit, known)
    return known
  }
  const end = (number: number, unit: OpenUnit): void => {
    unit.left -= 1
    if (unit.left > 0) return
    open.delete(number)
    const entrants = [...unit.sums.keys()].sort((a, b) => a - b)
    for (const [at, one] of entrants.entries()) {
      for (const other of entrants.slice(at + 1)) {
        const ahead = difference(unit, one, other)
        if (ahead !== null) met(number, one, other, ahead > 0 ? 1 : ahead < 0 ? 0 : 0.5, entrants.length)
      }
    }
  }
  return {
    add(number, size, places) {
      const unit = unitOf(number, size)
      for (const { entrant, role, points, removed } of places) {
        const roles = unit.sums.get(entrant) ?? new Map<string, RoleSum>()
        unit.sums.set(entrant, roles)
        const sum = roles.get(role) ?? { count: 0, points: 0 }
        roles.set(role, sum)
        sum.count += 1
        sum.points += points
        if (removed) unit.removals.set(entrant, (unit.removals.get(entrant) ?? 0) + 1)
      }
      end(number, unit)
    },
    skip: (number, size) => end(number, unitOf(number, size)),
  }
}

/** How far one is ahead of another; null: they cannot be compared. */
function difference({ sums, removals }: OpenUnit, one: number, other: number): number | null {
  let comparable = false
  let ahead = 0
  for (const [role, own] of sums.get(one)!) {
    const its = sums.get(other)!.get(role)
    if (its === undefined) continue
    comparable = true
    ahead += (own.points / own.count - its.points / its.count) * Math.min(own.count, its.count)
  }
  if (!comparable) return null
  return (removals.get(other) ?? 0) - (removals.get(one) ?? 0) || ahead
}

/** The places of a match that count. `extras`: indices of entrants for whom it does not. */
export function countedPlaces(
  { places }: Outcome,
  points: readonly number[],
  seated: readonly EntrantId[],
  entrantOf: ReadonlyMap<EntrantId, number>,
  extras: readonly number[],
  role: (seat: number) => string,
): readonly CountedPlace[] {
  return places.flatMap(({ seat, removed }, at) => {
    const entrant = entrantOf.get(seated[seat] ?? '')
    if (entrant === undefined || extras.includes(entrant)) return []
    return [{ entrant, role: role(seat), points: points[at]!, removed }]
  })
}
