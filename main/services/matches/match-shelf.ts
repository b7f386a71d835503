import { indexMatch, type LocatedMatch, type MatchIndex } from './match-index.ts'
import { startReading, type MatchReading } from './match-reader.ts'
import { startReader } from '../machine/reader.ts'
import type { ReadReport } from '../../worker/protocol.ts'

/** A cache of the matches that people look at. It is limited; the least recently used matches are dropped. */
export interface MatchShelf {
  /** The places of the match's lines. Rejects like `indexMatch`. */
  index(key: string, located: LocatedMatch): Promise<MatchIndex>
  /** The match folded for viewers; started at the first request. */
  reading(key: string, located: LocatedMatch): Promise<MatchReading>
  forget(key: string): Promise<void>
  close(): Promise<void>
}

interface Kept {
  readonly index: Promise<MatchIndex>
  /** null: not known yet. */
  known: MatchIndex | null
  reading: Promise<MatchReading> | null
}

/** Beyond either limit, the least recently used match is dropped. An event takes some hundred bytes. */
const MATCHES_MAX = 8
const EVENTS_MAX = 2_000_000

/** `scratch`: returns a path for a temporary file. */
export function createMatchShelf(scratch: () => Promise<string>): MatchShelf {
  /** In order of use, the most recent last. */
  const kept = new Map<string, Kept>()

  const forget = async (key: string): Promise<void> => {
    const match = kept.get(key)
    kept.delete(key)
    const reading = await match?.reading?.catch(() => null)
    await reading?.close()
  }

  const makeRoom = (): void => {
    const sum = (): number => [...kept.values()].reduce((events, { known: index }) => events + (index?.most ?? 0), 0)
    while (kept.size > 1 && (kept.size > MATCHES_MAX || sum() > EVENTS_MAX)) void forget(kept.keys().next().value!)
  }

  const take = (key: string, located: LocatedMatch): Kept => {
    const known = kept.get(key)
    const match = known ?? { index: indexMatch(located), known: null, reading: null }
    kept.delete(key)
    kept.set(key, match)
    if (known === undefined) {
      match.index.then(
        (index) => {
          match.known = index
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
      // The worker starts while the index is being made.
      const worker = startReader<ReadReport>()
      const grows = located.coming !== undefined
      const reading = match.index.then(
        ({ header, config, outcome }) => {
          const { game, version, seats } = header
          const { place } = located
          return startReading(worker, { place, grows, game, version, config, seats, seed: outcome.seed }, scratch)
        },
        (error: unknown) => {
          worker.kill()
          throw error
        },
      )
      reading.catch(() => undefined)
      match.reading = reading
      return reading
    },
    forget,
    async close() {
      await Promise.all([...kept.keys()].map(forget))
    },
  }
}
