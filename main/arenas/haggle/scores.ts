import * as z from 'zod'
import type { Identity } from './identity.ts'

/** Sessions that were carried through, how many of them ended in an agreement, and dollars in all. */
const tally = z.strictObject({ sessions: z.int().min(0), agreements: z.int().min(0), score: z.int().min(0) })
type Tally = z.infer<typeof tally>

/** `all`, or a UTC day such as `2018-07-17`. */
const period = z.string().regex(/^(?:all|\d{4}-\d{2}-\d{2})$/, 'expected "all" or a day such as "2018-07-17"')
const identity = z.string().regex(/^[0-9a-f]{32}$/, 'expected 32 lower-case hex digits')

/** One arena's statistics as they are published and kept. */
export const publishedScores = z.record(identity, z.record(period, tally))
export type PublishedScores = z.infer<typeof publishedScores>

/** How much is kept of one arena. */
export interface ScoresLimits {
  readonly identities: number
  /** Tallies of single days, of all identities together. */
  readonly days: number
}

const scoresLimits: ScoresLimits = { identities: 5_000, days: 50_000 }

/** The earnings of the clients of one arena. */
export interface Scores {
  /** Counts a session that has ended on `day`, for one of the two. */
  add(identity: Identity, day: string, session: { readonly agreed: boolean; readonly score: number }): void
  published(): PublishedScores
  /** Grows with each change. */
  version(): number
}

/**
 * Statistics that go on from those kept. They are bounded: when there are too many identities, those with the fewest
 * sessions are forgotten, and among these who has not played for longest; when there are too many days, the oldest.
 */
export function createScores(kept: PublishedScores = {}, limits = scoresLimits): Scores {
  // The client that has played last stands last.
  const scores = new Map(Object.entries(kept).map(([who, periods]) => [who, new Map(Object.entries(periods))]))
  let days = [...scores.values()].reduce((sum, periods) => sum + daysOf(periods).length, 0)
  let version = 0

  const forget = (who: Identity): void => {
    days -= daysOf(scores.get(who)!).length
    scores.delete(who)
  }
  const makeRoom = (latest: Identity): void => {
    if (scores.size > limits.identities) {
      const others = [...scores].filter(([who]) => who !== latest)
      others.sort(([, a], [, b]) => sessionsOf(a) - sessionsOf(b))
      // A tenth at once, so that it happens rarely.
      for (const [who] of others.slice(0, Math.ceil(limits.identities / 10))) forget(who)
    }
    while (days > limits.days) {
      const oldest = [...scores.values()].flatMap(daysOf).reduce((a, b) => (a < b ? a : b))
      for (const periods of scores.values()) if (periods.delete(oldest)) days -= 1
    }
  }

  return {
    add(who, day, { agreed, score }) {
      const periods = scores.get(who) ?? new Map<string, Tally>()
      scores.delete(who)
      scores.set(who, periods)
      if (!periods.has(day)) days += 1
      for (const name of ['all', day]) {
        const { sessions, agreements, score: before } = periods.get(name) ?? nothing
        periods.set(name, {
          sessions: sessions + 1,
          agreements: agreements + (agreed ? 1 : 0),
          score: before + score,
        })
      }
      makeRoom(who)
      version += 1
    },
    published: () => Object.fromEntries([...scores].map(([who, periods]) => [who, Object.fromEntries(periods)])),
    version: () => version,
  }
}

const nothing: Tally = { sessions: 0, agreements: 0, score: 0 }
const daysOf = (periods: ReadonlyMap<string, Tally>): readonly string[] =>
  [...periods.keys()].filter((name) => name !== 'all')
const sessionsOf = (periods: ReadonlyMap<string, Tally>): number => periods.get('all')?.sessions ?? 0
