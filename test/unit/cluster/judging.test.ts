import { describe, expect, test } from 'vitest'
import type { FinishedMatch } from '../../../main/contract/contests/finished-match.ts'
import { limits } from '../../../main/contract/limits.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { sampleOf } from '../../../main/services/cluster/cluster.ts'
import { judgeResult, newOrdered, type Judge, type Ordered } from '../../../main/services/cluster/judging.ts'
import { createWorkerRecords } from '../../../main/services/cluster/worker-records.ts'
import type { CheckedRun, MatchJob, WorkerReport } from '../../../main/worker/protocol.ts'

const job: MatchJob = {
  ...{ run: 7, match: 4, attempt: 1, seed: sha256('seed'), nonce: sha256('nonce'), entrants: [], fresh: false },
}

/** The result of a run, as the lines of these tests hold it. */
interface Said {
  readonly winner: number
  readonly faults?: readonly number[]
  readonly removed?: boolean
}

const linesOf = (said: Said | 'void' | 'bad'): string => JSON.stringify(said)

function checkedFrom(lines: string): CheckedRun {
  const said = JSON.parse(lines) as Said | 'void' | 'bad'
  if (said === 'bad') return { type: 'bad', message: 'no chain' }
  if (said === 'void') return { type: 'void', head: sha256('void'), reason: 'the machine was too slow' }
  const places = [0, 1].map((seat) => {
    return {
      seat,
      rank: seat === said.winner ? 1 : 2,
      score: 0,
      removed: said.removed === true && seat !== said.winner,
    }
  })
  const finished: FinishedMatch = {
    ...{ match: 4, attempt: 1, run: 7, head: sha256(lines), state: sha256(String(said.winner)), ms: 5 },
    ...{ entrants: ['anna', 'bruno'], printed: [0, 0], isolation: 'none' },
    outcome: { places },
    faults: said.faults ?? [0, 0],
  }
  return { type: 'finished', finished }
}

/** A judge for one run; `here`: what this machine comes to when it plays the run. */
function judging(here: Said | 'void' | null, rules: { sampled?: boolean; quorum?: number } = {}) {
  const one = newOrdered(job)
  one.orders = 1
  const [delivered, ordered]: [WorkerReport[][], boolean[]] = [[], []]
  let playedHere = 0
  const records = createWorkerRecords()
  const judge: Judge = {
    setup: {
      ...{ contest: 'week-1', contestHash: sha256('d'), config: {}, configHash: sha256('c'), game: 'toy', lanes: 1 },
      ...{ limits: limits.parse({}), isolation: 'none', clock: 'frozen', seeds: 'hmac' },
    },
    codes: new Map(),
    rules: { isSampled: () => rules.sampled === true, quorum: rules.quorum ?? null },
    repeatable: true,
    records,
    checkers: {
      room: () => Promise.resolve(),
      check: (_, lines) => Promise.resolve(checkedFrom(lines)),
      close: () => Promise.resolve(),
    },
    places: {
      play() {
        playedHere += 1
        return Promise.resolve({ run: 7, lines: here === null ? null : linesOf(here) })
      },
      close: () => undefined,
    },
    suspects: new Set(),
    isOpen: () => delivered.length === 0,
    order(_: Ordered, isNext) {
      ordered.push(isNext)
      return Promise.resolve()
    },
    deliver: (_, reports) => void (delivered.length === 0 && delivered.push([...reports])),
    onBad: () => undefined,
  }
  return {
    ...{ judge, one, records, ordered },
    /** A worker answers; null: it gives the run back. */
    says: (worker: string, said: Said | 'void' | 'bad' | null) =>
      judgeResult(judge, one, { run: 7, order: 1, worker, lines: said === null ? null : linesOf(said) }),
    /** The delivered report: the text of its lines, or the type of another report. */
    counted: (): string | undefined => {
      const report = delivered[0]?.[0]
      return report?.type === 'lines' ? report.text : report?.type
    },
    playedHere: () => playedHere,
    recordOf: (worker: string) => records.all().find((each) => each.worker === worker),
  }
}

const [fair, lie] = [{ winner: 0 }, { winner: 1, faults: [1, 0] }]

