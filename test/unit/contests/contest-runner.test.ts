import { beforeEach, describe, expect, test } from 'vitest'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import type { ContestId } from '../../../main/contract/ids.ts'
import type { ContestEntry } from '../../../main/contract/procedures/classroom.ts'
import type { ContestRun } from '../../../main/services/contests/engine/contest-run.ts'
import type { RunOptions } from '../../../main/services/contests/kept/run-kept.ts'
import { createContestRunner, type ContestRunner } from '../../../main/services/contests/running/contest-runner.ts'
import type { RunnableContests, RunnerOptions } from '../../../main/services/contests/running/started-contests.ts'
import { createRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { contestOf } from './played-contest.ts'

/** A run of a contest, which the test ends. */
interface Running {
  readonly id: ContestId
  readonly options: RunOptions
  end(state: ContestRun['state']): void
  fail(error: Error): void
}

/** Runs, changes of the contests' states and of their marks, in the order in which they happened. */
let events: string[] = []
let running: Running[] = []
let fatal: unknown[] = []
let entries: ContestEntry[] = []

beforeEach(() => {
  events = []
  running = []
  fatal = []
  entries = ['a-1', 'b-1'].map((id) => ({
    ...{ id, nonce: 'a'.repeat(64), state: 'open', bounties: [] },
    description: contestOf({ type: 'round-robin', seats: 2 }, 2),
  }))
})

/** The contests of a class, whose matches the test plays. */
function contestsOf(): RunnableContests {
  const entry = (id: ContestId): ContestEntry => entries.find((each) => each.id === id)!
  return {
    entry,
    complete: (id) => Promise.resolve(entry(id).description),
    record: (id) => Promise.resolve(createRecord(entry(id).description)),
    closeEntries: () => Promise.resolve([]),
    givePhrase: () => Promise.resolve(),
    place: () => Promise.resolve(),
    hasPerson: () => false,
    hasPrograms: () => false,
    connects: () => false,
    matches: () => 1,
    counts: () => Promise.reject(new Error('there are no histories')),
    keepGoing: (id, goesOn) => Promise.resolve(void events.push(`${id} goes on: ${goesOn}`)),
    settle: (id, state) => {
      entry(id).state = state
      events.push(`${id} ${state}`)
      return Promise.resolve()
    },
    run(id, options) {
      const { promise, resolve, reject } = Promise.withResolvers<ContestRun>()
      // A runner looks at nothing of a run but its state.
      const ended = (state: ContestRun['state']) => ({ state }) as ContestRun
      events.push(`${id} runs`)
      running.push({ id, options, end: (state) => resolve(ended(state)), fail: reject })
      options.signal.addEventListener('abort', () => resolve(ended('stopped')))
      if (options.signal.aborted) resolve(ended('stopped'))
      return promise
    },
  }
}

function open(more: Partial<RunnerOptions> = {}): ContestRunner {
  return createContestRunner({
    home: { content: { contests: entries } },
    contests: contestsOf(),
    resumes: false,
    onChange: () => undefined,
    onFatal: (error) => fatal.push(error),
    ...more,
  })
}

const isolation = 'none'
const follower = (onPlayed: (run: ContestRun) => Promise<void> = () => Promise.resolve()) => ({
  onNotice: (text: string) => events.push(text),
  onProgress: () => undefined,
  onPlayed,
})

describe('a contest that a command follows', () => {
  test('is marked as ended after what is made of its run', async () => {
    const runner = open()
    const onPlayed = ({ state }: ContestRun) => Promise.resolve(void events.push(`written, ${state}`))
    const started = await runner.start('a-1', { isolation, follower: follower(onPlayed) })
    running[0]!.end('finished')
    expect(await started.ended()).toEqual({ state: 'finished' })
    expect(events).toEqual(['a-1 runs', 'written, finished', 'a-1 ended'])
    expect(runner.started()).toEqual([])
  })

  test('says whose newest version stays out when its entries close, also before their deadline', async () => {
    const contests = { ...contestsOf(), closeEntries: () => Promise.resolve(['anna']) }
    const runner = open({ contests })
    const started = await runner.start('a-1', { isolation })
    running[0]!.end('finished')
    await started.ended()
    await runner.closeEntries('b-1')
    for (const id of ['a-1', 'b-1']) expect(runner.notices(id)).toEqual([expect.stringContaining('anna')])
  })

  test('stays open if what is made of its run fails, and the command gets the error', async () => {
    const full = new ExpectedError('host', 'match-failed', 'The disk is full.')
    const started = await open().start('a-1', { isolation, follower: follower(() => Promise.reject(full)) })
    running[0]!.end('finished')
    await expect(started.ended()).rejects.toBe(full)
    expect(entries[0]!.state).toBe('open')
    expect(fatal).toEqual([])
  })

  test('stops at once when the signal aborts, also one that has aborted before', async () => {
    const stop = new AbortController()
    for (const id of ['a-1', 'b-1']) {
      const started = await open().start(id, { isolation, signal: stop.signal, follower: follower() })
      stop.abort()
      expect(await started.ended()).toEqual({ state: 'stopped' })
    }
    expect(entries.map(({ state }) => state)).toEqual(['open', 'open'])
  })

  test('finishes what is being played, without a message about what the command did itself', async () => {
    const finishing = new AbortController()
    const runner = open()
    await runner.start('a-1', { isolation, finishing: finishing.signal, follower: follower() })
    const { options } = running[0]!
    options.onNotice('Match 3, attempt 1, does not count: it was interrupted.')
    finishing.abort()
    expect([options.finishing?.aborted, options.signal.aborted]).toEqual([true, false])
    expect(events).toEqual(['a-1 runs', 'Match 3, attempt 1, does not count: it was interrupted.'])
    expect(runner.notices('a-1')).toHaveLength(2)
  })

  test('is not marked to resume by itself, as one of a classroom is until it has stopped', async () => {
    for (const resumes of [false, true]) {
      const started = await open({ resumes }).start('a-1', { isolation })
      running.at(-1)!.end('stopped')
      await started.ended()
    }
    expect(events).toEqual(['a-1 runs', 'a-1 goes on: true', 'a-1 runs', 'a-1 goes on: false'])
  })
})

test('contests run one after the other, and one that stops while it waits has no run', async () => {
  const runner = open()
  const first = await runner.start('a-1', { isolation })
  const second = await runner.start('b-1', { isolation })
  expect([runner.now('a-1')?.state, runner.now('b-1')?.state]).toEqual(['running', 'queued'])
  await runner.pause('b-1')
  expect(await second.ended()).toBe(null)
  const again = await runner.start('b-1', { isolation })
  running[0]!.end('finished')
  await first.ended()
  expect(runner.now('b-1')?.state).toBe('running')
  await runner.close()
  expect(await again.ended()).toEqual({ state: 'stopped' })
  expect(events).toEqual(['a-1 runs', 'a-1 ended', 'b-1 runs'])
})

test('an unexpected error of a run is reported, and the next contest runs', async () => {
  const runner = open()
  const first = await runner.start('a-1', { isolation })
  await runner.start('b-1', { isolation })
  const error = new Error('out of luck')
  running[0]!.fail(error)
  await expect(first.ended()).rejects.toBe(error)
  expect(fatal).toEqual([error])
  expect(runner.failure('a-1')).toBe('It was stopped by an internal error.')
  expect(runner.now('b-1')?.state).toBe('running')
})
