import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { scheduleFault, scheduleOf } from '../../../main/services/contests/schedule/schedule.ts'
import type { ScheduledMatch } from '../../../main/services/contests/schedule/scheduled-match.ts'
import { randomStream, shuffled } from '../../../main/contract/random.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { contestOf, playOut, type Play } from '../../unit/contests/played-contest.ts'
import { repeats } from '../../long.ts'

/** Scores drawn by the match: with ties, upsets and everything. */
const drawn: Play = ({ match, entrants }) => {
  const next = randomStream(sha256(`scores ${match}`))
  return entrants.map(() => next() % 3)
}

const formats = fc.integer({ min: 2, max: 4 }).chain((seats) =>
  fc.oneof(
    fc.record({
      type: fc.constant('round-robin'),
      seats: fc.constant(seats),
      repeats: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ type: fc.constant('double-round-robin'), seats: fc.constant(seats) }),
    fc.record({
      type: fc.constant('gauntlet'),
      seats: fc.constant(seats),
      challengers: fc.integer({ min: 1, max: 2 }),
    }),
    fc.record({ type: fc.constant('swiss'), seats: fc.constant(seats) }),
    fc.record({ type: fc.constant('knockout'), bestOf: fc.constantFrom(1, 3, 5), thirdPlace: fc.boolean() }),
    fc.record({ type: fc.constant('ladder'), seats: fc.constant(seats), repeats: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ type: fc.constant('pools'), seats: fc.constant(seats), games: fc.integer({ min: 1, max: 9 }) }),
  ),
)
const contests = fc
  .record({
    format: formats,
    entrants: fc.integer({ min: 2, max: 13 }),
    seed: fc.string({ minLength: 1, maxLength: 8 }),
  })
  .map(({ format, entrants, seed }) => contestOf(format, entrants, seed))
  .filter((description) => scheduleFault(description) === null)

const byOrder =
  (order: string) =>
  (matches: readonly ScheduledMatch[]): readonly ScheduledMatch[] =>
    shuffled(matches, randomStream(sha256(order)))

describe('every format', () => {
  test('gives matches of its table size, in which nobody plays itself', () => {
    fc.assert(
      fc.property(contests, (description) => {
        const { stages, record } = playOut(description, drawn)
        const sizes = new Set(stages.flat().map(({ entrants }) => entrants.length))
        expect(sizes.size).toBeLessThanOrEqual(1)
        for (const { entrants } of stages.flat()) expect(new Set(entrants).size).toBe(entrants.length)
        expect([record.done, record.standings().length]).toEqual([record.total, description.entrants.length])
      }),
      { numRuns: repeats({ short: 100, long: 5000 }) },
    )
  })

  test('depends on the seed and the results alone, not on the order in which matches end', () => {
    fc.assert(
      fc.property(contests, fc.string(), (description, order) => {
        const [one, other] = [playOut(description, drawn), playOut(description, drawn, {}, byOrder(order))]
        expect(other.stages).toEqual(one.stages)
        expect(other.record.standings()).toEqual(one.record.standings())
        expect(other.record.tables()).toEqual(one.record.tables())
      }),
      { numRuns: repeats({ short: 60, long: 3000 }) },
    )
  })
})

/** How often each entrant sits in each seat, by entrant and seat. */
function seatsOf(matches: readonly ScheduledMatch[], entrants: number): readonly (readonly number[])[] {
  const seats = matches[0]?.entrants.length ?? 0
  const sat = Array.from({ length: entrants }, () => Array.from({ length: seats }, () => 0))
  for (const { entrants: seated } of matches) for (const [seat, entrant] of seated.entries()) sat[entrant]![seat]! += 1
  return sat
}
const spread = (counts: readonly number[]): number => Math.max(...counts) - Math.min(...counts)

