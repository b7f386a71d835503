import { hash } from 'node:crypto'
import type {
  ContestField,
  EntrantResult,
  FormatContest,
  Pairing,
  Pairings,
  StageResult,
} from '../../../contract/contests/contest-format.ts'
import type { Swiss } from '../../../contract/contests/format-settings.ts'
import { randomStream, shuffled } from '../../../contract/random.ts'
import { addBit, hasBit } from '../../../contract/number-set.ts'
import { isActive } from './contest-field.ts'
import { seatsOf } from './seats.ts'
import { matchRound, type PairedRound } from './swiss-matching.ts'

/** The points of a bye: as many as the best of those who played won in the round. */
export const byePoints = (result: StageResult): number => result.reduce((most, { points }) => Math.max(most, points), 0)

/** The tables of a round by match and seat, and the entrants who sit at none. */
export function tablesAndByes(
  pairings: Pairings,
  entrants: number,
): { readonly tables: readonly (readonly number[])[]; readonly byes: readonly number[] } {
  const tables = Array.from({ length: pairings.length }, (_, match) => pairings.at(match)!.entrants)
  const playing = new Set(tables.flat())
  return { tables, byes: Array.from({ length: entrants }, (_, at) => at).filter((at) => !playing.has(at)) }
}

/** A round of a contest with decisions of the educator. */
export interface DecidedRound {
  /** The tables that are played. */
  readonly tables: readonly (readonly number[])[]
  /** The tables that are not, because somebody at them has withdrawn. */
  readonly unplayed: readonly (readonly number[])[]
  /** Entrants left over, and those at unplayed tables who had not withdrawn then: both get the points of a bye. */
  readonly byes: readonly number[]
  /** Entrants that have withdrawn, or had not entered when the round was paired. */
  readonly absent: readonly number[]
}

/** Like `tablesAndByes`, for a stage of a contest with decisions. */
export function decidedRound(field: ContestField, pairings: Pairings, stage: number): DecidedRound {
  const { tables: all } = tablesAndByes(pairings, 0)
  const tables = all.filter((_, index) => !field.unplayed(stage, index))
  const unplayed = all.filter((_, index) => field.unplayed(stage, index))
  const playing = new Set(tables.flat())
  const waiting = new Set(unplayed.flat())
  const everybody = field.joined.map((_, entrant) => entrant)
  // The first who withdrew from an unplayed table is absent; one who withdraws after that keeps the bye.
  const left = unplayed.map((table) => Math.min(...table.map((entrant) => field.leftBy[entrant]!)))
  const isThere = (entrant: number): boolean =>
    isActive(field, entrant, stage) && !(waiting.has(entrant) && left.includes(field.leftBy[entrant]!))
  const given = field.paired.get(stage)?.byes
  const hasBye = (entrant: number): boolean =>
    isThere(entrant) && (given === undefined || given.includes(entrant) || waiting.has(entrant))
  const idle = everybody.filter((entrant) => !playing.has(entrant))
  return { tables, unplayed, byes: idle.filter(hasBye), absent: idle.filter((entrant) => !hasBye(entrant)) }
}

/** A summary of the rounds so far, from which the next one is paired. */
interface Past {
  readonly points: number[]
  readonly byes: number[]
  /** How often each has sat in each seat, by entrant and seat. */
  readonly sat: number[][]
  readonly lastSeat: number[]
  /** The number of each one's latest matches in its last seat. */
  readonly run: number[]
  /** One bit for each two entrants a and b, at a × entrants + b; it is 1 if they have met. */
  readonly met: Uint8Array
}

/** The facts from which a round was paired, and rounds that could follow it. */
interface Paired {
  readonly past: Past
  readonly plan: readonly PairedRound[]
}

/** With them, the next round adds one result to the summary and need not begin at the first. */
const knownBefore = new WeakMap<Pairings, Paired>()

/** The rounds of a tournament whose setting is absent; a format's own number. */
type Rounds = (settings: Swiss, entrants: number) => number

/**
 * The pairings of the round that follows these results, the leaders first. `pairings`: those of the rounds that are
 * over. They depend on nothing else but the seed.
 */
export function nextRound(
  contest: FormatContest<Swiss>,
  results: readonly StageResult[],
  pairings: readonly Pairings[],
  rounds: Rounds,
): Pairings {
  const { settings, entrants, seed, field } = contest
  if (field !== undefined) return nextDecided({ ...contest, field }, results, pairings, rounds)
  const seats = seatsOf(settings)
  const isMatched = settings.pairing === 'least-gap' && seats === 2
  const last = pairings.at(-1)
  if (isMatched && last !== undefined && !knownBefore.has(last)) {
    // The plan follows from all rounds before.
    const again = nextRound(contest, results.slice(0, -1), pairings.slice(0, -1), rounds)
    knownBefore.set(last, knownBefore.get(again)!)
  }
  const { plan = [] } = last === undefined ? {} : (knownBefore.get(last) ?? {})
  const past = pastAfter(entrants, seats, results, pairings)
  const stream = `swiss:${pairings.length}:${seed}`
  if (!isMatched) {
    const round = pairRound(past, seats, stream)
    knownBefore.set(round, { past, plan: [] })
    return round
  }
  const later = rounds(settings, entrants) - pairings.length - 1
  const matched = matchRound(past, later, plan, randomStream(hash('sha256', stream)))
  if (matched === null) throw new Error('no round without a rematch')
  const round = matched.round.pairs.map((pair) => ({ entrants: pair }))
  knownBefore.set(round, { past, plan: matched.plan })
  return round
}

