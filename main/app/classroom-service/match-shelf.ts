import type { MatchPlace } from '../../histories/place.ts'
import { indexMatch, type MatchIndex } from './match-index.ts'
import { startReading, type Reading } from './readings.ts'

/** Matches that are being looked at. What is kept of them in memory is bounded: those that nobody asked for longest go. */
export interface MatchShelf {
  /** Where the match's lines lie. Rejects as `indexMatch` does. */
  index(key: string, located: Located): Promise<MatchIndex>
  /** The match folded for viewers; begun when it is first asked for. */
  reading(key: string, located: Located): Promise<Reading>
  close(): Promise<void>
}

export interface Located {
  readonly place: MatchPlace
  /** What it is called where it cannot be read. */
  readonly name: string
}

interface Kept {
  readonly index: Promise<MatchIndex>
  /** 0 until it is known. */
  events: number
  reading: Promise<Reading> | null
}

/** Beyond either, the match asked for longest ago is forgotten. An event takes some hundred bytes. */
const MATCHES_MAX = 8
const EVENTS_MAX = 2_000_000

/** `scratch`: a path for a file of the moment. */
export function createMatchShelf(scratch: () => Promise<string>): MatchShelf {
  /** The one asked for last is the last. */
  const kept = new Map<string, Kept>()

  const forget = async (key: string): Promise<void> => {
    const match = kept.get(key)
    kept.delete(key)
    const reading = await match?.reading?.catch(() => null)
    await reading?.close()
  }

  const makeRoom = (): void => {
    const sum = (): number => [...kept.values()].reduce((events, each) => events + each.events, 0)
    while (kept.size > 1 && (kept.size > MATCHES_MAX || sum() > EVENTS_MAX)) void forget(kept.keys().next().value!)
  }

  const take = (key: string, { place, name }: Located): Kept => {
    const known = kept.get(key)
    const match = known ?? { index: indexMatch(place, name), events: 0, reading: null }
    kept.delete(key)
    kept.set(key, match)
    if (known === undefined) {
      match.index.then(
        ({ events }) => {
          match.events = events
          makeRoom()
        },
        () => kept.get(key) === match && kept.delete(key),
      )
    }
    makeRoom()
    return match
  }

  return {
    index: (key, located) => take(key, located).index,
    reading(key, located) {
      const match = take(key, located)
      if (match.reading !== null) return match.reading
      const reading = match.index.then(({ header, config, outcome }) => {
        const { game, version, seats } = header
        return startReading({ place: located.place, game, version, config, seats, seed: outcome.seed }, scratch)
      })
      match.reading = reading
      return reading
    },
    async close() {
      await Promise.all([...kept.keys()].map(forget))
    },
  }
}
