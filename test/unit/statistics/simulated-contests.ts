import { strengths as fit, pairIndex } from '../../../main/services/contests/statistics/bradley-terry.ts'

/** A match of a format: entrants in seat order, and the unit to which it belongs. */
export interface Match {
  readonly entrants: readonly number[]
  readonly unit: number
}

/** Draws numbers from 0 to below 1. */
export type Draw = () => number

/** How matches are decided: draws the ranks of one match. `unit`: what the matches of a unit have in common. */
export interface Model {
  readonly name: string
  /** Natural logarithms of odds, one for each entrant. */
  strengths(entrants: number, draw: Draw): readonly number[]
  /** A tie of two has this chance between equals. */
  readonly ties?: number
  /** The advantage of the first of two seats. */
  readonly firstSeat?: number
  /** The standard deviation of what a unit adds to the difference of two: of all, or of the odd units only. */
  readonly unitNoise?: number
  readonly oddUnitNoise?: number
}

const normal = (draw: Draw): number => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
const spread = (entrants: number, width: number): readonly number[] =>
  Array.from({ length: entrants }, (_, at) => (entrants === 1 ? 0 : width * (at / (entrants - 1) - 0.5)))
const classOf = (entrants: number, draw: Draw): readonly number[] =>
  Array.from({ length: entrants }, () => 0.9 * normal(draw))

/** The first three are as the method assumes; the others are not. */
export const models: readonly Model[] = [
  { name: 'a class', strengths: classOf },
  { name: 'equals', strengths: (entrants) => Array.from({ length: entrants }, () => 0) },
  { name: 'evenly spread', strengths: (entrants) => spread(entrants, 3) },
  { name: 'one dominant', strengths: (entrants) => Array.from({ length: entrants }, (_, at) => (at === 0 ? 2.5 : 0)) },
  { name: 'ties', strengths: classOf, ties: 0.4 },
  { name: 'seats decide', strengths: classOf, firstSeat: 1.5 },
  { name: 'maps decide', strengths: classOf, unitNoise: 1.5 },
  { name: 'some maps decide', strengths: classOf, oddUnitNoise: 3 },
]

/** The chances of the first seat against the second: to win, to tie. */
function chances({ ties = 0, firstSeat = 0 }: Model, difference: number): readonly [number, number] {
  const odds = Math.exp(difference + firstSeat)
  // Davidson's model of ties.
  const nu = (2 * ties) / (1 - ties)
  const all = odds + 1 + nu * Math.sqrt(odds)
  return [odds / all, (nu * Math.sqrt(odds)) / all]
}

/** The noise that a unit adds to the difference of a lower and a higher number. */
function noiseOf({ unitNoise = 0, oddUnitNoise = 0 }: Model, unit: number, draw: Draw): number {
  const deviation = unitNoise + (unit % 2 === 1 ? oddUnitNoise : 0)
  return deviation === 0 ? 0 : deviation * normal(draw)
}

/** The ranks of all matches. */
export function played(
  model: Model,
  strength: readonly number[],
  matches: readonly Match[],
  draw: Draw,
): (readonly number[])[] {
  const noise = new Map<number, number>()
  return matches.map(({ entrants, unit }) => {
    const shift = noise.get(unit) ?? noiseOf(model, unit, draw)
    noise.set(unit, shift)
    if (entrants.length > 2)
      return ranking(
        entrants.map((at) => strength[at]!),
        draw,
      )
    const [a, b] = [entrants[0]!, entrants[1]!]
    const [win, tie] = chances(model, strength[a]! - strength[b]! + (a < b ? shift : -shift))
    const at = draw()
    return at < win ? [1, 2] : at < win + tie ? [1, 1] : [2, 1]
  })
}

/** Ranks by the model of Plackett and Luce, whose pairs follow Bradley and Terry. */
function ranking(strength: readonly number[], draw: Draw): readonly number[] {
  const noisy = strength.map((each) => each - Math.log(-Math.log(1 - draw() * (1 - 1e-12))))
  return noisy.map((each) => 1 + noisy.filter((other) => other > each).length)
}

const PLAIN = { name: 'plain', strengths: () => [] } satisfies Model
const quadrature = Array.from({ length: 41 }, (_, at) => (at - 20) / 5)
const density = quadrature.map((z) => Math.exp((-z * z) / 2))

/** The share of one against another on average over both orders of seats and over the noise of units. */
function shareOf(model: Model, difference: number, deviation: number): number {
  const at = (z: number): number => {
    const [first, tie] = chances(model, difference + deviation * z)
    const [second, tied] = chances(model, -difference - deviation * z)
    return (first + tie / 2 + 1 - second - tied / 2) / 2
  }
  if (deviation === 0) return at(0)
  const total = density.reduce((a, b) => a + b, 0)
  return quadrature.reduce((sum, z, place) => sum + (density[place]! / total) * at(z), 0)
}

