import type { RuledResults } from '../../../contract/contests/rulings.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestRecord } from '../standings/contest-record.ts'

/** The rulings about a contest for a report, with its results as they were played; empty if there are no rulings. */
export function ruledIn<T>(
  { rulings, toPlayAgain }: Pick<ContestRecord, 'rulings' | 'toPlayAgain'>,
  asPlayed: () => T,
): { readonly ruled?: RuledResults<T> } {
  const after = rulings.at(-1)?.number
  return after === undefined ? {} : { ruled: { after, rulings, toPlayAgain, asPlayed: asPlayed() } }
}

/** The newest ruling about a contest, as a part of a row in a list; empty if there is none. */
export function afterRulingOf({ decisions = [] }: Pick<ContestEntry, 'decisions'>): { readonly afterRuling?: number } {
  const { length } = decisions.filter(({ decision }) => decision.type === 'ruling')
  return length === 0 ? {} : { afterRuling: length }
}
