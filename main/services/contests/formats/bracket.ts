import { hash } from 'node:crypto'
import type {
  ContestField,
  EntrantResult,
  FormatContest,
  StageResult,
} from '../../../contract/contests/contest-format.ts'
import type { Knockout } from '../../../contract/contests/format-settings.ts'
import { randomStream, shuffled } from '../../../contract/random.ts'

/** Two entrants of whom one goes on. */
export interface BracketEncounter {
  /** From 0. */
  readonly round: number
  /** For third place, by the losers of the semi-finals. */
  readonly isThirdPlace: boolean
  /** The better seed first. */
  readonly players: readonly [number, number]
  /** The results of the two players in it. */
  readonly results: readonly [EntrantResult, EntrantResult]
  /** undefined: not decided yet. */
  readonly winner: number | undefined
  /** The rule that decided it; undefined: it is not decided yet. */
  readonly decidedBy: 'matches' | 'points' | 'playing on' | 'score' | 'seed' | 'withdrawal' | 'ruling' | undefined
}

/** The bracket so far: the encounters of each round that has begun. */
export type Bracket = readonly (readonly BracketEncounter[])[]

/** The number of rounds until one of the entrants is left. */
export const roundCount = (entrants: number): number => Math.ceil(Math.log2(Math.max(1, entrants)))

/** Matches that both players of an encounter play in any case. */
const firstMatches = ({ bestOf }: Knockout): number => (bestOf + 1) / 2

/** Stages of a round before ties: one with the matches that are played in any case, and one for each further match. */
export const usualStages = (settings: Knockout): number => 1 + settings.bestOf - firstMatches(settings)

/** The most stages of two matches that follow a tie; what is tied after them, the score decides, and then the seed. */
const PLAY_ON_STAGES = 4

/** All stages of a round. */
export const stagesPerRound = (settings: Knockout): number =>
  usualStages(settings) + (settings.ties === 'play-on' ? PLAY_ON_STAGES : 0)

/** The number of encounters in a round, if there is a third place with it. */
export function encounterCount({ thirdPlace }: Knockout, entrants: number, round: number): number {
  const rounds = roundCount(entrants)
  if (round === 0 && rounds > 1) return entrants - 2 ** (rounds - 1)
  return 2 ** (rounds - 1 - round) + (thirdPlace && round === rounds - 1 && entrants > 3 ? 1 : 0)
}

/** An encounter that goes on, with the number of its matches in this stage and before it. */
export interface OpenEncounter {
  readonly players: readonly [number, number]
  readonly before: number
  readonly matches: number
}

/** The encounters to play in the stage after these results; those that are decided are left out. */
export function openEncounters(
  contest: FormatContest<Knockout>,
  results: readonly StageResult[],
): readonly OpenEncounter[] {
  const { settings } = contest
  const before = results.length % stagesPerRound(settings)
  const first = firstMatches(settings)
  const round = bracketOf(contest, results).at(-1) ?? []
  return round
    .filter(({ winner }) => winner === undefined)
    .map(({ players }) => {
      if (before === 0) return { players, before: 0, matches: first }
      const extra = before - usualStages(settings)
      if (extra < 0) return { players, before: first + before - 1, matches: 1 }
      return { players, before: settings.bestOf + 2 * extra, matches: 2 }
    })
}

/**
 * A bracket as it was played with the winners that count after rulings; `results`: those that count. An encounter in which
 * they are tied stays as it was played. An entrant that has lost one, as it counts, loses all that it has played afterwards to
 * an opponent of whom that is not true.
 */
export function recounted(settings: Knockout, played: Bracket, results: readonly StageResult[]): Bracket {
  const each = stagesPerRound(settings)
  const out = new Set<number>()
  return played.map((encounters, round) => {
    const stages = results.slice(round * each, (round + 1) * each)
    const counted = encounters.map((encounter): BracketEncounter => {
      const { players, winner, decidedBy, isThirdPlace } = encounter
      const [a, b] = players.map((player) => sumOf(stages, player)) as [EntrantResult, EntrantResult]
      const known = { ...encounter, results: [a, b] as const }
      if (winner === undefined) return known
      const isOut = players.map((player) => !isThirdPlace && out.has(player))
      const isTied = decidedBy === 'withdrawal' || (a.wins === b.wins && a.points === b.points)
      const better = isTied ? winner : players[comparison(settings, [a, b]).difference < 0 ? 1 : 0]
      const counts = isOut[0] === isOut[1] ? better : players[isOut[0] === true ? 1 : 0]
      return counts === winner ? known : { ...known, winner: counts, decidedBy: 'ruling' }
    })
    for (const { players, winner, isThirdPlace } of counted)
      for (const player of players) if (winner !== undefined && player !== winner && !isThirdPlace) out.add(player)
    return counted
  })
}

