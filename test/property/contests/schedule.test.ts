import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chosenFormat, completeFormat, stagePairings } from '../../../main/services/contests/formats/registry.ts'
import { matchCount, matchSeed, scheduleFault, scheduleOf } from '../../../main/services/contests/schedule/schedule.ts'
import {
  scheduleFrom,
  type Schedule,
  type ScheduledMatch,
} from '../../../main/services/contests/schedule/scheduled-match.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'

function contest(entrants: number, seats: number, repeats: number, seed = 'Fior'): ContestDescription {
  return contestDescription.parse({
    title: 'A contest',
    game: 'specker',
    format: completeFormat({ type: 'round-robin', seats, repeats }, {}),
    seed,
    entrants: Array.from({ length: entrants }, (_, i) => ({ name: `agent ${String(i)}`, agent: 'a'.repeat(64) })),
  })
}

function matchesOf(description: ContestDescription): readonly ScheduledMatch[] {
  const schedule = scheduleOf(description)
  if (typeof schedule === 'string') throw new Error(schedule)
  return [...schedule]
}

/** How often each entrant sits in each seat, by entrant and seat. */
function seatCounts(matches: readonly ScheduledMatch[], entrants: number, seats: number): number[][] {
  const sat = Array.from({ length: entrants }, () => Array.from({ length: seats }, () => 0))
  for (const match of matches) for (const [seat, entrant] of match.entrants.entries()) sat[entrant]![seat]! += 1
  return sat
}

const shapes = fc.integer({ min: 1, max: 9 }).chain((entrants) =>
  fc.record({
    entrants: fc.constant(entrants),
    seats: fc.integer({ min: 1, max: entrants }),
    repeats: fc.integer({ min: 1, max: 3 }),
    seed: fc.string({ minLength: 1, maxLength: 8 }),
  }),
)

describe('round-robin', () => {
  test('every set of entrants meets exactly `repeats` times, and nobody meets himself', () => {
    fc.assert(
      fc.property(shapes, ({ entrants, seats, repeats, seed }) => {
        const met = new Map<string, number>()
        for (const match of matchesOf(contest(entrants, seats, repeats, seed))) {
          expect(new Set(match.entrants).size).toBe(seats)
          const key = [...match.entrants].sort((a, b) => a - b).join()
          met.set(key, (met.get(key) ?? 0) + 1)
        }
        expect(met.size).toBe(choose(entrants, seats))
        expect([...met.values()].every((count) => count === repeats)).toBe(true)
      }),
    )
  })

  test('matches are numbered from 0 in order', () => {
    expect(matchesOf(contest(6, 3, 2)).map(({ match }) => match)).toEqual(Array.from({ length: 40 }, (_, i) => i))
  })

  test('is a function of the description: the same seed gives the same schedule, another seed another', () => {
    expect(matchesOf(contest(8, 4, 1, 'x'))).toEqual(matchesOf(contest(8, 4, 1, 'x')))
    expect(matchesOf(contest(8, 4, 1, 'x'))).not.toEqual(matchesOf(contest(8, 4, 1, 'y')))
  })

  test('with two seats and two repeats the return game has the sides swapped', () => {
    const matches = matchesOf(contest(7, 2, 2))
    const first = matches.slice(0, 21)
    const second = matches.slice(21)
    expect(second.map(({ entrants }) => entrants)).toEqual(first.map(({ entrants }) => [...entrants].reverse()))
  })

  test('everybody sits in each seat equally often or once more, whatever the number of repeats', () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 9 }), ({ entrants, seats, seed }, repeats) => {
        const sat = seatCounts(matchesOf(contest(entrants, seats, repeats, seed)), entrants, seats)
        for (const counts of sat) expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
      }),
    )
    for (const entrants of [5, 30]) {
      const even = Array.from({ length: 60 }, (_, seed) =>
        seatCounts(matchesOf(contest(entrants, 2, 1, `seed ${seed}`)), entrants, 2).every(
          ([first = 0, second = 0]) => Math.abs(first - second) === (entrants - 1) % 2,
        ),
      )
      expect(even).toEqual(Array.from({ length: 60 }, () => true))
    }
  })

  test('refuses in words what cannot be scheduled', () => {
    expect(scheduleOf(contest(3, 4, 1))).toBe('A match with 4 players needs at least 4 entrants; there are 3.')
    expect(scheduleOf(contest(100, 50, 1))).toMatch(/sets of entrants; the maximum is 2,000,000/)
  })

  test('match seeds differ by match and by contest seed', () => {
    const seeds = [
      matchSeed('a', { match: 0 }, 'hmac'),
      matchSeed('a', { match: 1 }, 'hmac'),
      matchSeed('b', { match: 0 }, 'hmac'),
      matchSeed('0:a', { match: 1 }, 'hmac'),
    ]
    expect(new Set(seeds).size).toBe(4)
    expect(seeds[0]).toMatch(/^[0-9a-f]{64}$/)
  })
})

