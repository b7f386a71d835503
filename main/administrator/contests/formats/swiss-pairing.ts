import { hash } from 'node:crypto'
import type { FormatContest, StageResult } from '../../../contract/contest-format.ts'
import type { Swiss } from '../../../contract/format-settings.ts'
import { randomStream, shuffled } from '../../../contract/random.ts'
import { seatsOf } from './seats.ts'

/** The pairings of one round. */
export interface SwissRound {
  /** Entrants by match and seat, the leaders first. */
  readonly tables: readonly (readonly number[])[]
  /** Entrants who do not play. */
  readonly byes: readonly number[]
}

/** The points of a bye: as many as the best of those who played won in the round. */
export const byePoints = (result: StageResult): number => result.reduce((most, { points }) => Math.max(most, points), 0)

/** What the rounds so far mean for the next one. */
interface Past {
  readonly points: number[]
  readonly byes: number[]
  /** How often each has sat in each seat, by entrant and seat. */
  readonly sat: number[][]
  readonly lastSeat: number[]
  /** Those each has met, by entrant. */
  readonly met: Set<number>[]
}

/**
 * The pairings of all rounds that follow from these results: one more than there are results, up to the number of
 * rounds. They depend on nothing else but the seed.
 */
export function swissRounds(
  { settings, entrants, seed }: FormatContest<Swiss>,
  results: readonly StageResult[],
  rounds: number,
): readonly SwissRound[] {
  const seats = seatsOf(settings)
  const past: Past = {
    points: Array.from({ length: entrants }, () => 0),
    byes: Array.from({ length: entrants }, () => 0),
    sat: Array.from({ length: entrants }, () => Array.from({ length: seats }, () => 0)),
    lastSeat: Array.from({ length: entrants }, () => -1),
    met: Array.from({ length: entrants }, () => new Set<number>()),
  }
  const all: SwissRound[] = []
  for (let number = 0; number < rounds && number <= results.length; number++) {
    const round = pairRound(past, seats, `swiss:${number}:${seed}`)
    all.push(round)
    const result = results[number]
    if (result !== undefined) remember(past, round, result)
  }
  return all
}

function remember(past: Past, { tables, byes }: SwissRound, result: StageResult): void {
  for (const [entrant, { points }] of result.entries()) past.points[entrant]! += points
  const bye = byePoints(result)
  for (const entrant of byes) {
    past.byes[entrant]! += 1
    past.points[entrant]! += bye
  }
  for (const table of tables) {
    for (const [seat, entrant] of table.entries()) {
      past.sat[entrant]![seat]! += 1
      past.lastSeat[entrant] = seat
      for (const other of table) if (other !== entrant) past.met[entrant]!.add(other)
    }
  }
}

function pairRound(past: Past, seats: number, stream: string): SwissRound {
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
  return { tables: tables.map((table) => seatTable(past, table)), byes }
}

/** The last in the order of those with the fewest byes. */
function chooseByes({ byes }: Past, order: readonly number[], count: number): number[] {
  return order
    .toReversed()
    .sort((a, b) => byes[a]! - byes[b]!)
    .slice(0, count)
}

const meetings = ({ met }: Past, table: readonly number[], one: number): number =>
  table.filter((other) => met[other]!.has(one)).length

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
  const met = (a: number, b: number): boolean => past.met[a]!.has(b)
  for (const [at, pair] of tables.entries()) {
    if (!met(pair[0]!, pair[1]!)) continue
    const others = tables
      .map((other, place) => ({ other, distance: Math.abs(place - at) }))
      .filter(({ distance }) => distance > 0)
      .sort((a, b) => a.distance - b.distance)
    const swapped = others.some(({ other }) =>
      [0, 1].some((which) => {
        const [mine, yours] = [pair[1]!, other[which]!]
        if (met(pair[0]!, yours) || met(other[1 - which]!, mine)) return false
        pair[1] = yours
        other[which] = mine
        return true
      }),
    )
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
