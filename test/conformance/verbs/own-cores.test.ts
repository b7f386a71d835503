import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, getPriority } from 'node:os'
import { afterAll, expect, test, vi } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { workersAtATime, yieldingWorkers } from '../../../main/services/machine/workers.ts'
import { descendantsOf } from '../../hostile/contests/processes.ts'

const cores = availableParallelism()
const workers = (): readonly number[] =>
  descendantsOf(process.pid).flatMap(({ pid, command }) => (command.includes(resources.worker) ? [pid] : []))
const coresOf = (pid: number): string =>
  /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!

const namesInEnvironment = (pid: number): readonly string[] =>
  readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .flatMap((line) => (line === '' ? [] : [line.slice(0, line.indexOf('='))]))
/** The channel to us, which Node itself adds, and what a worker is given. */
const known = /^(TMPDIR|TEMP|TMP|NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE|SSL_CERT_FILE|SSL_CERT_DIR)$/

const started: { kill(): void }[] = []
afterAll(() => started.forEach((worker) => worker.kill()))

test.skipIf(cores < 2 || !existsSync('/usr/bin/taskset'))(
  'one worker for each core keeps to it, and so does whoever takes its place (needs taskset and two cores)',
  async () => {
    const usual = coresOf(process.pid)
    const start = workersAtATime(cores)
    for (let n = 0; n < cores; n++) started.push(start())
    await vi.waitFor(() => expect(workers()).toHaveLength(cores), { timeout: 60_000 })
    const own = (): readonly string[] => workers().map(coresOf).sort()
    await vi.waitFor(() => expect(own().every((list) => /^\d+$/.test(list))).toBe(true), { timeout: 60_000 })
    const each = own()
    expect(new Set(each).size).toBe(cores)
    // Whatever binds them leaves nothing in their environment.
    for (const pid of workers()) expect(namesInEnvironment(pid).filter((name) => !known.test(name))).toEqual([])

    started[0]!.kill()
    await vi.waitFor(() => expect(workers()).toHaveLength(cores - 1), { timeout: 60_000 })
    started.push(start())
    await vi.waitFor(() => expect(own()).toEqual(each), { timeout: 60_000 })

    // Fewer or more than there are cores are left to the system.
    const more = workersAtATime(cores + 1)
    started.push(more())
    await vi.waitFor(() => expect(own()).toContain(usual), { timeout: 60_000 })
  },
)

test('a worker yields the cores with the first match that it is given in a crowded class, and not before', () => {
  let isCrowded = false
  const worker = yieldingWorkers(workersAtATime(1), () => isCrowded)()
  started.push(worker)
  const usual = getPriority(process.pid)
  const give = (type: 'play' | 'watch'): void => worker.send({ type, run: 0, wanted: false } as never)
  give('play')
  expect(getPriority(worker.pid!)).toBe(usual)
  isCrowded = true
  give('watch')
  expect(getPriority(worker.pid!)).toBe(usual)
  give('play')
  expect(getPriority(worker.pid!)).toBeGreaterThan(usual)
})
