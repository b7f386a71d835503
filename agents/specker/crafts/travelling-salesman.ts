import type { Json } from '../../../main/contract/json.ts'
import { least, most, upTo, type Craft } from './craft.ts'

interface Roads {
  readonly cities: number
  readonly distances: readonly number[]
}

/** The distance between two cities, from 0. */
type Distance = (a: number, b: number) => number

/** The maximum number of cities for which the shortest tour is computed. */
const CERTAIN_CITIES = 12
/** The maximum length of a piece of a tour that is moved. */
const PIECE = 3

/**
 * Few cities: the shortest paths through each set of them (Held and Karp). Many: a tour is improved by reversing pieces
 * and moving short ones until nothing helps, then perturbed and improved again. In its hard raw material two cities are
 * near to all others, and all others are far from each other: each has two short roads, so the bound is as low as
 * possible, but a tour can use only four of them.
 */
export function travellingSalesman(config: Json): Craft {
  const { maxCities } = config as { readonly maxCities: number }
  return {
    exact: maxCities <= CERTAIN_CITIES,
    solve(instance, effort, random) {
      const { cities, distances } = instance as unknown as Roads
      const distance: Distance = (a, b) => distances[placeOf(Math.min(a, b), Math.max(a, b), cities)]!
      const tour =
        cities <= CERTAIN_CITIES ? shortestTour(cities, distance) : goodTour(cities, distance, effort, random)
      return { tour: tour.map((city) => city + 1) }
    },
    hard(predicate) {
      const { distances } = predicate as { readonly distances: readonly number[] }
      const [near, far] = [least(distances), most(distances)]
      const pairs = upTo(maxCities).flatMap((a) => upTo(maxCities - a).map(() => (a <= 2 ? near : far)))
      // The two central cities are far from each other.
      pairs[0] = far
      return [{ cities: maxCities, distances: pairs }]
    },
  }
}

/** The index in the list of the distance from `a` to `b`, both from 0, `a` < `b`. */
function placeOf(a: number, b: number, cities: number): number {
  return (a * (2 * cities - a - 1)) / 2 + b - a - 1
}

/**
 * City 0 is the start; `best[set][last]` is the length of the shortest path from there through a set of the others to
 * its last city.
 */
function shortestTour(cities: number, distance: Distance): number[] {
  const others = cities - 1
  const sets = 1 << others
  const best = new Float64Array(sets * others).fill(Infinity)
  const before = new Int8Array(sets * others)
  for (let last = 0; last < others; last++) best[(1 << last) * others + last] = distance(0, last + 1)
  for (let set = 1; set < sets; set++) {
    for (let last = 0; last < others; last++) {
      const length = best[set * others + last]!
      if (length === Infinity) continue
      for (let next = 0; next < others; next++) {
        if ((set >> next) & 1) continue
        const at = (set | (1 << next)) * others + next
        const longer = length + distance(last + 1, next + 1)
        if (longer >= best[at]!) continue
        best[at] = longer
        before[at] = last
      }
    }
  }
  let set = sets - 1
  let last = 0
  const home = (city: number): number => best[set * others + city]! + distance(city + 1, 0)
  for (let city = 1; city < others; city++) if (home(city) < home(last)) last = city
  const tour: number[] = []
  while (set > 0) {
    tour.push(last + 1)
    const previous = before[set * others + last]!
    set &= ~(1 << last)
    last = previous
  }
  return [...tour, 0]
}

function goodTour(cities: number, distance: Distance, effort: number, random: () => number): number[] {
  let steps = effort
  const lengthOf = (tour: readonly number[]): number =>
    tour.reduce((sum, city, at) => sum + distance(city, tour[(at + 1) % cities]!), 0)
  const better = (tour: number[]): number[] => {
    for (let found = true; found && steps > 0;) {
      found = false
      for (let from = 0; from < cities - 1 && steps > 0; from++) {
        steps -= cities * PIECE
        for (let to = from + 1; to < cities; to++) found = turned(tour, from, to, distance) || found
        for (let piece = 1; piece <= PIECE; piece++) found = moved(tour, from, piece, distance) || found
      }
    }
    return tour
  }
  let best = better(nearestFirst(cities, distance))
  let length = lengthOf(best)
  while (steps > 0) {
    const tour = better(shaken(best, random))
    steps -= cities
    const now = lengthOf(tour)
    if (now > length) continue
    best = tour
    length = now
  }
  return best
}

function nearestFirst(cities: number, distance: Distance): number[] {
  const left = upTo(cities - 1)
  const tour = [0]
  while (left.length > 0) {
    const here = tour.at(-1)!
    const at = left.reduce((a, city, b) => (distance(here, city) < distance(here, left[a]!) ? b : a), 0)
    tour.push(...left.splice(at, 1))
  }
  return tour
}

/** Reverses the cities from `from` to `to` if that makes the tour shorter. */
function turned(tour: number[], from: number, to: number, distance: Distance): boolean {
  const cities = tour.length
  const [before, after] = [tour[(from + cities - 1) % cities]!, tour[(to + 1) % cities]!]
  if (before === tour[to] || after === tour[from]) return false
  const [first, last] = [tour[from]!, tour[to]!]
  if (distance(before, last) + distance(first, after) >= distance(before, first) + distance(last, after)) return false
  for (let a = from, b = to; a < b; a++, b--) [tour[a], tour[b]] = [tour[b]!, tour[a]!]
  return true
}

/** Moves the piece that begins at `from` elsewhere if that makes the tour shorter. */
function moved(tour: number[], from: number, length: number, distance: Distance): boolean {
  const piece = tour.slice(from, from + length)
  const rest = tour.toSpliced(from, length)
  const count = rest.length
  if (piece.length < length || count < 3) return false
  const [first, last] = [piece[0]!, piece.at(-1)!]
  const [before, after] = [rest[(from + count - 1) % count]!, rest[from % count]!]
  const gain = distance(before, first) + distance(last, after) - distance(before, after)
  for (let at = 0; at < count; at++) {
    const [left, right] = [rest[at]!, rest[(at + 1) % count]!]
    if (distance(left, first) + distance(last, right) - distance(left, right) >= gain) continue
    tour.splice(0, tour.length, ...rest.slice(0, at + 1), ...piece, ...rest.slice(at + 1))
    return true
  }
  return false
}

/** Swaps two pieces of the tour. */
function shaken(tour: readonly number[], random: () => number): number[] {
  const cuts = [0, 0, 0].map(() => Math.floor(random() * tour.length)).sort((a, b) => a - b)
  const [a, b, c] = [cuts[0]!, cuts[1]!, cuts[2]!]
  return [...tour.slice(0, a), ...tour.slice(b, c), ...tour.slice(a, b), ...tour.slice(c)]
}
