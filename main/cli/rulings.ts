import { afterRuling, rulingWords } from '../contract/contests/ruling-words.ts'
import type { RuledResults } from '../contract/contests/rulings.ts'
import type { RatedRow } from '../contract/contests/standings.ts'
import { left, right, safeLine, tableOf } from './text.ts'

/** The rulings about a contest, and the entrants whose rank or points they change, before and after. */
export function rulingLines({
  after,
  rulings,
  toPlayAgain,
  replayed,
  replayedVoid,
  standings,
}: Omit<RuledResults<unknown>, 'asPlayed'> & {
  readonly standings: readonly Pick<RatedRow, 'agent' | 'rank' | 'points' | 'asPlayed'>[]
}): readonly string[] {
  const changed = standings.flatMap(({ asPlayed, ...row }) =>
    asPlayed !== undefined && (asPlayed.rank !== row.rank || asPlayed.points !== row.points)
      ? { ...row, asPlayed }
      : [],
  )
  return [
    '',
    `The standings are those ${afterRuling(after)}.`,
    ...rulings.map((each) => `  ruling ${each.number}, ${each.case}: ${safeLine(rulingWords(each))}`),
    ...(toPlayAgain.length === 0 ? [] : [`To be played again: ${toPlayAgain.join(', ')}.`]),
    ...replayed.map(({ match, as }) => `Match ${match} was played again as match ${as}, which counts in its place.`),
    ...replayedVoid.map(
      ({ match, as }) => `Match ${match} was played again as match ${as}, which is void: it counts for nobody.`,
    ),
    ...(changed.length === 0
      ? ['They are as they were played.']
      : tableOf(changed, [
          left('agent', ({ agent }) => agent),
          right('rank as played', ({ asPlayed }) => String(asPlayed.rank)),
          right('rank', ({ rank }) => String(rank)),
          right('points as played', ({ asPlayed }) => asPlayed.points.toFixed(1)),
          right('points', ({ points }) => points.toFixed(1)),
        ])),
  ]
}
