import type { ContestField, PairedByHand } from '../../../contract/contests/contest-format.ts'
import type { PlacedDecision } from '../../../contract/contests/decisions.ts'
import type { EntrantId } from '../../../contract/ids.ts'

/**
 * The field of a contest with these decisions; undefined: there are none. `names`: all entrants, those that entered late
 * at the end. `unplayed`: see `ContestField`.
 */
export function fieldOf(
  names: readonly EntrantId[],
  decisions: readonly PlacedDecision[],
  unplayed: ContestField['unplayed'],
): ContestField | undefined {
  // Accepting a difference changes neither the field nor its pairings, and a ruling changes neither after the fact.
  const ofField = decisions.filter(({ decision }) => decision.type !== 'accept' && decision.type !== 'ruling')
  if (ofField.length === 0) return undefined
  const places = new Map(names.map((name, at) => [name, at]))
  const placeOf = (name: EntrantId): number => places.get(name) ?? -1
  const joined = names.map(() => 0)
  const left = names.map(() => Infinity)
  const leftBy = names.map(() => Infinity)
  const paired = new Map<number, PairedByHand>()
  let late = 0
  for (const [at, { stage, decision }] of ofField.entries()) {
    if (decision.type === 'withdraw') {
      left[placeOf(decision.entrant)] = stage
      leftBy[placeOf(decision.entrant)] = at
    } else if (decision.type === 'enter') {
      joined[placeOf(decision.entrant.name)] = stage
      late++
    } else if (decision.type === 'pair') {
      const tables = decision.tables.map((table) => table.map(placeOf))
      paired.set(decision.round - 1, { tables, byes: decision.byes.map(placeOf) })
    }
  }
  const changedFrom = Math.min(...ofField.map(({ stage }) => stage))
  return { initial: names.length - late, changedFrom, joined, left, leftBy, paired, unplayed }
}

/** True if an entrant is paired in a stage. */
export const isActive = ({ joined, left }: ContestField, entrant: number, stage: number): boolean =>
  joined[entrant]! <= stage && stage < left[entrant]!
