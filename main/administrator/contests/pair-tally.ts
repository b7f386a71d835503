import type { OrderedPairs } from '../../contract/contests.ts'
import type { EntrantId, MatchNumber } from '../../contract/ids.ts'
import { DETAIL_MAX, type PairRow, type StandingRow, type WalkedAway } from '../../contract/procedures.ts'
import { finalistCount, firstStageCount } from './ordered-pairs.ts'
import type { PlayedMatch, Tally } from './standings.ts'

/** The tables of a contest of ordered pairs: a `Tally` whose points are scores. */
export interface PairTally extends Tally {
  add(played: PlayedMatch & { readonly match: MatchNumber }): void
  /** Indices of the entrants that the first stage brings to the final, best first; level ones keep their order. */
  finalists(): readonly number[]
}

/** Reasons that are told apart for one entrant; all later ones count as the last. */
const REASONS_MAX = 20

interface Met {
  sessions: number
  agreements: number
  readonly score: [number, number]
  readonly aborts: [number, number]
  /** Sessions in which a side got more than the other. */
  readonly wins: [number, number]
}

/**
 * Empty tables. `isFinal`: whether the first stage is over to its last match, so that finalists are ranked by what they scored
 * against one another, in both stages, and before all others.
 */
export function createPairTally(format: OrderedPairs, names: readonly EntrantId[], isFinal: () => boolean): PairTally {
  const n = names.length
  const places = new Map(names.map((name, at) => [name, at]))
  const firstStage = firstStageCount(format, n)
  /** By first and second. */
  const pairs = new Map<number, Met>()
  const firstScores = names.map(() => 0)
  const faults = names.map(() => 0)
  const reasons = names.map(() => new Map<string, number>())

  const finalists = (): readonly number[] =>
    names
      .map((_, at) => at)
      .sort((a, b) => firstScores[b]! - firstScores[a]!)
      .slice(0, finalistCount(format, n))

  const walked = (entrant: number, reason: string): void => {
    const all = reasons[entrant]!
    const known = all.has(reason) || all.size < REASONS_MAX ? reason : [...all.keys()].at(-1)!
    all.set(known, (all.get(known) ?? 0) + 1)
  }

  /** What an entrant has from the sessions with those of `others`. */
  const rowOf = (entrant: number, others: readonly number[], final: boolean): Omit<StandingRow, 'rank'> => {
    const sum = { matches: 0, agreements: 0, score: 0, wins: 0, removals: 0 }
    const seats: [number, number][] = [
      [0, 0],
      [0, 0],
    ]
    for (const other of others) {
      if (other === entrant) continue
      for (const seat of [0, 1] as const) {
        const met = pairs.get(seat === 0 ? entrant * n + other : other * n + entrant)
        if (met === undefined) continue
        sum.matches += met.sessions
        sum.agreements += met.agreements
        sum.score += met.score[seat]
        sum.removals += met.aborts[seat]
        sum.wins += met.wins[seat]
        seats[seat]![0] += met.sessions
        seats[seat]![1] += met.score[seat]
      }
    }
    const bySeat = seats.map(([sessions, score]) => ({ sessions, score }))
    const { agreements, ...counts } = sum
    const session = { agreements, bySeat, final }
    return { agent: names[entrant]!, ...counts, points: sum.score, faults: faults[entrant]!, session }
  }

  return {
    finalists,
    add({ match, entrants, outcome, faults: faulty }) {
      const at = outcome.places.map(({ seat }) => places.get(entrants[seat] ?? '') ?? -1)
      const [first, second] = at
      if (first === undefined || second === undefined || first === -1 || second === -1) return
      const key = first * n + second
      const met = pairs.get(key) ?? { sessions: 0, agreements: 0, score: [0, 0], aborts: [0, 0], wins: [0, 0] }
      pairs.set(key, met)
      met.sessions += 1
      if (outcome.agreed === true) met.agreements += 1
      for (const seat of [0, 1] as const) {
        const { score, removed, reason } = outcome.places[seat]!
        const entrant = at[seat]!
        met.score[seat] += score
        if (score > outcome.places[1 - seat]!.score) met.wins[seat] += 1
        faults[entrant]! += faulty[seat] ?? 0
        if (match < firstStage) firstScores[entrant]! += score
        if (!removed) continue
        met.aborts[seat] += 1
        walked(entrant, reason ?? '')
      }
    },
    standings() {
      const everybody = names.map((_, at) => at)
      const best = isFinal() ? finalists() : []
      const chosen = new Set(best)
      const byScore = (a: Omit<StandingRow, 'rank'>, b: Omit<StandingRow, 'rank'>): number => b.score - a.score
      const inFinal = best.map((at) => rowOf(at, best, true)).sort(byScore)
      const others = everybody.filter((at) => !chosen.has(at)).map((at) => rowOf(at, everybody, false))
      return [...ranked(inFinal, 0), ...ranked(others.sort(byScore), inFinal.length)]
    },
    headToHead() {
      const heads = n > DETAIL_MAX ? [] : names
      const of = (each: (met: Met, seat: 0 | 1) => number): number[][] =>
        heads.map((_, i) =>
          heads.map((__, j) => {
            const [first, second] = [pairs.get(i * n + j), pairs.get(j * n + i)]
            return (first === undefined ? 0 : each(first, 0)) + (second === undefined ? 0 : each(second, 1))
          }),
        )
      return {
        names: heads,
        better: of(({ score }, seat) => score[seat]),
        met: of(({ sessions }) => sessions),
        scores: true,
      }
    },
    pairs: (): readonly PairRow[] =>
      [...pairs]
        .sort(([a], [b]) => a - b)
        .map(([key, { sessions, agreements, score, aborts }]) => {
          return { first: names[Math.floor(key / n)]!, second: names[key % n]!, sessions, agreements, score, aborts }
        }),
    walkedAway: (): readonly WalkedAway[] =>
      names.flatMap((agent, at) => [...reasons[at]!].map(([reason, sessions]) => ({ agent, reason, sessions }))),
  }
}

/** Rows in order, with their ranks after so many others; level ones share theirs. */
function ranked(rows: readonly Omit<StandingRow, 'rank'>[], before: number): readonly StandingRow[] {
  let rank = 0
  return rows.map((row, at) => {
    if (row.score !== rows[at - 1]?.score) rank = before + at + 1
    return { ...row, rank }
  })
}
