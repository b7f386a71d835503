import type { GameContests } from '../../../contract/contests/contest-format.ts'
import type { PlacedDecision } from '../../../contract/contests/decisions.ts'
import type { CountedRuling, Remedy, Ruling } from '../../../contract/contests/rulings.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'
import type { EntrantId, MatchNumber } from '../../../contract/ids.ts'

/** How a match counts after the rulings; null: for nobody. `isForfeited`: its result is not one of play. */
export type CountedOutcome = { readonly outcome: Outcome; readonly isForfeited: boolean } | null

/** The rulings about a contest, and what those that count do to its results. */
export interface Ruled {
  /** Oldest first. */
  readonly all: readonly CountedRuling[]
  /** True if they annul a match. */
  readonly annuls: boolean
  /** Matches that any of them, also one that is reversed, has annulled and played again, each once, in the order of the rulings. */
  readonly replays: readonly MatchNumber[]
  /** True for a match that is annulled and played again. */
  isReplaced(match: MatchNumber): boolean
  /** Entrants that are listed after all others, with the ruling that says so. */
  readonly removed: ReadonlyMap<EntrantId, number>
  /** The points that they give (or, below zero, take). */
  pointsOf(entrant: EntrantId): number
  /** `entrants`: by seat. */
  counted(match: MatchNumber, entrants: readonly EntrantId[], outcome: Outcome): CountedOutcome
}

/** Points are added in whole millionths, so that their order does not matter. */
const MILLION = 1_000_000

/** The rulings among the decisions about a contest. Throws ExpectedError 'verdict' if they are not numbered in order. */
export function ruledBy(decisions: readonly PlacedDecision[], { scoreUnit = 1 }: GameContests = {}): Ruled {
  const all = withReversals(rulingsIn(decisions))
  const remedies = all.flatMap((each) =>
    each.reversedBy === undefined ? each.remedies.map((remedy) => ({ remedy, number: each.number })) : [],
  )
  const annulled = new Map<MatchNumber, boolean>()
  const forfeits = new Map<EntrantId, Set<MatchNumber> | 'all'>()
  const removed = new Map<EntrantId, number>()
  const points = new Map<EntrantId, number>()
  /** The sums that are added to scores, by match and entrant. */
  const energy = new Map<MatchNumber, Map<EntrantId, number>>()
  for (const { remedy, number } of remedies) {
    if (remedy.type === 'annul') annulled.set(remedy.match, annulled.get(remedy.match) === true || remedy.playAgain)
    else if (remedy.type === 'points')
      points.set(remedy.entrant, (points.get(remedy.entrant) ?? 0) + Math.round(remedy.points * MILLION))
    else if (remedy.type === 'energy') {
      const ofMatch = energy.get(remedy.match) ?? new Map<EntrantId, number>()
      energy.set(remedy.match, ofMatch)
      ofMatch.set(remedy.entrant, (ofMatch.get(remedy.entrant) ?? 0) + Math.round(remedy.energy * scoreUnit))
    } else if (remedy.type === 'forfeit')
      forfeits.set(remedy.entrant, joined(forfeits.get(remedy.entrant), remedy.matches))
    else if (remedy.type === 'removal') {
      forfeits.set(remedy.entrant, 'all')
      removed.set(remedy.entrant, Math.min(number, removed.get(remedy.entrant) ?? number))
    }
  }
  const forfeitsMatch = (entrant: EntrantId, match: MatchNumber): boolean => {
    const given = forfeits.get(entrant)
    return given === 'all' || given?.has(match) === true
  }
  return {
    all,
    annuls: annulled.size > 0,
    replays: [...new Set(all.flatMap(({ remedies: of }) => of.flatMap(replayedBy)))],
    isReplaced: (match) => annulled.get(match) === true,
    removed,
    pointsOf: (entrant) => (points.get(entrant) ?? 0) / MILLION,
    counted(match, entrants, outcome) {
      if (annulled.has(match)) return null
      const given = energy.get(match)
      const changed = given === undefined ? outcome : withEnergy(outcome, entrants, given)
      const losing = entrants.map((entrant) => forfeitsMatch(entrant, match))
      return losing.includes(true) ? forfeited(changed, losing) : { outcome: changed, isForfeited: false }
    },
  }
}

const replayedBy = (remedy: Remedy): readonly MatchNumber[] =>
  remedy.type === 'annul' && remedy.playAgain ? [remedy.match] : []

const rulingsIn = (decisions: readonly PlacedDecision[]): readonly Ruling[] =>
  decisions.flatMap(({ decision }) => (decision.type === 'ruling' ? decision.ruling : []))

/** A ruling that is reversed does not reverse another one either. */
function withReversals(rulings: readonly Ruling[]): readonly CountedRuling[] {
  const reversedBy = new Map<number, number>()
  for (const { number, reverses } of rulings.toReversed())
    if (reverses !== undefined && !reversedBy.has(number)) reversedBy.set(reverses, number)
  return rulings.map((each, at): CountedRuling => {
    if (each.number !== at + 1 || (each.reverses ?? 0) >= each.number)
      throw new ExpectedError(
        'verdict',
        'history-damaged',
        `The histories contain ruling ${each.number} where ruling ${at + 1} of the contest belongs.`,
      )
    const by = reversedBy.get(each.number)
    return by === undefined ? each : { ...each, reversedBy: by }
  })
}

function joined(
  before: Set<MatchNumber> | 'all' | undefined,
  matches: (Remedy & { type: 'forfeit' })['matches'],
): Set<MatchNumber> | 'all' {
  if (before === 'all' || matches === 'all') return 'all'
  return new Set([...(before ?? []), ...matches])
}

/** An outcome with more or less energy: players that finished are ranked by it; those who were removed stay behind, in their order. */
function withEnergy(outcome: Outcome, entrants: readonly EntrantId[], given: ReadonlyMap<EntrantId, number>): Outcome {
  const places = outcome.places.map((place) => {
    const entrant = entrants[place.seat]
    // An entrant that has several seats gets it once.
    const isFirst = entrant !== undefined && entrants.indexOf(entrant) === place.seat
    return isFirst ? { ...place, score: place.score + (given.get(entrant) ?? 0) } : place
  })
  const finished = places.filter(({ removed }) => !removed)
  const rankOf = (score: number): number => 1 + finished.filter((other) => other.score > score).length
  return { ...outcome, places: places.map((each) => (each.removed ? each : { ...each, rank: rankOf(each.score) })) }
}

/**
 * The outcome of a match that seats forfeit: they share the last place and keep no score above zero or above that of another; the
 * others move up and keep theirs. If all seats forfeit it, it counts for nobody.
 */
function forfeited(outcome: Outcome, losing: readonly boolean[]): CountedOutcome {
  const isLosing = ({ seat }: Outcome['places'][number]): boolean => losing[seat] === true
  const others = outcome.places.filter((place) => !isLosing(place))
  if (others.length === 0) return null
  const most = Math.min(0, ...others.map(({ score }) => score))
  const places = outcome.places.map((place) =>
    isLosing(place)
      ? { ...place, rank: others.length + 1, score: Math.min(most, place.score) }
      : { ...place, rank: 1 + others.filter(({ rank }) => rank < place.rank).length },
  )
  return { outcome: { ...outcome, places }, isForfeited: true }
}
