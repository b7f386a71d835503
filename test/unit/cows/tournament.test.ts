import { expect, test } from 'vitest'
import { createTally } from '../../../main/services/contests/standings/standings.ts'
import type { Outcome } from '../../../main/contract/game/outcome.ts'
import { tournamentSettings } from '../../../main/referees/cows/choices.ts'
import { contests, tournament } from '../../../main/referees/cows/maps/tournament.ts'

const settings = tournamentSettings.parse({ maps: ['a', 'b', 'c'] })
const contest = { settings, entrants: 5, seed: 'Lemuria', outcomes: () => null }

test('every pair plays every map of every match, from both corrals once each', () => {
  const pairings = tournament.next(contest, [], [])
  expect(tournament.stages(settings, 5)).toEqual([pairings.length])
  const seen = Array.from({ length: pairings.length }, (_, index) => pairings.at(index)!)
  const expected = new Set<string>()
  for (let one = 0; one < 5; one += 1) {
    for (let other = 0; other < 5; other += 1) {
      for (const map of [0, 1, 2]) if (one !== other) expected.add(`${one} ${other} ${map}`)
    }
  }
  expect(new Set(seen.map(({ entrants, variant }) => [...entrants, variant].join(' ')))).toEqual(expected)
  expect(seen.length).toBe(expected.size)
})

test('a match is a simulation on each map in turn, with the corrals swapped from one to the next', () => {
  const pairings = tournament.next(contest, [], [])
  expect([0, 1, 2, 3].map((index) => pairings.at(index))).toEqual([
    { entrants: [0, 1], variant: 0 },
    { entrants: [1, 0], variant: 1 },
    { entrants: [0, 1], variant: 2 },
    { entrants: [0, 2], variant: 0 },
  ])
  // The first return match.
  expect(pairings.at(30)).toEqual({ entrants: [1, 0], variant: 0 })
  expect(tournament.variants!(settings)).toEqual([{ map: 'a' }, { map: 'b' }, { map: 'c' }])
})

test('a simulation gives three points to who wins it, and one to each of a draw', () => {
  const outcome = (...ranks: number[]): Outcome => ({
    places: ranks.map((rank, seat) => ({ seat, rank, score: 0, removed: false })),
  })
  expect(contests.points!(outcome(1, 2))).toEqual([3, 0])
  expect(contests.points!(outcome(2, 1))).toEqual([0, 3])
  expect(contests.points!(outcome(1, 1))).toEqual([1, 1])
})

test('a tournament that cannot be numbered is refused', () => {
  expect(tournament.fault!(settings, 100)).toBeNull()
  expect(tournament.fault!(settings, 10_000)).toMatch(/the maximum is 100,000,000/)
})

test('a player that has as many points as another is ranked by cows', () => {
  const names = ['Anna', 'Ben', 'Carla', 'Dora']
  const tally = tournament.tally!({
    settings,
    names,
    contests,
    seed: '',
    outcomes: () => null,
    results: () => [],
    pairings: () => [],
    soFar: () => [],
    usual: () => createTally(names, contests),
  })
  const play = (entrants: readonly string[], scores: readonly number[]) => {
    const places = scores.map((score, seat) => ({
      seat,
      score,
      rank: score === Math.max(...scores) ? 1 : 2,
      removed: false,
    }))
    tally.add({ entrants, outcome: { places }, faults: [0, 0], stage: 0, extras: [], unit: 0 })
  }
  play(['Anna', 'Ben'], [5, 4])
  play(['Carla', 'Dora'], [9, 4])
  expect(tally.standings().map(({ agent, rank, points, score }) => [rank, agent, points, score])).toEqual([
    [1, 'Carla', 3, 9],
    [2, 'Anna', 3, 5],
    [3, 'Ben', 0, 4],
    [3, 'Dora', 0, 4],
  ])
})
