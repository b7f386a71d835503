import { hash } from 'node:crypto'
import type { ContestFormat } from '../../../contract/contest-format.ts'
import { roundRobinSettings, type RoundRobin } from '../../../contract/contests.ts'
import { randomStream, shuffle, shuffled } from '../../../contract/random.ts'
import { inWords, SETS_MAX } from './held-sets.ts'

/** How many sets of entrants there are, as a double: exact while it matters, Infinity when hopeless. */
function setCount({ seats }: RoundRobin, entrants: number): number {
  let result = 1
  for (let i = 1; i <= seats; i++) result = Math.round((result * (entrants - seats + i)) / i)
  return result
}

/**
 * Every set of `seats` entrants meets `repeats` times, the sets in an order that the seed gives. Within a set, seats are dealt
 * so that nobody sits in one seat more often than necessary; each repeat moves everybody on by one seat, so that two repeats of
 * two players are a game and its return. Shuffling wants all sets at once: from the first match on, 2 bytes for each seat of
 * each set are held.
 */
export const roundRobin: ContestFormat<RoundRobin> = {
  id: 'round-robin',
  settings: roundRobinSettings,
  tableSize: ({ seats }) => seats,
  fault(settings, entrants) {
    const sets = setCount(settings, entrants)
    if (sets <= SETS_MAX) return null
    return `Each of ${inWords(sets)} sets of entrants would meet, in no fewer matches; ${inWords(SETS_MAX)} are the most, because their shuffled order is held in memory.`
  },
  stages: (settings, entrants) => [setCount(settings, entrants) * settings.repeats],
  next({ settings, entrants, seed }) {
    const { seats, repeats } = settings
    const sets = setCount(settings, entrants)
    let seated: Uint16Array | null = null
    return {
      length: sets * repeats,
      at(index) {
        seated ??= seatedSets(sets, seats, entrants, seed)
        const set = (index % sets) * seats
        const moved = Math.floor(index / sets)
        return { entrants: Array.from({ length: seats }, (_, at) => seated![set + ((at + moved) % seats)]!) }
      },
    }
  },
}

/** The sets in the order in which they meet, each in seat order, one after the other. */
function seatedSets(sets: number, seats: number, entrants: number, seed: string): Uint16Array {
  const next = randomStream(hash('sha256', `schedule:${seed}`))
  const all = subsets(sets, entrants, seats)
  const order = Uint32Array.from({ length: sets }, (_, set) => set)
  shuffle(order, next)
  const seated = new Uint16Array(all.length)
  /** How often each entrant has sat in each seat. */
  const sat = new Uint32Array(entrants * seats)
  for (const [place, set] of order.entries()) {
    // Gives each seat to whoever of them has sat there least often so far; chance decides among equals.
    const waiting = shuffled([...all.subarray(set * seats, (set + 1) * seats)], next)
    for (let seat = 0; seat < seats; seat++) {
      let best = 0
      for (let i = 1; i < waiting.length; i++) {
        if (sat[waiting[i]! * seats + seat]! < sat[waiting[best]! * seats + seat]!) best = i
      }
      const [entrant] = waiting.splice(best, 1)
      sat[entrant! * seats + seat]! += 1
      seated[place * seats + seat] = entrant!
    }
  }
  return seated
}

/** All subsets of k of the numbers below n, in ascending order, one after the other. */
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