describe('what a worker says of a run', () => {
  test('counts at once if it is a history without faults', async () => {
    const { says, counted, playedHere } = judging(fair)
    await says('anna', fair)
    expect(counted()).toBe(linesOf(fair))
    expect(playedHere()).toBe(0)
  })

  test.each([
    ['did not answer', lie],
    ['was removed, without any fault', { winner: 1, removed: true }],
  ])('does not count if it is that a player %s, and this machine sees another match', async (_, said) => {
    const { judge, says, counted, recordOf } = judging(fair)
    await says('liar', said)
    expect(counted()).toBe(linesOf(fair))
    expect(recordOf('liar')).toMatchObject({ different: 1, confirmed: 0 })
    expect(judge.suspects).toEqual(new Set(['liar']))
  })

  test('counts with its faults if this machine sees the same', async () => {
    const { says, counted, playedHere, recordOf } = judging(lie)
    await says('anna', lie)
    expect(counted()).toBe(linesOf(lie))
    expect(playedHere()).toBe(1)
    expect(recordOf('anna')).toMatchObject({ different: 0, confirmed: 1 })
  })

  test('is played again if the match is in the sample, although there are no faults', async () => {
    const { says, counted, recordOf } = judging(fair, { sampled: true })
    await says('liar', { winner: 1 })
    expect(counted()).toBe(linesOf(fair))
    expect(recordOf('liar')).toMatchObject({ different: 1 })
  })

  test('is played again, always, when one of its results was false', async () => {
    const { judge, says, counted, playedHere } = judging(fair)
    judge.suspects.add('liar')
    await says('liar', { winner: 1 })
    expect(playedHere()).toBe(1)
    expect(counted()).toBe(linesOf(fair))
  })

  test('does not void a match that this machine can play', async () => {
    const { says, counted, recordOf } = judging(fair)
    await says('liar', 'void')
    expect(counted()).toBe(linesOf(fair))
    expect(recordOf('liar')).toMatchObject({ voided: 1 })
  })

  test.each([
    ['given back', null],
    ['not verified', 'bad'],
  ] as const)('is ordered again if it was %s, and played here in the end', async (_, said) => {
    const { says, counted, ordered, playedHere } = judging(fair)
    for (const times of [1, 2]) {
      await says('liar', said)
      expect([ordered.length, playedHere(), counted()]).toEqual([times, 0, undefined])
    }
    await says('liar', said)
    expect([ordered.length, playedHere(), counted()]).toEqual([2, 1, linesOf(fair)])
  })

  test('is left to the engine if this machine is interrupted, too', async () => {
    const { says, counted } = judging(null)
    await says('anna', 'void')
    expect(counted()).toBe('interrupted')
  })
})

describe('a quorum', () => {
  test('makes other workers confirm a match, before those that wait', async () => {
    const { one, says, counted, ordered, playedHere, recordOf } = judging(fair, { quorum: 3 })
    await says('anna', lie)
    expect(one.votes.map(({ worker }) => worker)).toEqual(['anna'])
    await says('bruno', lie)
    expect([ordered, counted()]).toEqual([[true, true], undefined])
    await says('carla', lie)
    expect([playedHere(), counted()]).toEqual([0, linesOf(lie)])
    for (const worker of ['anna', 'bruno', 'carla']) expect(recordOf(worker)).toMatchObject({ confirmed: 1 })
  })

  test('is not reached by one worker that answers twice', async () => {
    const { says, counted, playedHere } = judging(fair, { quorum: 2 })
    for (let times = 0; times < 4; times++) await says('liar', lie)
    expect([playedHere(), counted()]).toEqual([1, linesOf(fair)])
  })

  test('is decided here if workers do not agree', async () => {
    const { says, counted, recordOf } = judging(fair, { quorum: 2 })
    await says('liar', lie)
    await says('anna', fair)
    expect(counted()).toBe(linesOf(fair))
    expect(recordOf('liar')).toMatchObject({ different: 1, confirmed: 0 })
    expect(recordOf('anna')).toMatchObject({ different: 0, confirmed: 1 })
  })
})

test('the sample follows from the seed, and has the size that was asked for', () => {
  const numbers = Array.from({ length: 20_000 }, (_, match) => match)
  const sampled = numbers.filter(sampleOf('a seed', 0.05))
  expect(sampled.length).toBeGreaterThan(900)
  expect(sampled.length).toBeLessThan(1_100)
  expect(numbers.filter(sampleOf('a seed', 0.05))).toEqual(sampled)
  expect(numbers.filter(sampleOf('another', 0.05))).not.toEqual(sampled)
  expect([numbers.some(sampleOf('a seed', 0)), numbers.every(sampleOf('a seed', 1))]).toEqual([false, true])
})
