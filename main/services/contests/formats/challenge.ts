import { hash } from 'node:crypto'
import type { Pairings } from '../../../contract/contests/contest-format.ts'
import { deal } from '../../../contract/contests/dealing/deal.ts'
import { legUnit } from '../../../contract/contests/dealing/leg-unit.ts'
import { seated } from '../../../contract/contests/dealing/seating.ts'
import { randomStream } from '../../../contract/random.ts'

/** One entrant who plays all of some others. */
export interface Challenge {
  readonly challenger: number
  /** The number of the others. They are consecutive entrants, beginning with `first`. */
  readonly others: number
  readonly first: number
  /** Matches of each of the others that count. */
  readonly repeats: number
  readonly seats: number
}

/** The number of matches of a challenge: at each table are the challenger and `seats` - 1 others. */
export function challengeLength({ others, repeats, seats }: Omit<Challenge, 'challenger' | 'first'>): number {
  return Math.ceil((others * repeats) / (seats - 1))
}

/**
 * The matches of a challenge. In pairs the challenger meets the others in turn and seats are swapped each time; the
 * matches are computed, not kept. At larger tables the others are dealt into random groups, as in `deal`, and everybody
 * sits in each seat equally often or once more.
 */
function challengeMatches(challenge: Challenge, seed: string): Pairings {
  const { challenger, others, first, repeats, seats } = challenge
  const length = challengeLength(challenge)
  if (seats === 2) {
    return {
      length,
      at(index) {
        const [leg, meeting] = [Math.floor(index / others), index % others]
        const entrants = [challenger, first + meeting]
        return { entrants: (leg + meeting) % 2 === 0 ? entrants : entrants.toReversed() }
      },
      unit: (index) => legUnit(index % others, others, Math.floor(index / others), repeats),
    }
  }
  let dealt: Dealt | null = null
  const groups = (): Dealt => (dealt ??= dealGroups(challenge, seed))
  return {
    length,
    at: (index) => ({ entrants: groups().entrants[index]! }),
    extras: (index) => (index === length - 1 ? groups().extras : []),
  }
}

interface Dealt {
  readonly entrants: readonly (readonly number[])[]
  readonly extras: readonly number[]
}

function dealGroups({ challenger, others, first, repeats, seats }: Challenge, seed: string): Dealt {
  const next = randomStream(hash('sha256', `challenge:${challenger}:${seed}`))
  const { tables, extras } = deal(others, seats - 1, repeats, next)
  const places = tables.map((table, at) => [
    { player: -1, counts: true },
    ...table.map((player) => ({ player, counts: at < tables.length - 1 || !extras.includes(player) })),
  ])
  const entrant = (player: number): number => (player === -1 ? challenger : first + player)
  return {
    entrants: seated(places, seats).map((table) => table.map(entrant)),
    extras: extras.map(entrant),
  }
}

/** The matches of several challenges, one after the other; those of one are kept at a time. */
export function challengesInTurn(challenges: readonly Challenge[], seed: string): Pairings {
  const ends: number[] = []
  for (const each of challenges) ends.push((ends.at(-1) ?? 0) + challengeLength(each))
  const length = ends.at(-1) ?? 0
  let kept: { readonly number: number; readonly matches: Pairings } | null = null
  const locate = (index: number) => {
    const number = firstAbove(ends, index)
    if (kept?.number !== number) kept = { number, matches: challengeMatches(challenges[number]!, seed) }
    const before = number === 0 ? 0 : ends[number - 1]!
    return { matches: kept.matches, index: index - before, before }
  }
  return {
    length,
    at(index) {
      const found = locate(index)
      return found.matches.at(found.index)
    },
    extras(index) {
      const found = locate(index)
      return found.matches.extras?.(found.index) ?? []
    },
    unit(index) {
      const found = locate(index)
      const unit = found.matches.unit?.(found.index)
      return unit === undefined ? undefined : { ...unit, id: found.before + unit.id }
    },
  }
}

/** The index of the first of ascending numbers that is above a value. */
function firstAbove(numbers: readonly number[], value: number): number {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (numbers[middle]! > value) to = middle
    else from = middle + 1
  }
  return from
}
