import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { afterAll, expect, test, vi } from 'vitest'
import { resources } from '../../../main/app/resources.ts'
import { workersAtATime } from '../../../main/app/workers.ts'
import { descendantsOf } from '../../hostile/contests/processes.ts'

const cores = availableParallelism()
const workers = (): readonly number[] =>
  descendantsOf(process.pid).flatMap(({ pid, command }) =>
    // Before it becomes a worker it is the program that binds it.
    command.includes(resources.worker) && !command.includes('taskset') ? [pid] : [],
  )
const coresOf = (pid: number): string =>
  /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!

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
    const each = own()
    expect(new Set(each).size).toBe(cores)
    for (const list of each) expect(list).toMatch(/^\d+$/)

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