/**
 * `nextRound` in a contest with decisions: before the first of them as without any, and afterwards among those who are
 * there, round by round: no plan to the end is known, so a rematch may become unavoidable.
 */
function nextDecided(
  contest: FormatContest<Swiss> & { readonly field: ContestField },
  results: readonly StageResult[],
  pairings: readonly Pairings[],
  rounds: Rounds,
): Pairings {
  const { settings, seed, field } = contest
  const stage = pairings.length
  const byHand = field.paired.get(stage)
  if (byHand !== undefined) return byHand.tables.map((entrants) => ({ entrants }))
  if (stage < field.changedFrom) {
    const { initial } = field
    const before = results.map((result) => result.slice(0, initial))
    return nextRound({ ...contest, entrants: initial, field: undefined }, before, pairings, rounds)
  }
  const seats = seatsOf(settings)
  const there = field.joined.flatMap((_, entrant) => (isActive(field, entrant, stage) ? entrant : []))
  const past = pastOf(field, there, seats, results, pairings)
  const stream = `swiss:${stage}:${seed}`
  const matched =
    settings.pairing === 'least-gap' && seats === 2 && there.length > 1
      ? matchRound(past, 0, null, randomStream(hash('sha256', stream)))
      : null
  const tables = matched?.round.pairs ?? pairRound(past, seats, stream).map(({ entrants }) => entrants)
  return tables.map((table) => ({ entrants: table.map((at) => there[at]!) }))
}

/** The past of those who are there, numbered in their order. */
function pastOf(
  field: ContestField,
  there: readonly number[],
  seats: number,
  results: readonly StageResult[],
  pairings: readonly Pairings[],
): Past {
  const past = noPast(there.length, seats)
  const at = new Map(there.map((entrant, place) => [entrant, place]))
  const placesOf = (entrants: readonly number[]): number[] => entrants.map((entrant) => at.get(entrant) ?? -1)
  for (const [stage, round] of pairings.entries()) {
    const { tables, byes } = decidedRound(field, round, stage)
    const result = results[stage]!
    const own = there.map((entrant) => result[entrant] ?? { points: 0 })
    add(past, tables.map(placesOf), placesOf(byes), own, byePoints(result))
  }
  return past
}

function pastAfter(
  entrants: number,
  seats: number,
  results: readonly StageResult[],
  pairings: readonly Pairings[],
): Past {
  const last = pairings.at(-1)
  const known = last === undefined ? undefined : knownBefore.get(last)?.past
  if (last !== undefined && known !== undefined) {
    // From here on it is what is known after that round.
    knownBefore.delete(last)
    remember(known, entrants, last, results.at(-1)!)
    return known
  }
  const past = noPast(entrants, seats)
  for (const [number, round] of pairings.entries()) remember(past, entrants, round, results[number]!)
  return past
}

function noPast(entrants: number, seats: number): Past {
  return {
    points: Array.from({ length: entrants }, () => 0),
    byes: Array.from({ length: entrants }, () => 0),
    sat: Array.from({ length: entrants }, () => Array.from({ length: seats }, () => 0)),
    lastSeat: Array.from({ length: entrants }, () => -1),
    run: Array.from({ length: entrants }, () => 0),
    met: new Uint8Array(Math.ceil(entrants ** 2 / 8)),
  }
}

function remember(past: Past, entrants: number, round: Pairings, result: StageResult): void {
  const { tables, byes } = tablesAndByes(round, entrants)
  add(past, tables, byes, result, byePoints(result))
}

/** Adds a round. Entrants that are -1 are not there any more. */
function add(
  past: Past,
  tables: readonly (readonly number[])[],
  byes: readonly number[],
  result: readonly Pick<EntrantResult, 'points'>[],
  bye: number,
): void {
  const entrants = past.points.length
  for (const [entrant, { points }] of result.entries()) past.points[entrant]! += points
  for (const entrant of byes) {
    if (entrant === -1) continue
    past.byes[entrant]! += 1
    past.points[entrant]! += bye
  }
  for (const table of tables) {
    for (const [seat, entrant] of table.entries()) {
      if (entrant === -1) continue
      past.sat[entrant]![seat]! += 1
      past.run[entrant] = past.lastSeat[entrant] === seat ? past.run[entrant]! + 1 : 1
      past.lastSeat[entrant] = seat
      for (const other of table) if (other !== entrant && other !== -1) addBit(past.met, entrant * entrants + other)
    }
  }
}

