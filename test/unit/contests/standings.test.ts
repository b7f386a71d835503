import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTally } from '../../../main/services/contests/standings/standings.ts'
import { createPairTally } from '../../../main/services/contests/formats/pair-tally.ts'
import type { GameContests, PlayedMatch, Tally } from '../../../main/contract/contests/contest-format.ts'
import type { StandingRow } from '../../../main/contract/procedures/procedures.ts'

const names = ['ada', 'ben', 'cleo', 'dan']
const counted = { stage: 0, extras: [], unit: 0 }

function match(entrants: number[], ranks: number[], faults = [0, 0, 0]): PlayedMatch {
  const places = ranks.map((rank, seat) => ({ seat, rank, score: 100 - rank, removed: rank === 3 }))
  return { entrants: entrants.map((at) => names[at]!), outcome: { places }, faults, ...counted }
}

function tallyOf(played: readonly PlayedMatch[]): Tally {
  const tally = createTally(names)
  for (const [unit, each] of played.entries()) tally.add({ ...each, unit })
  return tally
}

const standingsOf = (played: readonly PlayedMatch[]): readonly StandingRow[] => tallyOf(played).standings()

test('a point for everybody left behind, half for everybody level with', () => {
  const standings = standingsOf([match([2, 0, 1], [1, 2, 3]), match([0, 1, 3], [1, 1, 3], [0, 2, 1])])
  expect(standings.map(({ agent, rank, points, matches, wins }) => [agent, rank, points, matches, wins])).toEqual([
    // A tie for the first place is not won.
    ['ada', 1, 2.5, 2, 0],
    ['cleo', 2, 2, 1, 1],
    ['ben', 3, 1.5, 2, 0],
    ['dan', 4, 0, 1, 0],
  ])
  expect(standings.map(({ faults, removals, score }) => [faults, removals, score])).toEqual([
    [0, 0, 197],
    [0, 0, 99],
    [2, 1, 196],
    [1, 1, 97],
  ])
})

test('the share of others placed before has its own interval, whatever the points of the game are', () => {
  // Three points for a win, one for a draw, as in Cows and Herders; and no less than one, as in Lambda Punter.
  const contests = [
    {},
    { points: ({ places }) => places.map(({ rank }) => (rank === 1 ? 3 : 1)) },
  ] as const satisfies GameContests[]
  const intervals = contests.map((game) => {
    const tally = createTally(['ada', 'ben'], game)
    for (let unit = 0; unit < 20; unit++) {
      for (const swapped of [false, true]) {
        // Seat 0 wins, except in every fourth unit, where ada does.
        const ranks = unit % 4 === 0 && swapped ? [2, 1] : [1, 2]
        tally.add({ ...match(swapped ? [1, 0] : [0, 1], ranks), unit })
      }
    }
    return tally.shareIntervals?.().get('ada')
  })
  const [low = 0, high = 0] = intervals[0] ?? []
  expect(intervals[1]).toEqual(intervals[0])
  // The mean is 0.625, and pairs of matches scatter less than single ones.
  expect(low).toBeGreaterThan(0.5)
  expect(high).toBeLessThan(0.75)
})

test('a match does not count for those who play it as an extra one', () => {
  const standings = standingsOf([{ ...match([0, 1, 2], [1, 2, 3], [0, 0, 4]), extras: [0, 2] }])
  expect(standings.map(({ agent, points, matches, wins, faults }) => [agent, points, matches, wins, faults])).toEqual([
    ['ben', 1, 1, 0, 0],
    ['ada', 0, 0, 0, 0],
    ['cleo', 0, 0, 0, 0],
    ['dan', 0, 0, 0, 0],
  ])
  expect(tallyOf([{ ...match([0, 1, 2], [1, 2, 3]), extras: [0] }]).headToHead().met).toEqual([
    [0, 0, 0, 0],
    [0, 0, 1, 0],
    [0, 1, 0, 0],
    [0, 0, 0, 0],
  ])
})

test('nobody wins a match in which nobody was left', () => {
  const places = [0, 1].map((seat) => ({ seat, rank: 1, score: 5, removed: true }))
  const standings = standingsOf([{ entrants: ['ada', 'ben'], outcome: { places }, faults: [1, 1], ...counted }])
  expect(standings.slice(0, 2).map(({ points, wins, removals }) => [points, wins, removals])).toEqual([
    [0.5, 0, 1],
    [0.5, 0, 1],
  ])
})

test('equal points share a rank, and the next rank counts all before it', () => {
  const standings = standingsOf([match([0, 1, 2], [1, 1, 1])])
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
      const played = list.map(([entrants, ranks]) => match(entrants, ranks))
      const standings = standingsOf(played)
      expect(standingsOf([...played].reverse())).toEqual(standings)
      expect(standings.reduce((sum, row) => sum + row.points, 0)).toBe(played.length * 3)
    }),
  )
})

