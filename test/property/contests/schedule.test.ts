import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchSeed, scheduleOf } from '../../../main/administrator/contests/schedule.ts'
import type { ScheduledMatch } from '../../../main/administrator/contests/scheduled-match.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests.ts'

function contest(entrants: number, seats: number, repeats: number, seed = 'Fior'): ContestDescription {
  return contestDescription.parse({
    title: 'A contest',
    game: 'specker',
    format: { type: 'round-robin', seats, repeats },
    seed,
    entrants: Array.from({ length: entrants }, (_, i) => ({ name: `agent ${String(i)}`, agent: 'a'.repeat(64) })),
  })
}

function matchesOf(description: ContestDescription): readonly ScheduledMatch[] {
  const schedule = scheduleOf(description)
  if (typeof schedule === 'string') throw new Error(schedule)
  return [...schedule]
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

  test('seats are shared out: with as many repeats as seats exactly evenly, else nearly', () => {
    const seatsOf = (matches: readonly ScheduledMatch[], entrant: number, seats: number): number[] =>
      Array.from({ length: seats }, (_, seat) => matches.filter(({ entrants }) => entrants[seat] === entrant).length)
    const whole = matchesOf(contest(6, 3, 3))
    for (let entrant = 0; entrant < 6; entrant++) expect(seatsOf(whole, entrant, 3)).toEqual([10, 10, 10])
    const once = matchesOf(contest(8, 4, 1))
    for (let entrant = 0; entrant < 8; entrant++) {
      const counts = seatsOf(once, entrant, 4)
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(3)
    }
  })

  test('refuses in words what cannot be scheduled', () => {
    expect(scheduleOf(contest(3, 4, 1))).toBe('4 players a match need at least 4 entrants; there are 3.')
    expect(scheduleOf(contest(100, 50, 1))).toMatch(/matches; 2,000,000 are the most/)
  })

  test('match seeds differ by match and by contest seed', () => {
    const seeds = [
      matchSeed('a', { match: 0 }),
      matchSeed('a', { match: 1 }),
      matchSeed('b', { match: 0 }),
      matchSeed('0:a', { match: 1 }),
    ]
    expect(new Set(seeds).size).toBe(4)
    expect(seeds[0]).toMatch(/^[0-9a-f]{64}$/)
  })
})

function choose(n: number, k: number): number {
  return k === 0 ? 1 : Math.round((choose(n - 1, k - 1) * n) / k)
}
