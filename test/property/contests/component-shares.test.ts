import fc from 'fast-check'
import { expect, test } from 'vitest'
import { standingsWithShares, type SharingEntrant } from '../../../main/services/contests/standings/component-shares.ts'

const team = fc.constantFrom('anna', 'Bruno', 'carla', 'dora', '__proto__', 'constructor')
const contest = fc
  .array(
    fc.record({ team, authors: fc.array(team, { maxLength: 6 }), points: fc.integer({ min: -5_000, max: 50_000 }) }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((rows) => rows.map(({ points, ...row }, at) => ({ ...row, agent: `agent ${at}`, points: points / 100 })))

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
const hundredths = (points: number): number => Math.round(points * 100)

test('what is given is received, to the hundredth, and the sum of all points stays', () => {
  fc.assert(
    fc.property(contest, fc.integer({ min: 1, max: 50 }), (entrants, percent) => {
      const rows = standingsWithShares(entrants, entrants, percent)
      expect(sum(rows.map(({ given }) => given))).toBe(sum(rows.map(({ received }) => received)))
      expect(hundredths(sum(rows.map(({ total }) => total)))).toBe(
        hundredths(sum(entrants.map(({ points }) => points))),
      )
      expect(hundredths(sum(rows.map(({ points }) => points)))).toBe(
        hundredths(sum(entrants.map(({ points }) => points))),
      )
      for (const { given, received } of rows) {
        expect(Number.isSafeInteger(given) && Number.isSafeInteger(received)).toBe(true)
        expect(given).toBeGreaterThanOrEqual(0)
      }
      // No team gives more than its share of what its entrants have won.
      const won = (name: string) =>
        sum(entrants.filter((each) => each.team === name && each.points > 0).map(({ points }) => points))
      for (const row of rows)
        expect(row.given).toBeLessThanOrEqual(Math.round(won(row.team) * percent * 100) / 100 + 1e-6)
    }),
  )
})

test('only teams count: components that are cut in pieces, repeated or of an own team change nothing', () => {
  fc.assert(
    fc.property(
      contest,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 5 }),
      (entrants, percent, times) => {
        const cut = entrants.map((each): SharingEntrant => ({
          ...each,
          authors: [...Array.from({ length: times }, () => each.authors).flat(), each.team],
        }))
        expect(standingsWithShares(entrants, cut, percent)).toEqual(standingsWithShares(entrants, entrants, percent))
      },
    ),
  )
})

test('ranks follow totals, equal totals have equal ranks, and the order of entrants does not matter', () => {
  fc.assert(
    fc.property(contest, fc.integer({ min: 1, max: 50 }), (entrants, percent) => {
      const rows = standingsWithShares(entrants, entrants, percent)
      for (const [at, row] of rows.entries()) {
        const better = rows.filter((other) => hundredths(other.total) > hundredths(row.total)).length
        expect(row.rank).toBe(1 + better)
        if (at > 0) expect(hundredths(rows[at - 1]!.total)).toBeGreaterThanOrEqual(hundredths(row.total))
      }
      const turned = standingsWithShares(entrants.toReversed(), entrants.toReversed(), percent)
      const short = (all: typeof rows) => all.map((row) => [row.rank, row.team, row.given, row.received])
      expect(short(turned)).toEqual(short(rows))
    }),
  )
})
