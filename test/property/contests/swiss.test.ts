import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeFormat } from '../../../main/services/contests/formats/registry.ts'
import { leastCostMatching } from '../../../main/services/contests/formats/least-cost-matching.ts'
import { scheduleFault } from '../../../main/services/contests/schedule/schedule.ts'
import type { ScheduledMatch } from '../../../main/services/contests/schedule/scheduled-match.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { contestOf, playOut, type Play } from '../../unit/contests/played-contest.ts'
import { isLong, repeats } from '../../long.ts'

/** The least cost of pairing all vertices that are not in `taken`, by trying all; Infinity: they cannot be paired. */
function leastByTrying(costs: readonly (readonly (number | undefined)[])[], taken = 0): number {
  const n = costs.length
  const first = Array.from({ length: n }, (_, at) => at).find((at) => (taken & (1 << at)) === 0)
  if (first === undefined) return 0
  let least = Infinity
  for (let other = first + 1; other < n; other++) {
    const cost = costs[first]![other]
    if (cost === undefined || (taken & (1 << other)) !== 0) continue
    least = Math.min(least, cost + leastByTrying(costs, taken | (1 << first) | (1 << other)))
  }
  return least
}

/** Costs of pairs; about a part of them cannot be paired. */
const graphs = fc
  .record({
    pairs: fc.integer({ min: 1, max: 5 }),
    most: fc.constantFrom(1, 3, 30, 2 ** 40),
    missing: fc.double({ min: 0, max: 0.8, noNaN: true }),
  })
  .chain(({ pairs, most, missing }) => {
    const cost = fc.integer({ min: 0, max: most })
    const row = fc.array(fc.option(cost, { nil: undefined, freq: Math.round(1 / (missing + 0.05)) }), {
      minLength: 2 * pairs,
      maxLength: 2 * pairs,
    })
    return fc.array(row, { minLength: 2 * pairs, maxLength: 2 * pairs })
  })

test('the matching of the least cost is that of trying all, and there is none where there is none', () => {
  fc.assert(
    fc.property(graphs, (costs) => {
      const mates = leastCostMatching(costs.length, (one, other) => costs[one]![other])
      const least = leastByTrying(costs)
      if (mates === null) {
        expect(least).toBe(Infinity)
        return
      }
      let sum = 0
      for (const [at, mate] of mates.entries()) {
        expect([mates[mate], mate === at]).toEqual([at, false])
        if (at < mate) sum += costs[at]![mate]!
      }
      expect(sum).toBe(least)
    }),
    { numRuns: repeats({ short: 2_000, long: 200_000 }) },
  )
})

/** Scores that are drawn, that the better entrant always wins, that the first seat wins, or that are mostly ties. */
const plays = (seed: string): readonly Play[] => [
  ({ match, entrants }) => {
    const next = randomStream(sha256(`scores ${seed} ${match}`))
    return entrants.map(() => next() % 3)
  },
  ({ entrants }) => entrants.map((entrant) => -entrant),
  ({ entrants }) => entrants.map((_, seat) => -seat),
  ({ match, entrants }) => entrants.map((_, seat) => Number(seat === 0 && match % 5 === 0)),
]

function checkRounds(stages: readonly (readonly ScheduledMatch[])[], entrants: number): void {
  const met = new Set<string>()
  const seats = Array.from({ length: entrants }, (): number[] => [])
  for (const stage of stages) {
    expect(stage).toHaveLength(Math.floor(entrants / 2))
    expect(new Set(stage.flatMap((match) => match.entrants)).size).toBe(2 * stage.length)
    for (const match of stage) {
      met.add([...match.entrants].sort((a, b) => a - b).join())
      for (const [seat, entrant] of match.entrants.entries()) seats[entrant]!.push(seat)
    }
  }
  expect(met.size).toBe(stages.flat().length)
  // Without a rematch, an odd number of entrants has a bye in each round; nobody has two.
  for (const taken of seats) expect(stages.length - taken.length).toBeLessThanOrEqual(entrants % 2)
  for (const taken of seats) {
    let balance = 0
    for (const [at, seat] of taken.entries()) {
      balance += seat === 0 ? 1 : -1
      expect(Math.abs(balance)).toBeLessThanOrEqual(2)
      expect(at >= 2 && taken[at - 1] === seat && taken[at - 2] === seat).toBe(false)
    }
  }
}

const swiss = (rounds: number) => completeFormat({ type: 'swiss', rounds }, {})

