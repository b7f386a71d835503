import type { Seat } from '../../contract/game/table.ts'

/** As many as a history can hold. */
export const PUNTERS_MAX = 1_000

/** A seat for each punter; a string: why that number cannot play. */
export function seatsFor(punters: number): readonly Seat[] | string {
  if (punters < 2) return 'Lambda Punter is for two punters and more.'
  if (punters > PUNTERS_MAX) return `Lambda Punter is for ${PUNTERS_MAX} punters at most.`
  return Array.from({ length: punters }, (_, id) => ({ id, entrant: id, role: 'punter', bodies: 1 }))
}
