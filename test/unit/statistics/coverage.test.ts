import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { randomStream } from '../../../main/contract/random.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { meanInterval, type ValueGroup } from '../../../main/services/contests/statistics/mean-interval.ts'
import { createPairedResults, POINTS_PER_LOG_ODDS } from '../../../main/services/contests/statistics/paired-results.ts'
import { isLong, repeats } from '../../long.ts'
import { formats, models, played, truth, type Draw, type Format, type Model } from './simulated-contests.ts'

// The table in docs/standings.md is of the long run, which prints its rows.

const drawFrom = (name: string): Draw => {
  const next = randomStream(sha256(name))
  return () => (next() + 0.5) / 2 ** 32
}

interface Counts {
  intervals: number
  inside: number
  /** Intervals of the strongest and the weakest. */
  extremes: number
  extremesInside: number
  /** Neighbours, and the first and each other, of whom the one ahead is stronger with 97.5 % at least; and is not. */
  sure: number
  wrong: number
}

function contests(format: Format, model: Model, count: number): Counts {
  const draw = drawFrom(`${format.name} ${model.name}`)
  const counts: Counts = { intervals: 0, inside: 0, extremes: 0, extremesInside: 0, sure: 0, wrong: 0 }
  for (let contest = 0; contest < count; contest++) countContest(format, model, draw, counts)
  return counts
}

function countContest(format: Format, model: Model, draw: Draw, counts: Counts): void {
  const strengths = model.strengths(format.entrants, draw)
  const matches = format.matches(draw)
  const real = truth(model, strengths, matches)
  const results = createPairedResults(format.entrants)
  const ranks = played(model, strengths, matches, draw)
  for (const [at, { unit, entrants }] of matches.entries()) results.add(unit, entrants, ranks[at]!)
  const ratings = results.ratings()
  const rated = real.map((_, at) => ratings.of(at))
  for (const [at, { interval }] of rated.entries()) {
    const value = 1_500 + POINTS_PER_LOG_ODDS * real[at]!
    const isInside = Number(interval![0] <= value && value <= interval![1])
    counts.intervals += 1
    counts.inside += isInside
    if (real[at] !== Math.max(...real) && real[at] !== Math.min(...real)) continue
    counts.extremes += 1
    counts.extremesInside += isInside
  }
  const order = [...real.keys()].sort((a, b) => rated[b]!.rating - rated[a]!.rating)
  for (const [place, next] of order.slice(1).entries()) {
    for (const one of new Set([order[0]!, order[place]!])) {
      if (ratings.superiority(one, next)! < 0.975) continue
      counts.sure += 1
      if (real[one]! < real[next]!) counts.wrong += 1
    }
  }
}

const total = (parts: readonly Counts[], of: keyof Counts): number => parts.reduce((sum, each) => sum + each[of], 0)
const share = (parts: readonly Counts[], of: keyof Counts, all: keyof Counts): number =>
  total(parts, of) / total(parts, all)

/** A row of the table: coverage, that of the strongest and weakest, the least and most of the models, and errors. */
function rowOf({ name }: Format, all: readonly Counts[]): string {
  const parts = all.map((each) => share([each], 'inside', 'intervals'))
  const figures = [
    share(all, 'inside', 'intervals'),
    share(all, 'extremesInside', 'extremes'),
    Math.min(...parts),
    Math.max(...parts),
  ]
  return [name, ...figures.map((figure) => figure.toFixed(3)), `${total(all, 'wrong')} of ${total(all, 'sure')}`].join(
    ' | ',
  )
}

