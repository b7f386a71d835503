import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Pairing, Pairings } from '../../../main/contract/contests/contest-format.ts'
import { gamesOfRound, drawRound } from '../../../main/referees/punter/rounds/rounds.ts'
import { afterCut, median, roundsTally } from '../../../main/referees/punter/rounds/tally.ts'

/** The indices of entrants are not those of players: every third entrant has been eliminated. */
const round = fc
  .record({
    players: fc.integer({ min: 2, max: 40 }),
    seats: fc.integer({ min: 2, max: 16 }),
    games: fc.integer({ min: 1, max: 12 }),
    maps: fc.integer({ min: 1, max: 4 }),
    seed: fc.string({ minLength: 1 }),
  })
  .map(({ players, seed, ...others }) => ({
    seed,
    round: { number: 1, firstMap: 5, players: Array.from({ length: players }, (_, at) => 3 * at + 1), ...others },
  }))

const all = (pairings: Pairings): readonly (Pairing & { readonly extras: readonly number[] })[] =>
  Array.from({ length: pairings.length }, (_, at) => ({ ...pairings.at(at)!, extras: pairings.extras!(at) }))

test('everybody plays what was promised on each map, nobody plays itself, extra games do not count', () => {
  fc.assert(
    fc.property(round, ({ round, seed }) => {
      const seats = Math.min(round.seats, round.players.length)
      const games = all(drawRound(round, seed))
      expect(games.length).toBe(gamesOfRound(round.players.length, round))
      const counted = new Map<string, number>()
      for (const { entrants, variant, extras } of games) {
        expect(entrants.length).toBe(seats)
        expect(new Set(entrants).size).toBe(seats)
        expect(extras.every((extra) => entrants.includes(extra))).toBe(true)
        for (const entrant of entrants) {
          if (extras.includes(entrant)) continue
          const which = `${entrant} ${variant}`
          counted.set(which, (counted.get(which) ?? 0) + 1)
        }
      }
      const promised = round.players.flatMap((player) =>
        Array.from({ length: round.maps }, (_, map) => [`${player} ${5 + map}`, round.games] as const),
      )
      expect(counted).toEqual(new Map(promised))
      // No more are drafted than a game has seats to fill.
      for (const { extras } of games) expect(extras.length).toBeLessThan(seats)
    }),
  )
})

test('everybody has each seat equally often, or one time more', () => {
  fc.assert(
    fc.property(round, ({ round, seed }) => {
      const sat = new Map(round.players.map((player) => [player, Array<number>(round.seats).fill(0)]))
      for (const { entrants, extras } of all(drawRound(round, seed))) {
        for (const [seat, entrant] of entrants.entries()) if (!extras.includes(entrant)) sat.get(entrant)![seat]! += 1
      }
      const seats = Math.min(round.seats, round.players.length)
      for (const counts of sat.values()) {
        const used = counts.slice(0, seats)
        expect(Math.max(...used) - Math.min(...used)).toBeLessThanOrEqual(1)
      }
    }),
  )
})

test('equal seeds draw equal rounds, other seeds and other rounds draw others', () => {
  const players = Array.from({ length: 40 }, (_, at) => at)
  const of = (number: number, seed: string) =>
    all(drawRound({ number, players, seats: 16, games: 4, firstMap: 0, maps: 3 }, seed))
  expect(of(0, 'a')).toEqual(of(0, 'a'))
  expect(of(0, 'a')).not.toEqual(of(0, 'b'))
  expect(of(0, 'a')).not.toEqual(of(1, 'a'))
})

test('whoever has the median or more stays, and at least half of all do', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 }), (points) => {
      const result = points.map((each) => ({ matches: 4, points: each, score: 0, wins: 0 }))
      const players = points.map((_, at) => at)
      const stay = afterCut(players, result)
      const better = (one: number): number => points.filter((each) => each > points[one]!).length
      const worse = (one: number): number => points.filter((each) => each < points[one]!).length
      for (const player of players) {
        // Below the median: more than half are better than whom half are not.
        const below = points[player]! < median(points)
        expect(stay.includes(player)).toBe(!below)
        if (below) expect(better(player)).toBeGreaterThanOrEqual(worse(player) + 1)
      }
      expect(2 * stay.length).toBeGreaterThanOrEqual(points.length)
    }),
  )
})

test('the points of a ruling are counted in the last round of an entrant alone', () => {
  const names = ['A', 'B', 'C']
  const sums = (points: readonly number[]) => points.map((each) => ({ points: each, matches: 1 }) as never)
  const results = () => [sums([3, 2, 1]), sums([2, 1, 0])]
  const usual = () =>
    ({ add: () => undefined, standings: () => [], headToHead: () => null, tables: () => ({}) }) as never
  const tally = roundsTally({
    ...{ settings: { rounds: 2, small: ['x'], medium: ['x'] } as never, names, contests: {}, seed: 's', usual },
    ...{ results, soFar: results, pairings: () => [], outcomes: () => null },
    ruled: { points: [-3, 0, -5], annuls: false, results, soFar: results, outcomes: () => null },
  })
  const play = (stage: number, order: readonly string[]): void =>
    tally.add({
      ...{ entrants: order, faults: order.map(() => 0), stage, extras: [], unit: 0 },
      outcome: { places: order.map((_, seat) => ({ seat, rank: seat + 1, score: 0, removed: false })) },
    })
  play(0, names)
  play(1, ['A', 'B'])
  const points = Object.values(tally.tables()).map((rows = []) =>
    (rows as readonly Readonly<Record<string, unknown>>[]).map((row) => `${row['agent']} ${row['points']}`).sort(),
  )
  expect(points).toEqual([
    ['A 3', 'B 2', 'C -4'],
    ['A -1', 'B 1'],
  ])
})
