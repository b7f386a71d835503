import type { Interval } from '../../../contract/contests/standings.ts'

/** An entrant with its rating in a contest. */
export interface RatedEntrant {
  readonly agent: string
  readonly rating: number
  /** null: too few matches; it counts with its rating alone. */
  readonly interval: Interval | null
  /** It was removed, or no meeting of its own counts for ratings: it is behind all others, tied with others of this kind. */
  readonly isLast: boolean
}

/** The place of an entrant if those whose ratings cannot be told apart are tied. */
export interface TiedPlace {
  /** The share of the others behind its chain, ties counted half, in percent. */
  readonly tied: number
  /** The number of entrants in its chain, itself included. */
  readonly tiedWith: number
}

/**
 * Places by rating, in which two whose intervals overlap are tied, and so are the ends of a chain of overlapping intervals. An entrant that
 * is alone is before all others.
 */
export function tiedPlaces(entrants: readonly RatedEntrant[]): ReadonlyMap<string, TiedPlace> {
  const reach = ({ rating, interval }: RatedEntrant): Interval => interval ?? [rating, rating]
  const sorted = entrants.filter(({ isLast }) => !isLast).sort((a, b) => reach(b)[1] - reach(a)[1])
  const chains: { agents: string[]; low: number }[] = []
  for (const each of sorted) {
    const [low, high] = reach(each)
    const above = chains.at(-1)
    if (above === undefined || high < above.low) chains.push({ agents: [each.agent], low })
    else {
      above.agents.push(each.agent)
      above.low = Math.min(above.low, low)
    }
  }
  const last = entrants.filter(({ isLast }) => isLast).map(({ agent }) => agent)
  if (last.length > 0) chains.push({ agents: last, low: -Infinity })
  const places = new Map<string, TiedPlace>()
  let before = 0
  for (const { agents } of chains) {
    const behind = entrants.length - before - agents.length
    const tied = entrants.length < 2 ? 100 : (100 * (behind + (agents.length - 1) / 2)) / (entrants.length - 1)
    for (const agent of agents) places.set(agent, { tied, tiedWith: agents.length })
    before += agents.length
  }
  return places
}