/**
 * The strengths that ratings estimate: those of Bradley and Terry for the shares that every two would have after
 * infinitely many matches of the format, relative to their mean.
 */
export function truth(model: Model, strength: readonly number[], matches: readonly Match[]): readonly number[] {
  const n = strength.length
  const pairs = (n * (n - 1)) / 2
  const [won, met] = [new Float64Array(pairs), new Float64Array(pairs)]
  for (const { entrants, unit } of matches) {
    const isPair = entrants.length === 2
    const deviation = isPair ? (model.unitNoise ?? 0) + (unit % 2 === 1 ? (model.oddUnitNoise ?? 0) : 0) : 0
    for (const [seat, a] of entrants.entries()) {
      for (const b of entrants.slice(seat + 1)) {
        const share = shareOf(isPair ? model : PLAIN, strength[a]! - strength[b]!, deviation)
        const pair = a < b ? pairIndex(a, b) : pairIndex(b, a)
        met[pair]! += 1
        won[pair]! += a < b ? share : 1 - share
      }
    }
  }
  const large = { won: won.map((each) => 1e6 * each), met: met.map((each) => 1e6 * each) }
  const prior = { won: new Float64Array(n).fill(1e-3), lost: new Float64Array(n).fill(1e-3) }
  const fitted = fit(large, prior, new Float64Array(n), 1e-9)
  const mean = fitted.reduce((a, b) => a + b, 0) / n
  return [...fitted].map((each) => each - mean)
}

/** A format: its matches, some by lot. */
export interface Format {
  readonly name: string
  readonly entrants: number
  matches(draw: Draw): readonly Match[]
}

/** Every two meet in `legs` pairs of matches with swapped seats. */
const pairsOf = (entrants: number, legs: number): readonly Match[] => {
  const matches: Match[] = []
  for (let leg = 0; leg < legs; leg++) {
    for (let j = 1; j < entrants; j++) {
      for (let i = 0; i < j; i++) {
        const unit = matches.length / 2
        matches.push({ entrants: [i, j], unit }, { entrants: [j, i], unit })
      }
    }
  }
  return matches
}

const order = (entrants: number, draw: Draw): number[] =>
  Array.from({ length: entrants }, (_, at) => ({ at, by: draw() }))
    .sort((a, b) => a.by - b.by)
    .map(({ at }) => at)

/** Rounds in which random tables of `seats` play. */
const rounds = (entrants: number, count: number, seats: number, draw: Draw): readonly Match[] =>
  Array.from({ length: count }, () => {
    const drawn = order(entrants, draw)
    return Array.from({ length: Math.floor(entrants / seats) }, (_, table) =>
      drawn.slice(seats * table, seats * (table + 1)),
    )
  })
    .flat()
    .map((list, unit) => ({ entrants: list, unit }))

export const formats: readonly Format[] = [
  { name: '2, 8 matches', entrants: 2, matches: () => pairsOf(2, 4).map((each, unit) => ({ ...each, unit })) },
  { name: '2, 8 swapped pairs', entrants: 2, matches: () => pairsOf(2, 8) },
  { name: '2, 20 swapped pairs', entrants: 2, matches: () => pairsOf(2, 20) },
  { name: '3, double round-robin twice', entrants: 3, matches: () => pairsOf(3, 2) },
  { name: '4, double round-robin', entrants: 4, matches: () => pairsOf(4, 1) },
  { name: '8, double round-robin', entrants: 8, matches: () => pairsOf(8, 1) },
  { name: '12, double round-robin', entrants: 12, matches: () => pairsOf(12, 1) },
  {
    name: '12, round-robin',
    entrants: 12,
    matches: (draw) =>
      pairsOf(12, 1)
        .filter((_, at) => at % 2 === 0)
        .map(({ entrants }, unit) => ({ entrants: draw() < 0.5 ? entrants : entrants.toReversed(), unit })),
  },
  { name: '16, 5 rounds in pairs', entrants: 16, matches: (draw) => rounds(16, 5, 2, draw) },
  { name: '12, 8 rounds at tables of 4', entrants: 12, matches: (draw) => rounds(12, 8, 4, draw) },
  {
    name: '5 against one, 4 swapped pairs each',
    entrants: 6,
    matches: () => pairsOf(6, 4).filter(({ entrants }) => entrants.includes(0)),
  },
  { name: '30, double round-robin', entrants: 30, matches: () => pairsOf(30, 1) },
]