function pairRound(past: Past, seats: number, stream: string): Pairing[] {
  const next = randomStream(hash('sha256', stream))
  const drawn = shuffled([...past.points.keys()], next)
  const order = drawn.sort((a, b) => past.points[b]! - past.points[a]!)
  const byes = chooseByes(past, order, order.length % seats)
  const waiting = order.filter((entrant) => !byes.includes(entrant))
  const tables: number[][] = []
  while (waiting.length > 0) {
    const table = [waiting.shift()!]
    while (table.length < seats) table.push(takeOpponent(past, table, waiting))
    tables.push(table)
  }
  if (seats === 2) mendRematches(past, tables, byes)
  return tables.map((table) => ({ entrants: seatTable(past, table) }))
}

/** The last in the order of those with the fewest byes. */
function chooseByes({ byes }: Past, order: readonly number[], count: number): number[] {
  return order
    .toReversed()
    .sort((a, b) => byes[a]! - byes[b]!)
    .slice(0, count)
}

const haveMet = ({ met, points }: Past, a: number, b: number): boolean => hasBit(met, a * points.length + b)

const meetings = (past: Past, table: readonly number[], one: number): number =>
  table.reduce((sum, other) => sum + (haveMet(past, other, one) ? 1 : 0), 0)

/** The balance of the first seat and the last; in pairs those with opposite signs go well together. */
const balance = ({ sat }: Past, entrant: number): number => sat[entrant]!.at(0)! - sat[entrant]!.at(-1)!

/**
 * Takes the best opponent for a table out of those who wait: fewest rematches, then nearest in points, then who wants
 * another seat, then first in the order.
 */
function takeOpponent(past: Past, table: readonly number[], waiting: number[]): number {
  const wants = Math.sign(table.reduce((sum, entrant) => sum + balance(past, entrant), 0))
  let [best, bestMet, bestClash] = [-1, Infinity, Infinity]
  for (const [at, one] of waiting.entries()) {
    // Those who wait are in the order of their points, so that who comes later is not nearer.
    const isAsNear = best === -1 || past.points[one] === past.points[waiting[best]!]
    if (bestMet === 0 && !isAsNear) break
    const met = meetings(past, table, one)
    const clash = Math.sign(balance(past, one)) * wants
    if (met < bestMet || (met === bestMet && isAsNear && clash < bestClash)) {
      ;[best, bestMet, bestClash] = [at, met, clash]
      // Nobody can be better.
      if (met === 0 && clash === -Math.abs(wants)) break
    }
  }
  return waiting.splice(best, 1)[0]!
}

/**
 * Swaps partners of pairs that have met before with those of another pair, the nearest first. After p rounds one of n/2
 * pairs always can, if p is below n/2: the two have met only 2 (p - 1) others, and each pair that cannot swap needs two
 * of these. A bye counts as a partner whom nobody meets twice.
 */
function mendRematches(past: Past, tables: number[][], byes: number[]): void {
  const met = (a: number, b: number): boolean => haveMet(past, a, b)
  for (const [at, pair] of tables.entries()) {
    if (!met(pair[0]!, pair[1]!)) continue
    const others = nearestFirst(at, tables.length)
    const swapped = others.some((place) => {
      const other = tables[place]!
      return [0, 1].some((which) => {
        const [mine, yours] = [pair[1]!, other[which]!]
        if (met(pair[0]!, yours) || met(other[1 - which]!, mine)) return false
        pair[1] = yours
        other[which] = mine
        return true
      })
    })
    const bye = byes[0]
    if (swapped || bye === undefined) continue
    for (const which of [0, 1]) {
      if (past.byes[pair[which]!]! > 0 || met(pair[1 - which]!, bye)) continue
      byes[0] = pair[which]!
      pair[which] = bye
      break
    }
  }
}

/** The other places below `places`, the nearest to `at` first, and of two equally near ones the one before. */
function nearestFirst(at: number, places: number): readonly number[] {
  const nearest: number[] = []
  for (let distance = 1; distance < places; distance++) {
    if (at >= distance) nearest.push(at - distance)
    if (at + distance < places) nearest.push(at + distance)
  }
  return nearest
}

/** Gives each seat to the one who has sat there least; in pairs, relative to the other seat. */
function seatTable(past: Past, table: readonly number[]): readonly number[] {
  if (table.length === 2) {
    const [a, b] = table as [number, number]
    const difference = balance(past, a) - balance(past, b) || past.lastSeat[b]! - past.lastSeat[a]!
    return difference > 0 ? [b, a] : [a, b]
  }
  const waiting = [...table]
  return table.map((_, seat) => {
    const least = waiting.reduce((best, one) => (past.sat[one]![seat]! < past.sat[best]![seat]! ? one : best))
    waiting.splice(waiting.indexOf(least), 1)
    return least
  })
}
