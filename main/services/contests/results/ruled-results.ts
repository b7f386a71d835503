import type { RuledResults } from '../../../contract/contests/rulings.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestRecord } from '../standings/contest-record.ts'

/** The rulings about a contest for a report, with its results as they were played; empty if there are no rulings. */
export function ruledIn<T>(
  {
    rulings,
    toPlayAgain,
    replayed,
    replayedVoid,
  }: Pick<ContestRecord, 'rulings' | 'toPlayAgain' | 'replayed' | 'replayedVoid'>,
  asPlayed: () => T,
): { readonly ruled?: RuledResults<T> } {
  const after = rulings.at(-1)?.number
  return after === undefined
    ? {}
    : { ruled: { after, rulings, toPlayAgain, replayed, replayedVoid, asPlayed: asPlayed() } }
}

/** The newest ruling about a contest, as a part of a row in a list; empty if there is none. */
export function afterRulingOf({ decisions = [] }: Pick<ContestEntry, 'decisions'>): { readonly afterRuling?: number } {
  const { length } = decisions.filter(({ decision }) => decision.type === 'ruling')
  return length === 0 ? {} : { afterRuling: length }
}

/** True if a ruling about a contest, perhaps a reversed one, wants a match played again. */
export function wantsReplays({ decisions = [] }: Pick<ContestEntry, 'decisions'>): boolean {
  return decisions.some(
    ({ decision }) =>
      decision.type === 'ruling' && decision.ruling.remedies.some((each) => each.type === 'annul' && each.playAgain),
  )
}