/** The bracket that follows from the results of finished stages. The last of `results` may be of a running stage. */
export function bracketOf(
  { settings, entrants, seed, field }: FormatContest<Knockout>,
  results: readonly StageResult[],
): Bracket {
  const seeds = seedsOf(settings, entrants, seed)
  const strength = new Map(seeds.map((entrant, at) => [entrant, at]))
  const [rounds, each] = [roundCount(entrants), stagesPerRound(settings)]
  let places: readonly (number | undefined)[] = seedPlaces(rounds).map((place) => seeds[place])
  let losers: readonly number[] = []
  const bracket: BracketEncounter[][] = []
  for (let round = 0; round < rounds; round++) {
    if (results.length < round * each) break
    const stages = results.slice(round * each, (round + 1) * each)
    const meet = (a: number, b: number, isThirdPlace = false): BracketEncounter => {
      const players: readonly [number, number] = strength.get(a)! < strength.get(b)! ? [a, b] : [b, a]
      const both = players.map((player) => sumOf(stages, player)) as unknown as readonly [EntrantResult, EntrantResult]
      const known = { round, isThirdPlace, players, results: both }
      const stays = remaining(field, players, results.length, (round + 1) * each)
      if (stays !== undefined && !isPlayedOut(settings, both))
        return { ...known, winner: stays, decidedBy: 'withdrawal' }
      if (!isDecided(settings, both, stages.length)) return { ...known, winner: undefined, decidedBy: undefined }
      const { difference, by } = comparison(settings, both)
      const decidedBy = stages.slice(usualStages(settings)).some((stage) => hasPlayed(stage, a)) ? playedOn(by) : by
      return { ...known, winner: players[difference < 0 ? 1 : 0], decidedBy }
    }
    const encounters: BracketEncounter[] = []
    const next: (number | undefined)[] = []
    for (let at = 0; at < places.length; at += 2) {
      const [a, b] = [places[at], places[at + 1]]
      if (a === undefined || b === undefined) {
        next.push(a ?? b)
        continue
      }
      const encounter = meet(a, b)
      encounters.push(encounter)
      next.push(encounter.winner)
    }
    const [third, fourth] = losers
    if (settings.thirdPlace && round === rounds - 1 && third !== undefined && fourth !== undefined)
      encounters.push(meet(third, fourth, true))
    losers = encounters.flatMap(({ players, winner }) => players.filter((player) => player !== winner))
    bracket.push(encounters)
    if (encounters.some(({ winner }) => winner === undefined)) break
    places = next
  }
  return bracket
}

/**
 * The one of two who goes on because the other has withdrawn before this stage, at the latest when their round ended; if
 * both have, the better seed, which does not play either. undefined: both play.
 */
function remaining(
  field: ContestField | undefined,
  players: readonly [number, number],
  stage: number,
  roundEnd: number,
): number | undefined {
  const left = players.map((player) => (field?.left[player] ?? Infinity) <= Math.min(stage, roundEnd))
  return left.includes(true) ? players[left[0] === true && left[1] !== true ? 1 : 0] : undefined
}

/** True if the matches of an encounter had decided it before one of the two withdrew. */
function isPlayedOut({ bestOf, ties }: Knockout, [a, b]: readonly [EntrantResult, EntrantResult]): boolean {
  const further = a.matches - bestOf
  if (further < 0) return Math.abs(a.wins - b.wins) > -further
  if (further % 2 === 1) return false
  const isTied = a.wins === b.wins && a.points === b.points
  return !isTied || further >= (ties === 'play-on' ? 2 * PLAY_ON_STAGES : 0)
}

/** Entrants by strength. */
function seedsOf({ seeding }: Knockout, entrants: number, seed: string): readonly number[] {
  const listed = Array.from({ length: entrants }, (_, at) => at)
  return seeding === 'listed' ? listed : shuffled(listed, randomStream(hash('sha256', `knockout:${seed}`)))
}

/** Seeds by their place in the bracket, so that the best two can only meet in the last round, and so on. */
function seedPlaces(rounds: number): readonly number[] {
  let places: readonly number[] = [0]
  for (let round = 0; round < rounds; round++) places = places.flatMap((seed) => [seed, 2 * places.length - 1 - seed])
  return places
}

function sumOf(stages: readonly StageResult[], entrant: number): EntrantResult {
  const sum = { matches: 0, points: 0, score: 0, wins: 0 }
  for (const stage of stages) {
    const { matches = 0, points = 0, score = 0, wins = 0 } = stage[entrant] ?? {}
    sum.matches += matches
    sum.points += points
    sum.score += score
    sum.wins += wins
  }
  return sum
}

/**
 * True if the remaining matches cannot change who has won more, or if no tie is left to play on. `stages`: the finished stages
 * of the round.
 */
function isDecided(settings: Knockout, both: readonly [EntrantResult, EntrantResult], stages: number): boolean {
  const usual = usualStages(settings)
  const [a, b] = both
  if (stages === 0) return false
  if (stages < usual) return Math.abs(a.wins - b.wins) > usual - stages
  const isTied = a.wins === b.wins && a.points === b.points
  return !isTied || stages >= stagesPerRound(settings)
}

/** The better of two, as a number above or below 0 (0: the better seed), and the rule that says so. */
function comparison(
  { ties }: Knockout,
  [a, b]: readonly [EntrantResult, EntrantResult],
): { readonly difference: number; readonly by: NonNullable<BracketEncounter['decidedBy']> } {
  if (a.wins !== b.wins) return { difference: a.wins - b.wins, by: 'matches' }
  if (a.points !== b.points) return { difference: a.points - b.points, by: 'points' }
  if (ties !== 'seed' && a.score !== b.score) return { difference: a.score - b.score, by: 'score' }
  return { difference: 0, by: 'seed' }
}

const hasPlayed = (stage: StageResult, entrant: number): boolean => (stage[entrant]?.matches ?? 0) > 0

/** If there were matches after a tie, they have decided, unless the tie has outlasted them. */
const playedOn = (by: NonNullable<BracketEncounter['decidedBy']>): BracketEncounter['decidedBy'] =>
  by === 'matches' || by === 'points' ? 'playing on' : by
