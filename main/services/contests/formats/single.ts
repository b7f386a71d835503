import type * as z from 'zod'
import type { ContestFormat } from '../../../contract/contests/contest-format.ts'
import { SEATS_MAX, singleSettings } from '../../../contract/contests/format-settings.ts'

/** One match of all entrants, in the order of the description. */
export const single: ContestFormat<z.infer<typeof singleSettings>> = {
  id: 'single',
  settings: singleSettings,
  tableSize: (_, entrants) => entrants,
  fault: (_, entrants) =>
    entrants <= SEATS_MAX ? null : `A match can have at most ${SEATS_MAX} players; there are ${entrants} entrants.`,
  stages: () => [1],
  next: ({ entrants }) => [{ entrants: Array.from({ length: entrants }, (_, at) => at) }],
}
