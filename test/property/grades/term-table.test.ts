import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { termTable } from '../../../main/services/grades/term/term-table.ts'
import { madeContest, times } from '../../unit/grades/counted-contests.ts'

const teams = ['RED', 'BLUE', 'GREEN', 'GOLD', 'GREY']
/** Standings in which teams may share ranks, and the number of times that each beat the next. */
const contest = fc
  .record({
    who: fc.shuffledSubarray(teams, { minLength: 2 }),
    worse: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    wins: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ who, worse, wins }) => {
    let rank = 1
    const entrants = who.map((name, at) => {
      if (at > 0 && worse[at] === true) rank = at + 1
      return { name, rank }
    })
    return { entrants, matches: who.slice(1).flatMap((name, at) => times(wins, who[at]!, name)) }
  })
const contests = fc.array(contest, { minLength: 1, maxLength: 4 })

test('each contest gives 50 points an entrant, whoever is placed how', () => {
  fc.assert(
    fc.property(contests, (all) => {
      const table = termTable(all.map(({ entrants, matches }, at) => madeContest(`c${at}`, entrants, matches)))
      const given = table.rows.reduce((sum, { points }) => sum + points, 0)
      expect(given).toBeCloseTo(50 * all.reduce((sum, { entrants }) => sum + entrants.length, 0), 6)
      for (const { results } of table.rows)
        for (const { score } of results) {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(100)
        }
    }),
    { numRuns: 50 },
  )
})

test('points and ratings at the end do not depend on the order of contests, nor of entrants', () => {
  fc.assert(
    fc.property(contests, (all) => {
      const made = all.map(({ entrants, matches }, at) => madeContest(`c${at}`, entrants, matches))
      const turned = all.map(({ entrants, matches }, at) => madeContest(`c${at}`, entrants.toReversed(), matches))
      const shown = (table: ReturnType<typeof termTable>) =>
        new Map(
          table.rows.map(({ name, rank, points, rating }) => [name, { rank, points, rating: Math.round(rating) }]),
        )
      expect(shown(termTable(turned.toReversed()))).toEqual(shown(termTable(made)))
    }),
    { numRuns: 50 },
  )
})
