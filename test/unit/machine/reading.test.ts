import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { WorkerProcess } from '../../../main/services/machine/worker-process.ts'
import {
  closePool,
  createReadingPool,
  readIn,
  readingJob,
  reportOfError,
  type ReadingOrder,
  type ReadingReport,
} from '../../../main/services/machine/reading.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const job = readingJob<string, string>({ name: 'test', what: 'a text', result: z.string(), read: (text) => text })

/** A reading process, as its test sees it. */
interface Fake {
  readonly orders: ReadingOrder[]
  report(report: ReadingReport): void
  exit(how: string, stderr?: string): void
}

/** A pool whose processes do what the test says. */
function fakePool(more: { readonly long?: () => number } = {}) {
  const started: Fake[] = []
  const launch = (): WorkerProcess<ReadingReport, ReadingOrder> => {
    let report: (report: ReadingReport) => void = () => undefined
    let exit: (how: string, stderr: string) => void = () => undefined
    const orders: ReadingOrder[] = []
    started.push({ orders, report: (each) => report(each), exit: (how, stderr = '') => exit(how, stderr) })
    return {
      pid: undefined,
      send: (order) => void orders.push(order),
      onReport: (listener) => {
        report = listener
      },
      onExit: (listener) => void (exit = listener),
      kill: () => exit('signal SIGKILL', ''),
    }
  }
  const longestMs = { text: 120_000, long: 240_000 }
  const pool = createReadingPool({ launch, atATime: 2, crowded: 4, waitMs: 2_000, longestMs, idleMs: 300_000, ...more })
  return {
    pool,
    started,
    read: (text: string) => readIn(pool, job, text),
    build: (text: string, team?: string) => readIn(pool, { ...job, long: true }, text, undefined, team),
  }
}

test('two texts that take long do not hold up a third', async () => {
  const { started, read, pool } = fakePool()
  const slow = [read('one'), read('two')]
  const third = read('three')
  expect(started).toHaveLength(2)
  vi.advanceTimersByTime(1_999)
  expect(started).toHaveLength(2)
  vi.advanceTimersByTime(2)
  expect(started).toHaveLength(3)
  started[2]!.report({ type: 'result', value: 'read' })
  await expect(third).resolves.toBe('read')
  // There are no more processes than usual when nobody waits.
  expect(pool.readers.size).toBe(2)
  for (const each of started.slice(0, 2)) each.report({ type: 'result', value: 'at last' })
  await expect(Promise.all(slow)).resolves.toEqual(['at last', 'at last'])
})

test('at most four texts are read at a time', async () => {
  const { started, read } = fakePool()
  const all = Array.from({ length: 6 }, (_, n) => read(String(n)))
  vi.advanceTimersByTime(10_000)
  expect(started).toHaveLength(4)
  for (const each of started.slice(0, 4)) each.report({ type: 'result', value: '' })
  expect(started.flatMap(({ orders }) => orders)).toHaveLength(6)
  for (const each of started) each.report({ type: 'result', value: '' })
  await Promise.all(all)
})

test('teams take turns with what is built for them, each with its oldest first', async () => {
  const { started, build } = fakePool({ long: () => 1 })
  const all = ['red 1', 'red 2', 'red 3', 'blue 1', 'blue 2', 'green 1'].map((text) => build(text, text.split(' ')[0]))
  // All that one process gets is in the order of the turns.
  for (let done = 0; done < all.length; done++) {
    expect(started).toHaveLength(1)
    started[0]!.report({ type: 'result', value: '' })
  }
  await Promise.all(all)
  const order = started[0]!.orders.map(({ input }) => input)
  expect(order).toEqual(['red 1', 'blue 1', 'green 1', 'red 2', 'blue 2', 'red 3'])
})

test('a refusal keeps its details', async () => {
  const { started, read } = fakePool()
  const reading = read('x')
  const refusal = { kind: 'usage', code: 'build-failed', message: 'It failed.', details: 'line 1' } as const
  started[0]!.report({ type: 'refused', ...refusal })
  await expect(reading).rejects.toMatchObject(refusal)
})

