import { hash } from 'node:crypto'
import { seated } from '../../../contract/contests/dealing/seating.ts'
import { randomStream, shuffle, shuffled } from '../../../contract/random.ts'

// The seats of a round-robin, in which every set of `seats` entrants plays.

/** All sets of entrants, in the order in which they are played. */
export interface SeatedSets {
  /** The entrant in a seat of a set. `leg`: how often the set has played before. */
  entrant(set: number, leg: number, seat: number): number
}

/** The size of a round-robin. `sets`: the number of sets. */
export interface SetShape {
  readonly entrants: number
  readonly seats: number
  readonly sets: number
  readonly seed: string
}

const streamOf = (seed: string): (() => number) => randomStream(hash('sha256', `schedule:${seed}`))

function shuffledOrder(sets: number, next: () => number): Uint32Array {
  const order = Uint32Array.from({ length: sets }, (_, set) => set)
  shuffle(order, next)
  return order
}

/**
 * The seats of contests that began before seating was even: each seat goes to the entrant that has had it least, set by
 * set, and each leg moves the seats by one.
 */
export function greedySeating({ entrants, seats, sets, seed }: SetShape): SeatedSets {
  const next = streamOf(seed)
  const all = subsets(sets, entrants, seats)
  const bySeat = new Uint16Array(all.length)
  /** How often each entrant has been assigned each seat. */
  const sat = new Uint32Array(entrants * seats)
  for (const [place, set] of shuffledOrder(sets, next).entries()) {
    // The shuffle breaks ties.
    const waiting = shuffled([...all.subarray(set * seats, (set + 1) * seats)], next)
    for (let seat = 0; seat < seats; seat++) {
      let best = 0
      for (let i = 1; i < waiting.length; i++) {
        if (sat[waiting[i]! * seats + seat]! < sat[waiting[best]! * seats + seat]!) best = i
      }
      const [entrant] = waiting.splice(best, 1)
      sat[entrant! * seats + seat]! += 1
      bySeat[place * seats + seat] = entrant!
    }
  }
  return { entrant: (set, leg, seat) => bySeat[set * seats + ((seat + leg) % seats)]! }
}

/**
 * Seats in which every entrant sits equally often or once more, over all `legs`. Entrants are placed on a circle, in an
 * order drawn from the seed. Sets that turn into one another are an orbit; if its members keep their seats relative to one
 * another, everybody sits in each seat once in it, and each leg may move the seats by one. Orbits of fewer sets than
 * entrants, such as the opposite pairs of an even number, are seated by `seated`, for all legs together after the last one
 * that completes a cycle of all seats.
 */
export function evenSeating({ entrants, seats, sets, seed }: SetShape, legs: number): SeatedSets {
  const next = streamOf(seed)
  const all = subsets(sets, entrants, seats)
  const circle = shuffled(
    Array.from({ length: entrants }, (_, at) => at),
    next,
  )
  const bySeat = new Uint16Array(all.length)
  const orders = new Map<string, readonly number[]>()
  const short: number[] = []
  for (const [place, set] of shuffledOrder(sets, next).entries()) {
    const members = [...all.subarray(set * seats, (set + 1) * seats)]
    const turned = leastTurn(members, entrants)
    if (turned === null) short.push(place)
    let order = orders.get(turned?.gaps ?? '')
    if (order === undefined || turned === null) {
      order = shuffled([...members.keys()], next)
      if (turned !== null) orders.set(turned.gaps, order)
    }
    const first = turned?.first ?? 0
    for (const [at, seat] of order.entries()) bySeat[place * seats + seat] = circle[members[(first + at) % seats]!]!
  }
  const even = seatShort(short, bySeat, seats, legs)
  const complete = legs - (legs % seats)
  return {
    entrant(set, leg, seat) {
      const own = leg < complete ? undefined : even.get(set)?.[leg - complete]?.[seat]
      return own ?? bySeat[set * seats + ((seat + leg) % seats)]!
    },
  }
}

/** The seats of the sets of short orbits, by set and by leg after the last complete cycle. */
function seatShort(
  short: readonly number[],
  bySeat: Uint16Array,
  seats: number,
  legs: number,
): ReadonlyMap<number, readonly (readonly number[])[]> {
  const rest = legs % seats
  const games = short.flatMap((set) => {
    const members = [...bySeat.subarray(set * seats, (set + 1) * seats)]
    return Array.from({ length: rest }, () => members.map((player) => ({ player, counts: true })))
  })
  const tables = seated(games, seats)
  return new Map(short.map((set, at) => [set, tables.slice(at * rest, (at + 1) * rest)]))
}

/**
 * The member of a set after whom the distances to the next ones, around the circle, are least in the order of lists, with
 * these. null: it is not the only one, and turns of the set by less than the circle give the set again.
 */
function leastTurn(
  members: readonly number[],
  circle: number,
): { readonly first: number; readonly gaps: string } | null {
  const gaps = members.map((each, at) => {
    const after = members[at + 1]
    return after === undefined ? members[0]! + circle - each : after - each
  })
  const compare = (one: number, other: number): number => {
    for (let i = 0; i < gaps.length; i++) {
      const difference = gaps[(one + i) % gaps.length]! - gaps[(other + i) % gaps.length]!
      if (difference !== 0) return difference
    }
    return 0
  }
  let first = 0
  for (let at = 1; at < gaps.length; at++) if (compare(at, first) < 0) first = at
  for (let at = 0; at < gaps.length; at++) if (at !== first && compare(at, first) === 0) return null
  return { first, gaps: [...gaps.slice(first), ...gaps.slice(0, first)].join() }
}

/** All k-element subsets of the numbers below n, in ascending order, concatenated. */
function subsets(count: number, n: number, k: number): Uint16Array {
  const all = new Uint16Array(count * k)
  const chosen = Uint16Array.from({ length: k }, (_, i) => i)
  for (let set = 0; set < count; set++) {
    all.set(chosen, set * k)
    let at = k - 1
    while (at >= 0 && chosen[at] === n - k + at) at--
    if (at < 0) break
    chosen[at]! += 1
    for (let i = at + 1; i < k; i++) chosen[i] = chosen[i - 1]! + 1
  }
  return all
}
