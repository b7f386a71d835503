import { beforeAll, expect, test } from 'vitest'
import { playContestFile } from '../../../main/services/contests/command/contest-command.ts'
import type { ContestReport } from '../../../main/services/contests/command/contest-report.ts'

import { completeContest, type ReadContest } from '../../../main/services/contests/descriptions/contest-file.ts'
import { contestFile } from '../../../main/contract/contests/contests.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

let data: string
beforeAll(() => {
  data = temporaryFolder('real-size')
})

/** A contest of ordered pairs; its entrants are agents that ship, each under several names. */
function contest(entrants: number, seeds: number): Promise<ReadContest> {
  const written = contestFile.parse({
    title: `${entrants} on ${seeds}`,
    game: 'haggle',
    format: { type: 'ordered-pairs', seeds },
    seed: 'real size',
    isolation: 'permission',
    entrants: Array.from({ length: entrants }, (_, at) => {
      return { name: `entry ${at}`, agent: at % 2 === 0 ? 'hard' : 'baby' }
    }),
  })
  return completeContest(written, '.', 'the contest', data)
}

/** Plays until `done` matches are over. */
async function playUpTo(read: ReadContest, done: number): Promise<ContestReport> {
  const stop = new AbortController()
  return playContestFile({
    contest: read,
    data,
    cores: 2,
    signal: stop.signal,
    onNotice: () => undefined,
    onProgress: (progress) => {
      if (progress.done >= done) stop.abort()
    },
  })
}

test.each([
  [2, 10_000_000, 20_000_000 + 2 * 500],
  [186, 500, 17_205_000 + 50 * 49 * 500],
])(
  '%i entries on %i seeds: begins, is stopped, and goes on, in memory that does not follow the number of matches',
  { timeout: 120_000 },
  async (entrants, seeds, total) => {
    const before = process.memoryUsage()
    const read = await contest(entrants, seeds)
    const first = await playUpTo(read, 12)
    expect(first).toMatchObject({ state: 'stopped', resumed: false, matches: { total, void: 0 } })
    const second = await playUpTo(read, first.matches.played + 12)
    expect(second).toMatchObject({
      state: 'stopped',
      resumed: true,
      contest: first.contest,
      matches: { total, void: 0 },
    })
    expect(second.matches.played).toBeGreaterThanOrEqual(first.matches.played + 12)
    // Those of the first run are there as they were, and nothing was played twice.
    const numbers = second.histories.map(({ match }) => match)
    expect(new Set(numbers).size).toBe(numbers.length)
    const of = ({ histories }: ContestReport) => histories.map((each) => JSON.stringify(each))
    expect(of(second)).toEqual(expect.arrayContaining(of(first)))
    // The first matches of the schedule, or nearly: some may still have been running when it was stopped.
    expect(Math.max(...numbers)).toBeLessThan(numbers.length + 20)
    const after = process.memoryUsage()
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(150e6)
  },
)