test('the results of pairs: a match ahead counts one, level with counts half', () => {
  const {
    names: heads,
    better,
    met,
  } = tallyOf([match([2, 0, 1], [1, 2, 3]), match([0, 1, 3], [1, 1, 3]), match([1, 0, 2], [1, 2, 3])]).headToHead()
  expect(heads).toEqual(names)
  expect(better).toEqual([
    [0, 1.5, 1, 1],
    [1.5, 0, 1, 1],
    [1, 1, 0, 0],
    [0, 0, 0, 0],
  ])
  expect(met).toEqual([
    [0, 3, 2, 1],
    [3, 0, 2, 1],
    [2, 2, 0, 0],
    [1, 1, 0, 0],
  ])
})

test('with more entrants than anybody could look at there is no table of who beat whom', () => {
  const many = Array.from({ length: 201 }, (_, at) => `agent ${at}`)
  const tally = createTally(many)
  tally.add({
    entrants: many,
    outcome: { places: many.map((_, seat) => ({ seat, rank: seat + 1, score: 0, removed: false })) },
    faults: [],
    ...counted,
  })
  expect(tally.headToHead()).toEqual({ names: [], better: [], met: [] })
  expect(tally.standings().slice(0, 2)).toMatchObject([
    { agent: 'agent 0', rank: 1, points: 200 },
    { agent: 'agent 1', rank: 2, points: 199 },
  ])
})

test('intervals are of the points per match, of those who have played enough, and within what a match can give', () => {
  const twice = [match([0, 1, 2], [1, 2, 3]), match([0, 1, 3], [2, 1, 3])]
  expect([...tallyOf(twice).intervals!()]).toEqual([])
  const intervals = tallyOf([...twice, ...twice]).intervals!()
  expect([...intervals.keys()]).toEqual(['ada', 'ben'])
  // Two, one, two and one points of at most two.
  const [low, high] = intervals.get('ada')!
  expect(low).toBeGreaterThan(0)
  expect(low).toBeLessThan(1)
  expect(high).toBeGreaterThan(1.7)
  expect(high).toBeLessThanOrEqual(2)
})

test('a match in which an entrant has several seats is one match for it, with the sums of its seats', () => {
  const places = [
    { seat: 0, rank: 2, score: 40, removed: false },
    { seat: 1, rank: 1, score: 50, removed: false },
    { seat: 2, rank: 3, score: 10, removed: true },
    { seat: 3, rank: 1, score: 50, removed: true },
  ]
  const outcome = { places }
  const played = { entrants: ['ada', 'ben', 'ben', 'ben'], outcome, faults: [1, 0, 2, 3], ...counted }
  const contests = { points: () => [4, 5, 1, 5] }
  const tally = createTally(names, contests)
  tally.add(played)
  const [first, second] = tally.standings()
  expect(first).toMatchObject({ agent: 'ben', points: 11, score: 110, matches: 1, wins: 1, removals: 1, faults: 5 })
  expect(second).toMatchObject({ agent: 'ada', points: 4, score: 40, matches: 1, wins: 0, removals: 0, faults: 1 })
  const { met, better } = tally.headToHead()
  expect([met[0]![1], met[1]![0], met[1]![1]]).toEqual([1, 1, 0])
  expect([better[0]![1], better[1]![0]]).toEqual([0, 1])
  const pairs = createPairTally(names, contests, () => [])
  pairs.add(played)
  expect(pairs.standings()[0]).toMatchObject({ agent: 'ben', score: 110, matches: 1, removals: 1, faults: 5 })
  expect(pairs.tables()['pairs']).toMatchObject([
    { first: 'ada', second: 'ben', sessions: 1, score: [40, 110], aborts: [0, 1] },
  ])
})

test('pairs of entrants have scores for tables, and places for who was before whom', () => {
  const pairs = createPairTally(['ada', 'ben'], {}, () => [])
  for (const [own, other] of [
    [62, 1],
    [5, 5],
  ]) {
    const places = [own!, other!].map((score, seat) => ({ seat, rank: seat + 1, score, removed: false }))
    pairs.add({ entrants: ['ada', 'ben'], outcome: { places }, faults: [0, 0], ...counted })
  }
  const met = [
    [0, 2],
    [2, 0],
  ]
  expect(pairs.headToHead()).toMatchObject({
    scores: true,
    met,
    better: [
      [0, 67],
      [6, 0],
    ],
  })
  expect(pairs.placings?.()).toEqual({
    names: ['ada', 'ben'],
    met,
    better: [
      [0, 1.5],
      [0.5, 0],
    ],
  })
})