test("a failed system call is reported as the machine's problem, any other unexpected error as a bug", async () => {
  const { started, read } = fakePool()
  const reading = read('x')
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  started[0]!.report(reportOfError(full))
  await expect(reading).rejects.toMatchObject({ name: 'MachineError', code: 'disk-full' })
  let missing: unknown
  try {
    readFileSync('/no/such/file')
  } catch (error) {
    missing = error
  }
  expect(reportOfError(missing)).toMatchObject({ type: 'machine', path: '/no/such/file', code: 'path-unusable' })
  expect(reportOfError(new TypeError('x is not a function'))).toMatchObject({ type: 'failed' })
})

test('a text that takes too long is not read a second time; one that follows others and takes too much memory is', async () => {
  const { started, read } = fakePool()
  const first = read('first')
  started[0]!.report({ type: 'result', value: '' })
  await first
  const long = read('long')
  vi.advanceTimersByTime(120_001)
  await expect(long).rejects.toMatchObject({ code: 'reading-limit' })
  expect(started).toHaveLength(1)
  const second = read('second')
  started[1]!.report({ type: 'result', value: '' })
  await second
  const large = read('large')
  started[1]!.exit('it took more than 1024 MB of memory')
  started[2]!.report({ type: 'result', value: 'read' })
  await expect(large).resolves.toBe('read')
})

test('the time of a text begins when its process has started', async () => {
  const { started, read } = fakePool()
  const slow = read('slow')
  vi.advanceTimersByTime(120_001)
  started[0]!.report({ type: 'begun' })
  vi.advanceTimersByTime(119_999)
  expect(started[0]!.orders).toHaveLength(1)
  started[0]!.report({ type: 'result', value: 'read' })
  await expect(slow).resolves.toBe('read')
  const slower = read('slower')
  started[0]!.report({ type: 'begun' })
  vi.advanceTimersByTime(120_001)
  await expect(slower).rejects.toMatchObject({ code: 'reading-limit' })
})

test('a text that progresses is not read yet, and has no more time in all for that', async () => {
  const { started, read } = fakePool()
  const [first, second] = [read('one'), read('two')]
  for (const each of started) each.report({ type: 'begun' })
  vi.advanceTimersByTime(119_000)
  for (const each of started) each.report({ type: 'progress' })
  started[0]!.report({ type: 'result', value: 'read' })
  await expect(first).resolves.toBe('read')
  vi.advanceTimersByTime(1_001)
  await expect(second).rejects.toMatchObject({ code: 'reading-limit' })
})

test('what is read when the program closes is stopped, and a later text is still read in another process, which ends with it', async () => {
  const { pool, started, read } = fakePool()
  const all = [read('one'), read('two'), read('three')]
  closePool(pool)
  for (const each of all) await expect(each).rejects.toMatchObject({ code: 'stopped' })
  expect(pool.readers.size).toBe(0)
  const late = read('late')
  expect(started).toHaveLength(3)
  started[2]!.report({ type: 'result', value: 'read' })
  await expect(late).resolves.toBe('read')
  expect(pool.readers.size).toBe(0)
})

test('no text waits for packages that are built, whose processes it uses when they are free', async () => {
  const { started, read, build } = fakePool()
  const builds = [build('one'), build('two')]
  const text = read('text')
  expect(started).toHaveLength(3)
  for (const each of started) each.report({ type: 'result', value: '' })
  await Promise.all([...builds, text])
  const next = read('next')
  expect(started).toHaveLength(3)
  for (const each of started) each.report({ type: 'result', value: '' })
  await next
})

test('as many packages are built at a time as the class sets, also after it has set more, and texts wait for none', () => {
  let most = 1
  const { started, read, build } = fakePool({ long: () => most })
  for (const name of ['one', 'two', 'three', 'four']) build(name).catch(() => undefined)
  expect(started).toHaveLength(1)
  read('a text').catch(() => undefined)
  expect(started).toHaveLength(2)
  // A build that has waited behind a long one begins beside it, and no more do.
  vi.advanceTimersByTime(10_000)
  expect(started).toHaveLength(3)
  most = 3
  started[1]!.report({ type: 'result', value: 'read' })
  // The process of the text builds the next one, and the last one has waited for long.
  expect(started.flatMap(({ orders }) => orders.map(({ input }) => input))).toEqual([
    'one',
    'a text',
    'three',
    'two',
    'four',
  ])
})