describe('a Swiss tournament in pairs', () => {
  test('reaches its end in any number of rounds up to all: no rematch, one bye each, no seat three times running', () => {
    for (let entrants = 2; entrants <= 16; entrants++) {
      const most = entrants - 1 + (entrants % 2)
      for (let run = 0; run < repeats({ short: 1, long: 40 }); run++) {
        const counts = isLong ? Array.from({ length: most }, (_, at) => at + 1) : [most, Math.ceil(most / 2) + 1]
        for (const rounds of counts.filter((each) => each <= most)) {
          const all = plays(`${run} ${rounds}`)
          for (const play of isLong || entrants <= 8 ? all : all.slice(0, 1)) {
            checkRounds(playOut(contestOf(swiss(rounds), entrants, `seed ${run}`), play).stages, entrants)
          }
        }
      }
      expect(scheduleFault(contestOf(swiss(most + 1), entrants))).toMatch(/without a rematch/)
    }
  }, 600_000)

  test.each([41, 44])('of %i, too many for a search, reaches its end as well', (entrants) => {
    const most = entrants - 1 + (entrants % 2)
    const contest = contestOf(swiss(most), entrants, 'seed')
    checkRounds(playOut(contest, plays('many')[0]!).stages, entrants)
  })

  test('pairs with the least total gap that the rules allow, in up to a quarter as many rounds as entrants', () => {
    for (const entrants of [8, 12, 16, 20])
      for (const [at, play] of plays('gaps').entries())
        expect([entrants, at, gapsAboveLeast(entrants, entrants / 4, play)]).toEqual([
          ...[entrants, at],
          Array.from({ length: entrants / 4 }, () => 0),
        ])
  })

  test.each([
    [6, 0],
    [10, 0.02],
    [16, 0.5],
  ])('of %i in half as many rounds is on average within %d points a pair of the least gap', (entrants, most) => {
    // A round must leave a way to the end, which the least gap does not look at.
    const above = plays('gaps').flatMap((play) => gapsAboveLeast(entrants, entrants / 2, play))
    expect(Math.min(...above)).toBe(0)
    const pairs = (above.length * entrants) / 2
    expect(above.reduce((sum, each) => sum + each, 0) / pairs).toBeLessThanOrEqual(most)
  })

  test('of 300 is paired in blocks', () => {
    checkRounds(playOut(contestOf(swiss(9), 301), plays('many')[0]!).stages, 301)
  })
})

/** By round: the total gap in points, less the least one without a rematch in which nobody has a seat too often. */
function gapsAboveLeast(entrants: number, rounds: number, play: Play): readonly number[] {
  const { stages } = playOut(contestOf(swiss(rounds), entrants, 'gaps'), play)
  const points = Array.from({ length: entrants }, () => 0)
  const taken = points.map((): number[] => [])
  const met = new Set<string>()
  const key = (a: number, b: number): string => [a, b].sort((x, y) => x - y).join()
  /** The seat that an entrant must have after these; undefined: either. */
  const due = (seats: readonly number[]): number | undefined => {
    const balance = seats.reduce((sum, seat) => sum + (seat === 0 ? 1 : -1), 0)
    if (Math.abs(balance) === 2) return balance > 0 ? 1 : 0
    const last = seats.at(-1)
    return last !== undefined && seats.length > 1 && last === seats.at(-2) ? 1 - last : undefined
  }
  return stages.map((stage) => {
    const costs = points.map((one, a) =>
      points.map((other, b) => {
        const [mine, yours] = [due(taken[a]!), due(taken[b]!)]
        return met.has(key(a, b)) || (mine !== undefined && mine === yours) ? undefined : Math.abs(one - other)
      }),
    )
    const least = entrants > 12 ? leastByMatching(costs) : leastByTrying(costs)
    const gap = stage.reduce((sum, { entrants: [a, b] }) => sum + Math.abs(points[a!]! - points[b!]!), 0)
    for (const match of stage) {
      const [a, b] = match.entrants as [number, number]
      const [first, second] = play(match) as [number, number]
      points[a]! += first > second ? 1 : first === second ? 0.5 : 0
      points[b]! += second > first ? 1 : first === second ? 0.5 : 0
      for (const [seat, entrant] of match.entrants.entries()) taken[entrant]!.push(seat)
      met.add(key(a, b))
    }
    return gap - least
  })
}

function leastByMatching(costs: readonly (readonly (number | undefined)[])[]): number {
  const mates = leastCostMatching(costs.length, (one, other) => costs[one]![other])!
  return mates.reduce((sum, mate, at) => sum + costs[at]![mate]!, 0) / 2
}