const seeds = fc.oneof(
  fc.integer({ min: 1, max: 9 }),
  fc.array(fc.integer({ min: 1, max: 2 ** 32 - 1 }), { minLength: 1, maxLength: 5 }),
)
const formats = fc.oneof(
  fc.record({ type: fc.constant('single') }),
  fc.record({
    type: fc.constant('round-robin'),
    seats: fc.integer({ min: 1, max: 4 }),
    repeats: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({ type: fc.constant('ordered-pairs'), seeds, finalists: fc.constantFrom(0, 2, 3, 50), finalSeeds: seeds }),
)

function described(format: object, entrants: number, seed = 'Fior'): ContestDescription {
  return { ...contest(entrants, 1, 1, seed), format: format as ContestDescription['format'] }
}

describe('a schedule of any format', () => {
  test('gives the same match by its index as in its order, whichever is asked for first; counts agree; nobody meets himself', () => {
    fc.assert(
      fc.property(formats, fc.integer({ min: 4, max: 8 }), fc.string({ minLength: 1 }), (format, entrants, seed) => {
        const description = described(format, entrants, seed)
        const made = (): readonly Schedule[] => {
          const first = scheduleOf(description)
          if (typeof first === 'string') throw new Error(first)
          const chosen = chosenFormat(description.format, {})
          if (typeof chosen === 'string') throw new Error(chosen)
          const lengths = chosen.format.stages(chosen.settings, entrants)
          // The last entrants have the best scores.
          const result = description.entrants.map((_, score) => ({ matches: 0, points: 0, wins: 0, score }))
          const later = lengths.slice(1).map((_, at) => {
            const results = Array.from({ length: at + 1 }, () => result)
            const pairings = stagePairings(chosen, { entrants, seed, outcomes: () => null }, results, [])
            return scheduleFrom(first.length, pairings)
          })
          return [first, ...later]
        }
        const stages = made().map((stage) => [...stage])
        expect(stages.flat().map(({ match }) => match)).toEqual(stages.flat().map((_, at) => at))
        expect(matchCount(description)).toBe(stages.flat().length)
        for (const [at, stage] of made().entries()) {
          expect([stage.length, stage.first]).toEqual([stages[at]!.length, at === 0 ? 0 : stages[0]!.length])
          for (let index = stage.length - 1; index >= 0; index--) expect(stage.at(index)).toEqual(stages[at]![index])
        }
        for (const match of stages.flat()) expect(new Set(match.entrants).size).toBe(match.entrants.length)
      }),
    )
  })

  test('of the real size says any match at once', () => {
    const first = described({ type: 'ordered-pairs', seeds: 500, finalists: 50, finalSeeds: 500 }, 186)
    expect(matchCount(first)).toBe(17_205_000 + 1_225_000)
    const two = described({ type: 'ordered-pairs', seeds: 10_000_000, finalists: 0, finalSeeds: 1 }, 2)
    const [round, long] = [first, two].map((description) => scheduleOf(description) as Schedule)
    expect(round!.length).toBe(17_205_000)
    expect([0, 499, 500, 92_500, 17_204_999].map((index) => round!.at(index).entrants)).toEqual([
      [0, 1],
      [0, 1],
      [0, 2],
      [1, 0],
      [185, 184],
    ])
    expect(round!.at(17_204_999).scenario).toBe(round!.at(499).scenario)
    expect(long!.length).toBe(20_000_000)
    expect([0, 10_000_000].map((index) => long!.at(index).entrants)).toEqual([
      [0, 1],
      [1, 0],
    ])
    expect(long!.at(10_000_000).scenario).toBe(long!.at(0).scenario)
  })

  test('is refused where what was played would not fit in memory, in a sentence that says so', () => {
    const [most, more] = [50_000_000, 50_000_001].map((seeds) =>
      scheduleFault(described({ type: 'ordered-pairs', seeds, finalists: 0, finalSeeds: 1 }, 2)),
    )
    expect(most).toBeNull()
    const pairs = (entrants: number) =>
      scheduleFault(described({ type: 'ordered-pairs', seeds: 1, finalists: 0, finalSeeds: 1 }, entrants))
    expect(pairs(1_414)).toBeNull()
    expect(pairs(1_415)).toBe(
      'There would be 2,000,810 ordered pairs of entrants; the maximum is 2,000,000, because the table of all pairs is kept in memory.',
    )
    expect(more).toBe(
      'The contest would have 100,000,002 matches; the maximum is 100,000,000, because each finished match takes memory.',
    )
    const robin = (entrants: number, repeats: number) =>
      scheduleFault(described({ type: 'round-robin', seats: 2, repeats }, entrants))
    expect(robin(2_000, 50)).toBeNull()
    expect(robin(2_001, 1)).toBe(
      'There would be 2,001,000 sets of entrants; the maximum is 2,000,000, because their shuffled order is kept in memory. The format "pools" plays random tables of that size, equally many for each entrant.',
    )
  })
})

function choose(n: number, k: number): number {
  return k === 0 ? 1 : Math.round((choose(n - 1, k - 1) * n) / k)
}
