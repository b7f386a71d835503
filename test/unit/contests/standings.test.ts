import fc from 'fast-check'
import { expect, test } from 'vitest'
import { standingsOf, type PlayedMatch } from '../../../main/administrator/contests/standings.ts'
import { contestDescription } from '../../../main/contract/contests.ts'

const description = contestDescription.parse({
  title: 'A contest',
  game: 'specker',
  format: { type: 'round-robin', seats: 3 },
  seed: 's',
  entrants: ['ada', 'ben', 'cleo', 'dan'].map((name) => ({ name, agent: 'a'.repeat(64) })),
})

function match(number: number, entrants: number[], ranks: number[], faults = [0, 0, 0]): PlayedMatch {
  const places = ranks.map((rank, seat) => ({ seat, rank, score: 100 - rank, removed: rank === 3 }))
  return { match: number, entrants, outcome: { places }, faults }
}

test('a point for everybody left behind, half for everybody level with', () => {
  const standings = standingsOf(description, [
    match(0, [2, 0, 1], [1, 2, 3]),
    match(1, [0, 1, 3], [1, 1, 3], [0, 2, 1]),
  ])
  expect(standings.map(({ agent, rank, points, matches, wins }) => [agent, rank, points, matches, wins])).toEqual([
    ['ada', 1, 2.5, 2, 1],
    ['cleo', 2, 2, 1, 1],
    ['ben', 3, 1.5, 2, 1],
    ['dan', 4, 0, 1, 0],
  ])
  expect(standings.map(({ faults, removals, score }) => [faults, removals, score])).toEqual([
    [0, 0, 197],
    [0, 0, 99],
    [2, 1, 196],
    [1, 1, 97],
  ])
})

test('equal points share a rank, and the next rank counts all before it', () => {
  const standings = standingsOf(description, [match(0, [0, 1, 2], [1, 1, 1])])
  expect(standings.map(({ agent, rank }) => [agent, rank])).toEqual([
    ['ada', 1],
    ['ben', 1],
    ['cleo', 1],
    ['dan', 4],
  ])
})

test('the order in which matches finish does not matter, and points given out are constant', () => {
  const some = fc.array(
    fc.tuple(
      fc.shuffledSubarray([0, 1, 2, 3], { minLength: 3, maxLength: 3 }),
      fc.constantFrom<number[]>([1, 2, 3], [1, 1, 3], [1, 2, 2]),
    ),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(some, (list) => {
      const played = list.map(([entrants, ranks], i) => match(i, entrants, ranks))
      const standings = standingsOf(description, played)
      expect(standingsOf(description, [...played].reverse())).toEqual(standings)
      expect(standings.reduce((sum, row) => sum + row.points, 0)).toBe(played.length * 3)
    }),
  )
})
