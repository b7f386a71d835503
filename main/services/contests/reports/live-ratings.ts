import type { ContestRecord } from '../standings/contest-record.ts'
import type { ContestId, EntrantId } from '../../../contract/ids.ts'
import type { EntrantRating, StandingRow } from '../../../contract/contests/standings.ts'

/** The ratings of contests as screens show them. */
export interface LiveRatings {
  /** By the rows. `running`: whether matches are being played. */
  of(
    id: ContestId,
    record: Pick<ContestRecord, 'done' | 'ratedStandings'>,
    rows: readonly StandingRow[],
    running: boolean,
  ): readonly EntrantRating[]
}

/** A running contest is rated again when its matches have grown by this factor: rating takes up to a second. */
const GROWTH = 1.1

export function createLiveRatings(): LiveRatings {
  const kept = new Map<ContestId, { readonly done: number; readonly ratings: ReadonlyMap<EntrantId, EntrantRating> }>()
  return {
    of(id, record, rows, running) {
      const { done } = record
      let known = kept.get(id)
      if (known === undefined || (running ? done >= GROWTH * known.done : done !== known.done)) {
        const rated = record.ratedStandings().map((row): [EntrantId, EntrantRating] => {
          const { agent, rating, interval, superiority } = row
          return [agent, { rating, interval, superiority }]
        })
        known = { done, ratings: new Map(rated) }
        kept.set(id, known)
      }
      const { ratings } = known
      return rows.map(({ agent }) => ratings.get(agent)!)
    },
  }
}