describe('a Swiss tournament', () => {
  test('of 64 in the number of rounds that decides it: all play, nobody meets twice, seats balance, equals meet', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (seed) => {
        const { stages } = playOut(contestOf({ type: 'swiss' }, 64, seed), drawn)
        expect(stages.map(({ length }) => length)).toEqual([32, 32, 32, 32, 32, 32])
        const met = stages.flat().map(({ entrants }) => [...entrants].sort((a, b) => a - b).join())
        expect(new Set(met).size).toBe(6 * 32)
        for (const stage of stages) expect(new Set(stage.flatMap(({ entrants }) => entrants)).size).toBe(64)
        for (const counts of seatsOf(stages.flat(), 64)) expect(spread(counts)).toBeLessThanOrEqual(2)
      }),
      { numRuns: repeats({ short: 10, long: 500 }) },
    )
  })

  test('with as many rounds as possible still has no rematch, and nobody has a second bye', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 17 }), fc.string({ minLength: 1 }), (entrants, seed) => {
        const description = contestOf({ type: 'swiss', rounds: Math.ceil(entrants / 2) }, entrants, seed)
        const { stages, record } = playOut(description, drawn)
        const met = stages.flat().map(({ entrants: pair }) => [...pair].sort((a, b) => a - b).join())
        expect(new Set(met).size).toBe(met.length)
        const rows = record.tables()['Tie-breaks'] as readonly { readonly byes: number }[]
        for (const { byes } of rows) expect(byes).toBeLessThanOrEqual(1)
      }),
      { numRuns: repeats({ short: 200, long: 10000 }) },
    )
  })
})

test('a double round-robin of 30: each meets each in both seats, everybody sits in each seat equally often', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (seed) => {
      const { stages } = playOut(contestOf({ type: 'double-round-robin' }, 30, seed), drawn)
      const met = new Set(stages.flat().map(({ entrants }) => entrants.join()))
      expect([stages.flat().length, met.size]).toEqual([870, 870])
      for (const counts of seatsOf(stages.flat(), 30)) expect(counts).toEqual([29, 29])
    }),
    { numRuns: repeats({ short: 5, long: 250 }) },
  )
})

test('pools: everybody plays the same number of matches that count, in each seat equally often or once more', () => {
  const shapes = fc.record({
    entrants: fc.integer({ min: 6, max: 20 }),
    seats: fc.integer({ min: 2, max: 6 }),
    games: fc.integer({ min: 1, max: 14 }),
    seed: fc.string({ minLength: 1 }),
  })
  fc.assert(
    fc.property(shapes, ({ entrants, seed, ...format }) => {
      const { stages, record } = playOut(contestOf({ type: 'pools', ...format }, entrants, seed), drawn)
      for (const { matches } of record.standings()) expect(matches).toBe(format.games)
      // Those drafted for the last match may sit once more.
      const counted = stages.flat().slice(0, -1)
      for (const counts of seatsOf(counted, entrants)) expect(spread(counts)).toBeLessThanOrEqual(2)
    }),
    { numRuns: repeats({ short: 60, long: 3000 }) },
  )
})

test('a ladder and a gauntlet: a challenger meets each of the others as often as the format says', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: 12 }),
      fc.integer({ min: 2, max: 4 }),
      fc.string(),
      (entrants, seats, text) => {
        const seed = `seed ${text}`
        const { record } = playOut(contestOf({ type: 'gauntlet', seats, repeats: 3 }, entrants, seed), drawn)
        const rows = record.standings().filter(({ agent }) => agent !== 'A')
        for (const { matches } of rows) expect(matches).toBe(3)
        const pyramid = playOut(contestOf({ type: 'ladder', seats: 2, repeats: 2 }, entrants, seed), drawn)
        expect(pyramid.stages.flat()).toHaveLength(entrants * (entrants - 1))
      },
    ),
    { numRuns: repeats({ short: 30, long: 1500 }) },
  )
})

test('ten million matches take no memory before they are played', () => {
  const description = contestOf({ type: 'pools', seats: 2, games: 20_000 }, 1_000)
  const before = process.memoryUsage().heapUsed
  const record = createRecord(description)
  const stage = scheduleOf(description)
  if (typeof stage === 'string') throw new Error(stage)
  expect([stage.length, record.total]).toEqual([10_000_000, 10_000_000])
  expect(stage.at(9_999_999).entrants).toHaveLength(2)
  expect(stage.at(5_000_000)).toEqual(stage.at(5_000_000))
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000)
})
