import { describe, expect, test } from 'vitest'
import { createRecord, type ContestRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { matchCount, scheduleFault } from '../../../main/services/contests/schedule/schedule.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'
import type { Json } from '../../../main/contract/json.ts'
import { contests } from '../../../main/referees/punter/rounds/rounds.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function contest(entrants: number, settings: Json): ContestDescription {
  return contestDescription.parse({
    title: 'Rounds',
    game: 'punter',
    format: { type: 'game', name: 'rounds', settings },
    seed: 'Oxford',
    entrants: Array.from({ length: entrants }, (_, at) => ({ name: letters[at]!, agent: 'a'.repeat(64) })),
  })
}

/** Plays a stage; `better` tells who of two names comes before the other, 0: they are equal. */
function play(record: ContestRecord, stage: number, strength: (name: string) => number): void {
  for (const { match, entrants } of record.stage(stage)!) {
    if (record.isDone(match)) continue
    const names = entrants.map((entrant) => letters[entrant]!)
    const places = names.map((name, seat) => ({
      seat,
      score: strength(name),
      rank: 1 + names.filter((other) => strength(other) > strength(name)).length,
      removed: false,
    }))
    const none = names.map(() => 0)
    record.finish({
      match,
      attempt: 1,
      run: match + 1,
      head: '0'.repeat(64),
      outcome: { places },
      state: '0'.repeat(64),
      entrants: names,
      faults: none,
      printed: none,
      isolation: 'none',
      ms: 1,
      from: { segment: 1, byte: 0 },
      to: { segment: 1, byte: 0 },
    })
  }
}

const one = { small: ['a'], larger: ['b'], fiendish: ['c'] }
const playersOf = (record: ContestRecord, stage: number): string =>
  [...new Set([...record.stage(stage)!].flatMap(({ entrants }) => entrants.map((at) => letters[at]!)))].sort().join('')