describe('95 % intervals of ratings contain the strength in 94 to 97 % of contests', () => {
  const tried = isLong ? formats : formats.slice(0, 4)
  test.each(tried)('$name', (format) => {
    // Large formats have more entrants a contest.
    const count = Math.ceil(repeats({ short: 60, long: 2_400 }) / format.entrants)
    const all = models.map((model) => contests(format, model, count))
    if (isLong) process.stdout.write(`${rowOf(format, all)}\n`)
    const [low, high] = isLong ? [0.94, 0.97] : [0.92, 0.99]
    expect(share(all, 'inside', 'intervals')).toBeGreaterThanOrEqual(low)
    expect(share(all, 'inside', 'intervals')).toBeLessThanOrEqual(high)
    expect(share(all, 'extremesInside', 'extremes')).toBeGreaterThanOrEqual(low - 0.01)
    if (isLong) for (const each of all) expect(share([each], 'inside', 'intervals')).toBeGreaterThanOrEqual(0.92)
    // The share of errors among all that are called stronger with 97.5 % at least.
    const [wrong, sure] = [total(all, 'wrong'), total(all, 'sure')]
    expect(wrong).toBeLessThanOrEqual(0.025 * sure + 3 * Math.sqrt(0.025 * sure))
  })
})

describe('95 % intervals of points per match contain the mean', () => {
  const one = (sum: number): ValueGroup => ({ count: 1, sum })
  const wins = (p: number) => (draw: Draw) => one(draw() < p ? 1 : 0)
  const pair = (first: number, second: number) => (draw: Draw) => {
    return { count: 2, sum: Number(draw() < first) + Number(draw() < second) }
  }
  const exponential = (draw: Draw): number => -Math.log(1 - draw())
  const kinds: readonly (readonly [string, number, readonly [number, number], (draw: Draw) => ValueGroup])[] = [
    ['even wins', 0.5, [0, 1], wins(0.5)],
    ['80 % wins', 0.8, [0, 1], wins(0.8)],
    ['95 % wins', 0.95, [0, 1], wins(0.95)],
    ['ties', 0.5, [0, 1], (draw) => one(draw() < 0.4 ? 0.5 : Number(draw() < 0.5))],
    ['pairs of matches', 0.6, [0, 1], pair(0.6, 0.6)],
    ['pairs whose first seat wins', 0.55, [0, 1], pair(0.9, 0.2)],
    [
      'pairs of which a map decides both',
      0.5,
      [0, 1],
      (draw) => (draw() < 0.5 ? pair(0.9, 0.9) : pair(0.1, 0.1))(draw),
    ],
    ['places of four equals', 1.5, [0, 3], (draw) => one(Math.floor(4 * draw()))],
    [
      'places of one who mostly wins',
      2.4,
      [0, 3],
      (draw) => one([3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 0][Math.floor(20 * draw())]!),
    ],
    ['3, 1, 0', 1.7, [0, 3], (draw) => one([3, 3, 3, 3, 3, 1, 1, 0, 0, 0][Math.floor(10 * draw())]!)],
    ['scores without a bound', 2, [0, Infinity], (draw) => one(exponential(draw) + exponential(draw))],
  ]
  test.each([6, 8, 12, 20, 40])('of %i units', (units) => {
    const count = repeats({ short: 60, long: 2_000 })
    const rates = kinds.map(([name, mean, range, draw]) => {
      const source = drawFrom(`${name} ${units}`)
      let inside = 0
      for (let at = 0; at < count; at++) {
        const [low, high] = meanInterval(
          Array.from({ length: units }, () => draw(source)),
          range,
        )!
        expect(low).toBeGreaterThanOrEqual(range[0])
        expect(high).toBeLessThanOrEqual(range[1])
        if (low <= mean && mean <= high) inside += 1
      }
      return inside / count
    })
    const average = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
    if (isLong) process.stdout.write(`${units} units: ${average.toFixed(3)}\n`)
    expect(average).toBeGreaterThanOrEqual(isLong ? 0.94 : 0.92)
    expect(average).toBeLessThanOrEqual(isLong ? 0.975 : 0.99)
    if (isLong) for (const rate of rates) expect(rate).toBeGreaterThanOrEqual(0.92)
  })
})
