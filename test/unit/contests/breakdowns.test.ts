import { describe, expect, test } from 'vitest'
import type { GameContests } from '../../../main/contract/contests/contest-format.ts'
import { contests as cops } from '../../../main/referees/cops/contests/pods.ts'
import { contests as cows } from '../../../main/referees/cows/maps/tournament.ts'
import { byList, contestOf, playOut, type Play } from './played-contest.ts'

const rows = (record: ReturnType<typeof playOut>['record'], table: string) =>
  record.breakdowns()[table]!.map(({ agent, part, matches, points, score }) => [agent, part, matches, points, score])

test('by seat and over time, worked by hand', () => {
  // A meets B and C twice each: AB, CA, BA, AC; A always wins. Scores are minus the number in the list.
  const { record } = playOut(contestOf({ type: 'gauntlet' }, 3), byList)
  expect(rows(record, 'By seat')).toEqual([
    ['A', 'seat 1', 2, 2, 0],
    ['A', 'seat 2', 2, 2, 0],
    ['B', 'seat 1', 1, 0, -1],
    ['B', 'seat 2', 1, 0, -1],
    ['C', 'seat 1', 1, 0, -2],
    ['C', 'seat 2', 1, 0, -2],
  ])
  expect(rows(record, 'Over time').filter(([agent]) => agent === 'A')).toEqual([
    ['A', 'match 0', 1, 1, 0],
    ['A', 'match 1', 1, 1, 0],
    ['A', 'match 2', 1, 1, 0],
    ['A', 'match 3', 1, 1, 0],
  ])
  expect(record.breakdowns()['By map or setting']).toBeUndefined()
})

test('by map, where a format has some', () => {
  const format = { type: 'game', name: 'tournament', settings: { maps: ['open', 'maze'], matches: 2 } }
  // B wins on the first map and A on the second.
  const play: Play = ({ entrants, variant }) => entrants.map((entrant) => (entrant === variant ? 0 : 1))
  const { record } = playOut(contestOf(format, 2), play, cows)
  expect(rows(record, 'By map or setting')).toEqual([
    ['A', '1. map open', 2, 0, 0],
    ['A', '2. map maze', 2, 6, 2],
    ['B', '1. map open', 2, 6, 2],
    ['B', '2. map maze', 2, 0, 0],
  ])
})

test('scores have the unit of the game in every table', () => {
  const tenths: Play = ({ entrants }) => entrants.map((at) => 25 * at)
  const unit: GameContests = { scoreUnit: 10 }
  const pairs = { type: 'ordered-pairs', seeds: 1, finalists: 0 }
  for (const format of [{ type: 'gauntlet' }, pairs]) {
    const { record } = playOut(contestOf(format, 2), tenths, unit)
    const [first] = record.ratedStandings()
    expect([first!.score, first!.bySeat.map(({ score }) => score)]).toEqual([5, [2.5, 2.5]])
    expect(rows(record, 'By seat').map((row) => row[4])).toEqual([0, 0, 2.5, 2.5])
  }
  const { record } = playOut(contestOf(pairs, 2), tenths, unit)
  const [first] = record.standings()
  expect([first!.points, first!.session!.bySeat.map(({ score }) => score)]).toEqual([5, [2.5, 2.5]])
  expect(record.tables().pairs!.flatMap(({ score }) => score)).toEqual([0, 2.5, 2.5, 0])
  expect(record.headToHead().better).toEqual([
    [0, 0],
    [5, 0],
  ])
})

test('over time there are 16 parts at most, whatever the order in which matches end', () => {
  const description = contestOf({ type: 'round-robin', repeats: 50 }, 4)
  const forwards = playOut(description, byList).record.breakdowns()
  const backwards = playOut(description, byList, {}, (matches) => matches.toReversed()).record.breakdowns()
  expect(backwards).toEqual(forwards)
  const parts = new Set(forwards['Over time']!.map(({ part }) => part))
  // 300 matches: parts of 32.
  expect([...parts].slice(0, 2)).toEqual(['matches 0 to 31', 'matches 32 to 63'])
  expect(parts.size).toBe(10)
  // The last part ends with the last match.
  expect([...parts].at(-1)).toBe('matches 288 to 299')
})

describe('every number of a contest is finite', () => {
  const tied: Play = ({ entrants }) => entrants.map(() => 0)
  test.each<[string, object, number, Play | null, GameContests?]>([
    ['no match', { type: 'round-robin' }, 4, null],
    ['one player', { type: 'single' }, 1, byList],
    ['0 and 100 %', { type: 'round-robin', repeats: 10 }, 2, byList],
    ['only ties', { type: 'double-round-robin' }, 3, tied],
    ['only ties in a knockout', { type: 'knockout' }, 5, tied],
    ['only ties of ordered pairs', { type: 'ordered-pairs', seeds: 3, finalists: 2, finalSeeds: 2 }, 3, tied],
    ['no match of ordered pairs', { type: 'ordered-pairs', seeds: 3, finalists: 0 }, 3, null],
    ['a ladder of one match', { type: 'ladder', repeats: 1 }, 2, byList],
    ['pods of one contestant', { type: 'game', name: 'pods', settings: {} }, 2, tied, cops],
    ['a game with roles, one match', { type: 'single' }, 6, byList, cops],
  ])('%s', (_, format, entrants, play, contests = {}) => {
    const { record } = playOut(contestOf(format, entrants), play ?? tied, contests, (all) => (play === null ? [] : all))
    const all = [record.ratedStandings(), record.breakdowns(), [...record.intervals().values()], record.headToHead()]
    expect(JSON.stringify(all)).toBe(JSON.stringify(all, (key, value: unknown) => finite(key, value)))
    for (const { superiority } of record.ratedStandings()) {
      if (superiority !== null) expect(superiority).toBeGreaterThanOrEqual(0)
    }
  })
  const finite = (key: string, value: unknown): unknown => {
    if (typeof value === 'number') expect(Number.isFinite(value), key).toBe(true)
    return value
  }
})

test('an entrant that has only tied has an interval, and has won nothing', () => {
  const { record } = playOut(contestOf({ type: 'round-robin', repeats: 8 }, 2), ({ entrants }) => entrants.map(() => 0))
  expect(record.standings().map(({ wins, points }) => [wins, points])).toEqual([
    [0, 4],
    [0, 4],
  ])
  const [low, high] = record.intervals().get('A')!
  expect(low + high).toBeCloseTo(1, 9)
  expect(high - low).toBeGreaterThan(0.3)
  expect(high).toBeLessThan(1)
})

test('in pods the rating follows the points of a pod, although the robber is always ahead in a game', () => {
  // Everybody is best as the robber. A is much better as the robber, B slightly better as a cop; A has more points.
  const format = { type: 'game', name: 'pods', settings: { elimination: false } }
  const play: Play = ({ entrants }) =>
    entrants.map((entrant, seat) => (seat === 0 ? [1_000, 100, 90, 80, 70, 60, 50] : [5, 9, 8, 7, 6, 5, 4])[entrant]!)
  const { record } = playOut(contestOf(format, 7), play, cops)
  const rated = new Map(record.ratedStandings().map(({ agent, rating }) => [agent, rating]))
  for (const other of ['B', 'C', 'D', 'E', 'F']) expect(rated.get('A')).toBeGreaterThan(rated.get(other)!)
})
