import { expect, test } from 'vitest'
import { createPairedResults } from '../../../main/services/contests/statistics/paired-results.ts'
import { createContestRatings } from '../../../main/services/contests/standings/contest-ratings.ts'
import { readingJobs } from '../../../main/app/reading-jobs.ts'
import { termTableJob } from '../../../main/services/grades/term-table-job.ts'
import { termTable } from '../../../main/services/grades/term/term-table.ts'
import { madeContest, times } from './counted-contests.ts'

const row = (table: ReturnType<typeof termTable>, name: string) => table.rows.find((each) => each.name === name)!

test('points are the share of the others that were placed behind, ties counted half, and are added', () => {
  // Among four: RED is before three (100), BLUE and GREEN before one and beside one (1.5 / 3 = 50), baby before none.
  const first = madeContest('one', [
    { name: 'RED', rank: 1 },
    { name: 'BLUE', rank: 2 },
    { name: 'GREEN', rank: 2 },
    { name: 'baby', rank: 4 },
  ])
  // Among three: BLUE 100, RED 50, baby 0. GREEN stayed away.
  const second = madeContest('two', [
    { name: 'BLUE', rank: 1 },
    { name: 'RED', rank: 2 },
    { name: 'baby', rank: 3 },
  ])
  const table = termTable([first, second])
  expect(table.rows.map(({ name, rank, points }) => [name, rank, points])).toEqual([
    ['BLUE', 1, 150],
    ['RED', 1, 150],
    ['GREEN', 3, 50],
    ['baby', null, 0],
  ])
  expect(row(table, 'BLUE').results).toMatchObject([
    { contest: 'one', rank: 2, of: 4, points: 8, score: 50 },
    { contest: 'two', rank: 1, of: 3, points: 9, score: 100 },
  ])
  expect(row(table, 'GREEN').results).toHaveLength(1)
  expect(row(table, 'RED').matches).toBe(6)
  expect(table.contests.map(({ entrants }) => entrants)).toEqual([4, 3])
})

test('an entrant without a match has no result, and a contest of one counts for nothing', () => {
  const absent = madeContest('one', [
    { name: 'RED', rank: 1 },
    { name: 'BLUE', rank: 2 },
  ])
  const unplayed = {
    ...absent,
    standings: absent.standings.map((each, at) => (at === 1 ? { ...each, matches: 0 } : each)),
  }
  const table = termTable([unplayed, madeContest('alone', [{ name: 'RED', rank: 1 }])])
  expect(row(table, 'BLUE')).toMatchObject({ points: 0, matches: 0, results: [] })
  expect(row(table, 'RED')).toMatchObject({ points: 100, results: [{ contest: 'one' }] })
  expect(table.contests.map(({ contest }) => contest)).toEqual(['one'])
})

test('the rating is that of one contest with the matches of all, whoever had which number where', () => {
  const one = [...times(5, 'RED', 'BLUE'), ...times(3, 'BLUE', 'baby'), ...times(1, 'BLUE', 'RED')]
  const two = [...times(4, 'BLUE', 'RED'), ...times(4, 'RED', 'baby'), ...times(1, 'baby', 'BLUE')]
  const table = termTable([
    madeContest(
      'one',
      ['RED', 'BLUE', 'baby'].map((name, at) => ({ name, rank: at + 1 })),
      one,
    ),
    madeContest(
      'two',
      ['baby', 'BLUE', 'RED'].map((name, at) => ({ name, rank: at + 1 })),
      two,
    ),
  ])
  const whole = createPairedResults(3)
  const numbers = new Map([
    ['RED', 0],
    ['BLUE', 1],
    ['baby', 2],
  ])
  for (const [unit, names] of [...one, ...two].entries())
    whole.add(
      unit,
      names.map((name) => numbers.get(name)!),
      [1, 2],
    )
  for (const [name, at] of numbers) {
    const { rating, interval } = whole.ratings().of(at)
    expect(row(table, name).rating).toBeCloseTo(rating, 6)
    expect(row(table, name).interval?.[0]).toBeCloseTo(interval![0], 6)
    expect(row(table, name).results.at(-1)?.after?.rating).toBeCloseTo(rating, 6)
  }
  // After the first contest alone RED, who won five of six there, was ahead of BLUE.
  expect(row(table, 'RED').results[0]!.after!.rating).toBeGreaterThan(row(table, 'BLUE').results[0]!.after!.rating)
})

test('a trend is told only if the rating before the newest contest is outside of the interval after it', () => {
  const entrants = [
    { name: 'RED', rank: 1 },
    { name: 'BLUE', rank: 2 },
  ]
  const before = madeContest('one', entrants, [...times(20, 'BLUE', 'RED'), ...times(5, 'RED', 'BLUE')])
  const turned = termTable([before, madeContest('two', entrants, times(80, 'RED', 'BLUE'))])
  expect(turned.rows.map(({ name, trend }) => [name, trend])).toEqual([
    ['RED', 'rising'],
    ['BLUE', 'falling'],
  ])
  const little = termTable([before, madeContest('two', entrants, times(1, 'RED', 'BLUE'))])
  expect(little.rows.map(({ trend }) => trend)).toEqual(['steady', 'steady'])
  expect(termTable([before]).rows.map(({ trend }) => trend)).toEqual([null, null])
})

