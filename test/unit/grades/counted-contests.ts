import { createPairedResults } from '../../../main/services/contests/statistics/paired-results.ts'
import type { CountedContest } from '../../../main/services/grades/term/term-table.ts'

/** An entrant of a contest that is made up: its team is written in capitals, and an agent without a team is not. */
export interface MadeEntrant {
  readonly name: string
  /** Its number stands for its package, too. Default: 1. */
  readonly version?: number
  readonly rank: number
  readonly asPlayed?: number
}

/** A match of a made-up contest: names of entrants, best first. */
type MadeMatch = readonly string[]

/** A contest that has ended, with these standings and matches. */
export function madeContest(
  contest: string,
  entrants: readonly MadeEntrant[],
  matches: readonly MadeMatch[] = [],
  asPlayed: readonly MadeMatch[] = matches,
): CountedContest {
  const isRuled = entrants.some((each) => each.asPlayed !== undefined)
  const meetings = (all: readonly MadeMatch[]) => {
    const results = createPairedResults(entrants.length)
    for (const [at, names] of all.entries())
      results.add(
        at,
        names.map((name) => entrants.findIndex((each) => each.name === name)),
        names.map((_, place) => place + 1),
      )
    return results.units()
  }
  return {
    ...{ contest, title: contest, game: 'haggle', ended: null, isRated: true },
    ...(isRuled ? { afterRuling: 1 } : {}),
    entrants: entrants.map(({ name, version = 1 }) => ({
      name,
      contender: { team: name === name.toUpperCase() ? `team-${name}` : null, name },
      version: { agent: `agent of ${name}`, hash: String(version).repeat(64), version },
    })),
    standings: entrants.map(({ name, rank, asPlayed: before }) => ({
      ...{ agent: name, rank, points: 10 - rank, matches: 3 },
      ...(before === undefined ? {} : { asPlayed: { rank: before, points: 10 - before } }),
    })),
    meetings: meetings(matches),
    meetingsAsPlayed: meetings(asPlayed),
  }
}

/** A match that is played a number of times. */
export const times = (count: number, ...names: string[]): readonly MadeMatch[] =>
  Array.from({ length: count }, () => names)
