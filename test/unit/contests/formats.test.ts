import { beforeEach, expect, test } from 'vitest'
import { createRecord, type ContestRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { runContest } from '../../../main/services/contests/engine/contest-run.ts'
import { completeFormat } from '../../../main/services/contests/formats/registry.ts'
import { matchCount, scheduleFault } from '../../../main/services/contests/schedule/schedule.ts'
import type { WorkerProcess } from '../../../main/services/machine/worker-process.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { toy, toyContest, toyWorker } from './format-toy.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('formats')
})

const key = signingKey(generateKey())!
const contest = toyContest([9, 1, 2, 4, 7, 8])

/** Plays the rest of the contest, and stops once a number of matches are over. */
function run(stopAfter = Infinity, launch = toyWorker) {
  const stop = new AbortController()
  return runContest({
    folder,
    contest: 'pods-1',
    ...contest,
    nonce: 'a'.repeat(64),
    seeds: 'hmac',
    contests: toy.contests,
    config: {},
    isolation: 'none',
    key,
    workers: 1,
    lanes: 1,
    repeatable: true,
    launch,
    signal: stop.signal,
    onNotice: () => undefined,
    onProgress: ({ done }) => {
      if (done >= stopAfter) stop.abort()
    },
  })
}

/** Every number that a contest comes to. */
const numbersOf = (record: ContestRecord) => ({
  ...{ standings: record.ratedStandings(), intervals: [...record.intervals()], against: record.headToHead() },
  ...{ breakdowns: record.breakdowns(), tables: record.tables(), totals: record.totals() },
})

test("a game's own format is played stage by stage; the second follows from the results of the first", async () => {
  const { state, record } = await run()
  expect([state, record.total, record.done]).toEqual(['finished', 7, 7])
  // The pods are 9, 2, 7 and 1, 4, 8, in the order in which entrants are dealt.
  expect([...record.finished.values()].map(({ entrants }) => entrants.join(' - '))).toEqual([
    ...['says 9 - says 2', 'says 9 - says 7', 'says 2 - says 7'],
    ...['says 1 - says 4', 'says 1 - says 8', 'says 4 - says 8'],
    'says 9 - says 8',
  ])
  const rows = record.standings().map(({ agent, points, counts }) => [agent, points, counts!.highs])
  expect(rows).toEqual([
    ['says 9', 9, 3],
    ['says 8', 6, 2],
    ['says 4', 3, 1],
    ['says 7', 3, 1],
    ['says 1', 0, 0],
    ['says 2', 0, 1],
  ])
})

test('a contest that was stopped before its second stage goes on there, and its histories tell the same', async () => {
  expect((await run(5)).state).toBe('stopped')
  const { state, record, resumed } = await run()
  expect([state, resumed, record.done]).toEqual(['finished', true, 7])
  const read = createRecord(contest.description, toy.contests)
  expect(read.stage(1)).toBeNull()
  const scan = await scanContest({ dir: folder, contest: 'pods-1', key: key.publicKey, keeper: read })
  expect(scan.ok).toBe(true)
  expect([...read.stage(1)!]).toEqual([{ match: 6, entrants: [0, 5] }])
  expect(read.stage(2)).toBeNull()
  expect(numbersOf(read)).toEqual(numbersOf(record))
})

/** A worker in which something outside interrupts each attempt at a match. */
function interruptedAt(match: number): WorkerProcess {
  const worker = toyWorker()
  let report: Parameters<WorkerProcess['onReport']>[0] = () => undefined
  return {
    ...worker,
    onReport(listener) {
      report = listener
      worker.onReport(listener)
    },
    send(command) {
      if (command.type !== 'play' || command.job.match !== match || command.job.voided !== undefined)
        return worker.send(command)
      const { run } = command.job
      setImmediate(() => report({ type: 'interrupted', run, reason: 'A player was killed.' }))
    },
  }
}

test('a match that is interrupted too often is void in the histories, so that the next stage can be read', async () => {
  const { state, record } = await run(Infinity, () => interruptedAt(4))
  expect([state, record.done, record.voided]).toEqual(['finished', 7, [4]])
  const read = createRecord(contest.description, toy.contests)
  const scan = await scanContest({ dir: folder, contest: 'pods-1', key: key.publicKey, keeper: read })
  expect(scan.ok).toBe(true)
  expect(read.voidedAttempts).toEqual([
    { match: 4, attempt: 3, reason: 'it was interrupted 30 times. A player was killed.' },
  ])
  expect(read.voided).toEqual([4])
  expect(numbersOf(read)).toEqual(numbersOf(record))
})

test("a game's own format is read by its own schema; what is wrong with it is said in a sentence", () => {
  const { contests } = toy
  const six = (settings: object) => toyContest([1, 2, 3, 4, 5, 6], settings as Record<string, number>).description
  expect(scheduleFault(six({ pods: 3 }), contests)).toBeNull()
  expect(matchCount(six({ pods: 3 }), contests)).toBe(6)
  expect(completeFormat(six({}).format, contests)).toEqual({ type: 'game', name: 'pods', settings: { pods: 2 } })
  expect(scheduleFault(six({ pods: 4 }), contests)).toBe('6 entrants cannot be dealt into 4 equal pods.')
  expect(scheduleFault(six({ pods: 'two' }), contests)).toBe('settings: pods: expected a whole number, found "two"')
  const misspelt = { ...six({}), format: { type: 'game', name: 'pod', settings: {} } } as const
  expect(scheduleFault(misspelt, contests)).toBe(
    'The game has no contest format "pod"; its formats: pods. Did you mean "pods"?',
  )
  expect(scheduleFault(misspelt)).toBe('The game has no contest format "pod"; it has no formats.')
  expect(matchCount(misspelt, contests)).toBe(0)
})