test('the best version is the one that won more, which need not be the latest', () => {
  const versions = (red: number, blue: number) => [
    { name: 'RED', version: red, rank: 1 },
    { name: 'BLUE', version: blue, rank: 2 },
    { name: 'baby', rank: 3 },
  ]
  const matches = (winner: string, loser: string) => [
    ...times(10, winner, loser),
    ...times(5, winner, 'baby'),
    ...times(5, 'baby', loser),
  ]
  const table = termTable([
    madeContest('one', versions(1, 1), matches('BLUE', 'RED')),
    madeContest('two', versions(2, 2), matches('RED', 'BLUE')),
  ])
  expect(row(table, 'RED')).toMatchObject({ best: { version: 2, contests: 1 }, latest: { version: 2 } })
  expect(row(table, 'BLUE')).toMatchObject({ best: { version: 1 }, latest: { version: 2 } })
  expect(row(table, 'baby')).toMatchObject({ best: { version: 1, contests: 2 }, latest: { version: 1 } })
})

test('with too many versions for ratings none is called the best, and teams are rated all the same', () => {
  const teams = Array.from({ length: 10 }, (_, at) => `T${at}`)
  const all = Array.from({ length: 31 }, (_, at) =>
    madeContest(
      `c${at}`,
      teams.map((name, place) => ({ name, version: at + 1, rank: place + 1 })),
      times(1, 'T0', 'T1'),
    ),
  )
  const first = row(termTable(all), 'T0')
  expect(first).toMatchObject({ best: null, latest: { version: 31, rating: null, interval: null } })
  expect(first.rating).toBeGreaterThan(1_600)
  expect(row(termTable(all.slice(1)), 'T0').best).toMatchObject({ rating: expect.any(Number) as number })
})

test('a contest with too many entrants for ratings leaves the ratings of the others as they are', () => {
  const entrants = ['RED', 'BLUE'].map((name, at) => ({ name, rank: at + 1 }))
  const rated = madeContest('one', entrants, times(20, 'RED', 'BLUE'))
  const many = Array.from({ length: 301 }, (_, at) => ({ name: `e${at}`, version: 1, rank: at + 1 }))
  const large = {
    ...madeContest('large', [...many, { name: 'RED', version: 2, rank: 302 }].slice(1)),
    isRated: false,
  }
  const [alone, both] = [termTable([rated]), termTable([large, rated])]
  const { rating, interval, trend } = row(alone, 'RED')
  expect(interval).not.toBe(null)
  expect(row(both, 'RED')).toMatchObject({ rating, interval, trend, best: { version: 1 } })
  expect(row(both, 'e1')).toMatchObject({ rating: 1_500, interval: null, best: null, latest: { rating: null } })
})

test('rulings count, and the table says what it was without them', () => {
  const ruled = madeContest(
    'one',
    [
      { name: 'BLUE', rank: 1, asPlayed: 2 },
      { name: 'GREEN', rank: 2, asPlayed: 3 },
      { name: 'RED', rank: 3, asPlayed: 1 },
    ],
    [...times(6, 'BLUE', 'RED'), ...times(6, 'GREEN', 'RED')],
    [...times(6, 'RED', 'BLUE'), ...times(6, 'RED', 'GREEN')],
  )
  const table = termTable([ruled])
  expect(table.rows.map(({ name, points, asPlayed }) => [name, points, asPlayed?.points])).toEqual([
    ['BLUE', 100, 50],
    ['GREEN', 50, 0],
    ['RED', 0, 100],
  ])
  expect(row(table, 'RED').rating).toBeLessThan(1_500)
  expect(row(table, 'RED').asPlayed!.rating).toBeGreaterThan(1_500)
  expect(row(table, 'RED').results).toMatchObject([{ rank: 3, asPlayed: { rank: 1, points: 9 } }])
})

test('a contest rated in order, as a ladder is, has meetings too; one with too many entrants for pairs has none', () => {
  const outcome = { places: [1, 2].map((rank, seat) => ({ seat, rank, score: -rank, removed: false })) }
  const place = { stage: 0, unit: 0, unitSize: 1, extras: [], variant: 0 }
  const meetings = (names: readonly string[]) => {
    const ratings = createContestRatings(names, { rating: 'openskill' })
    ratings.add(0, ['e0', 'e1'], outcome, place)
    return ratings.meetings()
  }
  const names = (count: number) => Array.from({ length: count }, (_, at) => `e${at}`)
  expect(meetings(names(200)).map(({ pairs, won }) => [[...pairs], [...won]])).toEqual([[[0], [1]]])
  expect(meetings(names(201))).toEqual([])
})

test('another process gets and gives a table as it is, and knows the job', async () => {
  const entrants = ['RED', 'BLUE', 'baby'].map((name, at) => ({ name, rank: at + 1, asPlayed: 3 - at }))
  const contests = [
    madeContest('one', entrants, times(8, 'RED', 'BLUE', 'baby')),
    { ...madeContest('two', [...entrants, { name: 'GREEN', rank: 4, version: 2 }]), isRated: false },
    madeContest('three', entrants, times(8, 'BLUE', 'RED'), times(8, 'RED', 'BLUE')),
  ]
  const table = await termTableJob.read(structuredClone(contests), () => undefined)
  expect(table).toEqual(termTable(contests))
  expect(table.rows.map(({ trend }) => trend)).toContain('falling')
  expect(termTableJob.result.parse(structuredClone(table))).toEqual(table)
  expect(readingJobs.get('term-table')).toBe(termTableJob)
})
