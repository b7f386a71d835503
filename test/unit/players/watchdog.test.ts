import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { noGroups } from '../../../main/players/isolation/groups/none.ts'
import type { Effort } from '../../../main/players/time-limit.ts'
import { createWatchdog } from '../../../main/players/watchdog.ts'

const taskset = '/usr/bin/taskset'
const hasFigures = process.platform === 'linux' && existsSync('/proc/self/schedstat')
const canSee = hasFigures && existsSync(taskset)

const spins = 'process.stdout.write("here"); for (;;);'
const sleeps = 'process.stdout.write("here"); setTimeout(() => {}, 600_000)'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A process that is held to one core, the same for all; resolves to its number when it runs. */
async function start(code: string): Promise<number> {
  const core = /^Cpus_allowed_list:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? '0'
  const child = spawn(taskset, ['-c', core, process.execPath, '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  await once(child.stdout, 'data')
  return child.pid!
}

/** Resolves when none of its threads has been on a core for a while: it has started, and sleeps. */
async function asleep(pid: number): Promise<void> {
  const all = (): readonly string[] =>
    readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1'))
  for (let [before, now] = ['', all().join()]; before !== now; [before, now] = [now, all().join()]) await sleep(500)
}

/** As if this process itself had to wait for a core: nothing of it runs, and no timer either. */
const away = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/**
 * The observed processor time of a process for a task during which it was not measured, and before which it was measured once; and how
 * long that took until it was looked at, and after that. Either may be more than `ms`.
 */
function unseenTask(pid: number, ms: number) {
  const watchdog = createWatchdog()
  let since = performance.now()
  const group = noGroups('it counts threads', undefined).take({ memoryBytes: 0, tasks: 0 })
  const watched = {
    pid,
    group,
    memoryBytes: 2 ** 40,
    busySince: () => since,
    atRest: () => false,
    overMemory: () => undefined,
  }
  watchdog.watch(watched)
  try {
    watchdog.meter(watched)()
    since = performance.now()
    const meter = watchdog.meter(watched)
    away(ms)
    const untilMs = performance.now() - since
    const effort: Effort | null = meter()
    return { effort, untilMs, tookMs: performance.now() - since }
  } finally {
    watchdog.close()
  }
}

describe.skipIf(!canSee)('while nobody could look (needs Linux with schedstat and taskset)', () => {
  test('a player that wanted a core has waited for it', async () => {
    const pid = await start(spins)
    for (let rivals = 0; rivals < 3; rivals++) await start(spins)
    const { effort, tookMs } = unseenTask(pid, 1_000)
    expect(effort?.waitMs).toBeGreaterThan(250)
    expect(effort?.waitMs).toBeLessThan(2 * tookMs)
  })
  test('a player that has run and waits again is known to wait, although no figure holds that wait', async () => {
    const pid = await start(spins)
    for (let rivals = 0; rivals < 12; rivals++) await start(spins)
    for (let n = 0; n < 15; n++) {
      const { effort, untilMs } = unseenTask(pid, 100 + 7 * n)
      const { runMs, waitMs, waitsNow } = effort!
      expect(waitsNow === true || untilMs - runMs - waitMs < 20).toBe(true)
    }
  })
  test('a player that slept has waited for nothing', async () => {
    const pid = await start(sleeps)
    await asleep(pid)
    await start(spins)
    const { effort } = unseenTask(pid, 500)
    expect(effort).not.toBeNull()
    expect(effort?.waitMs).toBeLessThan(100)
    expect(effort?.runMs).toBeLessThan(100)
  })
})

describe.skipIf(!hasFigures)("a group's processor time (needs Linux with schedstat)", () => {
  /** A watched process, with a group whose processor time is `group.usedMs`. */
  function watchGroup() {
    const group = {
      ...noGroups('it is counted here', undefined).take({ memoryBytes: 0, tasks: 0 }),
      usedMs: 0,
      reads: 0,
    }
    group.cpuMs = () => {
      group.reads += 1
      return group.usedMs
    }
    const watchdog = createWatchdog()
    onTestFinished(() => watchdog.close())
    const since = performance.now()
    const watched = {
      ...{ pid: process.pid, group, memoryBytes: 2 ** 50 },
      ...{ busySince: () => since, atRest: () => false, overMemory: () => undefined },
    }
    watchdog.watch(watched)
    return { group, meter: () => watchdog.meter(watched) }
  }

  test('is read for one question in a ms, however many there are', () => {
    const { group, meter } = watchGroup()
    const began = performance.now()
    for (let question = 0; question < 5_000; question++) meter()
    expect(group.reads).toBeGreaterThan(0)
    expect(group.reads).toBeLessThanOrEqual(performance.now() - began + 1)
  })
  test('counts for a question from its beginning, and within a ms of a reading not what was computed before', () => {
    const { group, meter } = watchGroup()
    for (let turn = 0; turn < 3; turn++) {
      away(5)
      group.usedMs += 700
      const first = meter()
      // It has computed for a ms at most since, whatever the counter said then.
      const second = meter()
      group.usedMs += 40
      expect(first()?.runMs).toBe(40)
      expect(second()?.runMs).toBeLessThanOrEqual(40)
      expect(second()?.runMs).toBeGreaterThan(38.9)
    }
  })
  test('is never negative', () => {
    const { meter } = watchGroup()
    meter()
    expect(meter()()?.runMs).toBe(0)
  })
})
