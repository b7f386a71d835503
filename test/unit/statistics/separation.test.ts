import { describe, expect, test } from 'vitest'
import { createRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { isSeparated } from '../../../main/services/contests/statistics/separation.ts'
import { upperTail } from '../../../main/services/contests/statistics/student-t.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { repeats } from '../../long.ts'
import { contestOf, playOut, type Play } from '../contests/played-contest.ts'

describe("the tail of Student's t", () => {
  test.each([
    [12.706, 1, 0.025],
    [2.571, 5, 0.025],
    [1.812, 10, 0.05],
    [3.169, 10, 0.005],
    [2.042, 30, 0.025],
    [1.96, 1e6, 0.025],
  ])('above %f with %i degrees of freedom is as in the tables', (t, freedom, tail) => {
    expect(upperTail(t, freedom)).toBeCloseTo(tail, 4)
    expect(upperTail(-t, freedom)).toBeCloseTo(1 - tail, 4)
  })
  test('is half at 0', () => expect(upperTail(0, 7)).toBeCloseTo(0.5, 12))
})

/** The first of two wins with this probability; the points of a cycle of two matches. */
const cycle = (p: number, next: () => number): readonly number[] => {
  const wins = [0, 1].filter(() => next() / 2 ** 32 < p).length
  return [wins, 2 - wins]
}

test('equals are told apart in no more contests than the confidence allows, although it is asked after every cycle', () => {
  const next = randomStream(sha256('equals'))
  const contests = repeats({ short: 150, long: 3_000 })
  let wrong = 0
  for (let contest = 0; contest < contests; contest++) {
    const cycles: (readonly number[])[] = []
    for (let at = 0; at < 60; at++) {
      cycles.push(cycle(0.5, next))
      if (!isSeparated(cycles, 1, 0.9)) continue
      wrong += 1
      break
    }
  }
  expect(wrong / contests).toBeLessThanOrEqual(0.1)
})

test('an entrant that always wins is known after 12 cycles of 95 %, not after two', () => {
  const cycles = Array.from({ length: 12 }, () => [2, 0])
  expect(isSeparated(cycles.slice(0, 11), 1, 0.95)).toBe(false)
  expect(isSeparated(cycles, 1, 0.95)).toBe(true)
})

describe('a round-robin until the best is known', () => {
  const format = { type: 'round-robin', repeats: 200, until: { top: 1 } }

  test('ends early where one is better, after whole cycles', () => {
    const better: Play = ({ entrants, match }) => entrants.map((at) => (at === 0 ? 5 : (match * 7 + at * 3) % 5))
    const { record, stages } = playOut(contestOf(format, 4), better)
    const played = stages.flat().length
    expect([record.done, record.total]).toEqual([played, played])
    expect(played % 12).toBe(0)
    expect(played).toBeLessThan(300)
    expect(record.standings()[0]!.agent).toBe('A')
    expect(record.ending()).toBe(
      `Ended after ${played} of at most 1,200 matches: the best is better than all others with 95 % confidence.`,
    )
  })

  test('spends its budget where nobody is', () => {
    const tied: Play = ({ entrants }) => entrants.map(() => 0)
    const { stages, record } = playOut(
      contestOf({ ...format, repeats: 30, until: { top: 2, confidence: 0.999 } }, 3),
      tied,
    )
    expect(stages.flat()).toHaveLength(90)
    expect(record.ending()).toBe(
      'All 90 matches were played: it was not known before that the best 2 are better than all others with 99.9 % confidence.',
    )
  })

  test('says nothing of its end before it is over, nor where it has a fixed number of matches', () => {
    expect(createRecord(contestOf(format, 3)).ending()).toBeNull()
    expect(playOut(contestOf({ type: 'round-robin' }, 3), () => [0, 0]).record.ending()).toBeNull()
  })
})