describe('a contest in three rounds', () => {
  test('a worked example: of eight in pairs, four and two remain; the last round decides first', () => {
    const record = createRecord(contest(8, { ...one, seats: 2, games: 3 }), contests)
    // 8 x 3, 4 x 3 and 2 x 3 games with two in each.
    expect(record.total).toBe(12 + 6 + 3)
    // A is the best. Each wins against all behind it.
    const order = (name: string): number => -letters.indexOf(name)
    const games = [...record.stage(0)!]
    play(record, 0, order)
    const points = new Map([...'ABCDEFGH'].map((name) => [name, 0]))
    for (const { entrants } of games) {
      const [one, other] = entrants.map((at) => letters[at]!).sort()
      points.set(one!, points.get(one!)! + 2)
      points.set(other!, points.get(other!)! + 1)
    }
    const sorted = [...points.values()].sort((a, b) => a - b)
    const median = (sorted[3]! + sorted[4]!) / 2
    const stay = [...points].filter(([, each]) => each >= median).map(([name]) => name)
    expect(playersOf(record, 1)).toBe(stay.join(''))
    play(record, 1, order)
    play(record, 2, order)
    const rows = record.standings()
    expect(rows[0]).toMatchObject({ agent: 'A', rank: 1, stage: 3 })
    expect(rows.map(({ stage }) => stage)).toEqual([...rows.map(({ stage }) => stage)].sort((a, b) => b! - a!))
    // The last round is between its players alone: the numbers are those of that round.
    const final = rows.filter(({ stage }) => stage === 3)
    expect(final.every(({ matches }) => matches === 3)).toBe(true)
    expect(Object.keys(record.tables())).toEqual([
      'Round 1, small maps',
      'Round 2, larger maps',
      'Round 3, fiendish maps',
    ])
  })

  test('points are n less the number of better ones, and equal punters have equal points', () => {
    const record = createRecord(contest(4, { ...one, seats: 4, games: 2, rounds: 1 }), contests)
    const strength: Readonly<Record<string, number>> = { A: 9, B: 5, C: 5, D: 1 }
    play(record, 0, (name) => strength[name]!)
    // 4 + 4, 3 + 3 twice, 1 + 1.
    expect(record.standings().map(({ agent, rank, points, wins }) => [agent, rank, points, wins])).toEqual([
      ['A', 1, 8, 2],
      ['B', 2, 6, 0],
      ['C', 2, 6, 0],
      ['D', 4, 2, 0],
    ])
    expect(record.stage(1)).toBeNull()
    expect(record.tables()).toEqual({
      'Round 1, small maps': [
        { rank: 1, agent: 'A', points: 8, games: 2, wins: 2, lambdas: 18 },
        { rank: 2, agent: 'B', points: 6, games: 2, wins: 0, lambdas: 10 },
        { rank: 2, agent: 'C', points: 6, games: 2, wins: 0, lambdas: 10 },
        { rank: 4, agent: 'D', points: 2, games: 2, wins: 0, lambdas: 2 },
      ],
    })
  })

  test('those with exactly the median stay; later rounds are then longer than was likely', () => {
    const record = createRecord(contest(4, { ...one, seats: 4, games: 2 }), contests)
    // Four at a table, then two, then one, which has nobody to play.
    expect(record.total).toBe(2 + 2 + 0)
    const strength: Readonly<Record<string, number>> = { A: 9, B: 5, C: 5, D: 1 }
    play(record, 0, (name) => strength[name]!)
    // The points are 8, 6, 6 and 2, and their median is 6.
    expect(playersOf(record, 1)).toBe('ABC')
    expect([record.total, record.done]).toEqual([2 + 2 + 0, 2])
    play(record, 1, (name) => strength[name]!)
    // 6, 4 and 4 in games of three: all stay.
    expect(playersOf(record, 2)).toBe('ABC')
    expect(record.total).toBe(6)
    expect(record.tables()['Round 1, small maps']).toMatchObject([
      { agent: 'A', next: 'yes' },
      { agent: 'B', next: 'yes' },
      { agent: 'C', next: 'yes' },
      { agent: 'D', next: 'no' },
    ])
    expect(record.standings().at(-1)).toMatchObject({ agent: 'D', rank: 4, stage: 1, points: 2 })
  })

  test('matches of a stage without a record are void once a match of the next stage has been recorded', () => {
    const settings = { ...one, seats: 2, games: 3 }
    const [live, read] = [0, 1].map(() => createRecord(contest(8, settings), contests)) as [
      ContestRecord,
      ContestRecord,
    ]
    const strength = (name: string): number => -letters.indexOf(name)
    live.voidAttempt({ match: 5, attempt: 3, reason: 'it was interrupted 30 times.' })
    for (const stage of [0, 1, 2]) play(live, stage, strength)
    for (const run of live.recent) read.finish(run)
    expect([read.total, read.done, read.voided]).toEqual([live.total, live.total, [5]])
    expect(read.standings()).toEqual(live.standings())
  })

  test('an extra game does not count for those who were drafted into it', () => {
    // 5 x 1 games at tables of four: one game of four, and one of the fifth with three who are drafted.
    const record = createRecord(contest(5, { ...one, seats: 4, games: 1, rounds: 1 }), contests)
    expect(record.total).toBe(2)
    play(record, 0, (name) => -letters.indexOf(name))
    expect(record.standings().map(({ matches }) => matches)).toEqual([1, 1, 1, 1, 1])
    const met = record.headToHead().met.map((row) => row.reduce((sum, count) => sum + count, 0))
    // The fifth met nobody for whom the game counted.
    expect([...met].sort((a, b) => a - b)).toEqual([0, 3, 3, 3, 3])
  })

  test('a round with one player left has no games, and the contest is over', () => {
    const record = createRecord(contest(2, { ...one, seats: 2, games: 3 }), contests)
    expect(record.total).toBe(3)
    play(record, 0, (name) => -letters.indexOf(name))
    expect([record.total, record.done, record.stage(1)!.length, record.stage(2)!.length]).toEqual([3, 3, 0, 0])
    expect(record.standings()).toMatchObject([
      { agent: 'A', rank: 1, stage: 1, points: 6, matches: 3, wins: 3 },
      { agent: 'B', rank: 2, stage: 1, points: 3 },
    ])
    expect(Object.keys(record.tables())).toEqual(['Round 1, small maps'])
  })

  test('totals are of all rounds', () => {
    const record = createRecord(contest(8, { ...one, seats: 2, games: 3 }), contests)
    for (const stage of [0, 1, 2]) play(record, stage, (name) => -letters.indexOf(name))
    const [winner] = record.standings()
    expect(winner).toMatchObject({ stage: 3, matches: 3, wins: 3 })
    expect(record.totals().find(({ agent }) => agent === winner!.agent)).toMatchObject({ matches: 9, wins: 9 })
  })

  test('forty entrants at sixteen seats play hundreds of games and not billions', () => {
    const forty = contest(40, { seats: 16, games: 4, small: ['a', 'b'], larger: ['c', 'd'], fiendish: ['e', 'f'] })
    // 2 x 160 / 16, 2 x 80 / 16 and 2 x 40 / 10.
    expect(matchCount(forty, contests)).toBe(20 + 10 + 8)
    expect(scheduleFault(forty, contests)).toBeNull()
    const variants = [...createRecord(forty, contests).stage(0)!].map(({ variant }) => variant)
    expect(variants).toEqual([...Array<number>(10).fill(0), ...Array<number>(10).fill(1)])
  })

  test('too many games to draw at once are refused, and too few entrants', () => {
    expect(scheduleFault(contest(40, { ...one, games: 1_000, seats: 2 }), contests)).toBeNull()
    const maps = Array.from({ length: 30 }, () => 'a')
    expect(scheduleFault(contest(40, { ...one, small: maps, games: 1_000 }), contests)).toBe(
      'A round would have 1,200,000 seats in all its games; the maximum is 1,000,000, because they are drawn together.',
    )
    expect(scheduleFault(contest(3, { ...one, seats: 16 }), contests)).toBeNull()
    expect(scheduleFault(contest(1, one), contests)).toBe(
      'A match with 2 players needs at least 2 entrants; there are 1.',
    )
    expect(scheduleFault(contest(4, { ...one, small: [] }), contests)).toMatch(/^settings: small: /)
  })
})
