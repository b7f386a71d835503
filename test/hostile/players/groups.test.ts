import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ownGroups, sweepGroups, groupName, ownOwner } from '../../../main/players/isolation/groups/detect.ts'
import { groupsIn, pidsIn } from '../../../main/players/isolation/groups/files.ts'
import type { AgentGroup } from '../../../main/players/isolation/groups/group.ts'
import { cgroupPlaces } from '../../../main/players/isolation/groups/mounts.ts'
import { versionOne } from '../../../main/players/isolation/groups/v1.ts'
import { groupIn } from '../../../main/players/isolation/groups/v2.ts'

const groups = await ownGroups()
const has = groups.version !== null
const megabyte = 1_048_576
const limits = { memoryBytes: 64 * megabyte, tasks: 64 }

const children: ChildProcess[] = []
const undo: (() => void)[] = []
afterEach(() => {
  for (const each of undo.splice(0)) each()
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts a Node program in a group; resolves when it has written something. */
async function startIn(group: AgentGroup, code: string): Promise<ChildProcess> {
  const { file, args } = group.enter({ file: process.execPath, args: ['-e', code] })
  const child = spawn(file, [...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  const began = await Promise.race([once(child.stdout!, 'data'), once(child, 'exit').then(() => null)])
  if (began === null) throw new Error('the program in the group has ended before it wrote anything')
  return child
}

const alive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))

describe.skipIf(!has)(`a group of this machine (${groups.version ?? groups.missing})`, () => {
  test('its kernel memory counts, and ends it', async () => {
    const group = groups.take(limits)
    // Page tables: a page in each 2 MB of address space costs 4 kB of them besides.
    const child = await startIn(
      group,
      `process.stdout.write('here'); const hold = []
       setTimeout(() => { for (let n = 0; n < 200_000; n++) { const far = new Uint8Array(new ArrayBuffer(2 ** 21)); far[2 ** 20]; hold.push(far) } }, 10)`,
    )
    await once(child, 'exit')
    expect(group.ranOutOfMemory()).toBe(true)
    group.end()
    expect(group.ranOutOfMemory()).toBe(true)
  })

  test('all processor time counts, also that of relays that are gone', async () => {
    const group = groups.take(limits)
    const before = group.cpuMs()!
    const child = await startIn(
      group,
      `const { spawnSync } = require('node:child_process')
       for (let n = 0; n < 5; n++) spawnSync('/bin/sh', ['-c', 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'])
       process.stdout.write(String(process.resourceUsage().userCPUTime)); setInterval(() => {}, 1000)`,
    )
    const own = Number(readFileSync(`/proc/${child.pid!}/schedstat`, 'latin1').split(' ')[0]) / 1e6
    expect(group.cpuMs()! - before).toBeGreaterThan(own + 20)
    group.end()
  })

  test('killing it leaves nothing, whatever session, parent or speed', async () => {
    const group = groups.take({ memoryBytes: 256 * megabyte, tasks: 400 })
    const child = await startIn(
      group,
      `const { spawn } = require('node:child_process')
       for (let n = 0; n < 10; n++) spawn('/bin/sh', ['-c', 'trap "" TERM HUP; while :; do (sleep 0.02 &); sleep 0.02; done'], { detached: true, stdio: 'ignore' }).on('error', () => {}).unref()
       setTimeout(() => process.stdout.write('here'), 200); setInterval(() => {}, 1000)`,
    )
    const parent = ownFolder()
    const before = everyoneIn(parent)
    expect(before.length).toBeGreaterThan(10)
    group.end()
    await expect.poll(() => before.filter(alive), { timeout: 20_000 }).toEqual([])
    await expect.poll(() => everyoneIn(parent), { timeout: 20_000 }).toEqual([])
    expect(child.pid !== undefined && alive(child.pid)).toBe(false)
  })

  test('a used group is taken again with other limits, and none of its past', async () => {
    const first = groups.take(limits)
    const child = await startIn(first, "process.stdout.write('here'); setInterval(() => {}, 1000)")
    first.end()
    await once(child, 'exit')
    for (const memoryMb of [512, 48, 300]) {
      const group = groups.take({ ...limits, memoryBytes: memoryMb * megabyte })
      await startIn(group, "process.stdout.write('here'); setInterval(() => {}, 1000)")
      expect(group.ranOutOfMemory()).toBe(false)
      group.end()
    }
  })

  test('what a killed owner has left is ended by the next sweep', async () => {
    const { version, missing } = groups
    if (version !== 'v1') return expect(missing).toBeNull()
    const one = versionOne(places())
    if (typeof one === 'string') throw new Error(one)
    const name = groupName({ ...ownOwner(), startedAt: '1' }, 0)
    const files = one.open(name)
    files.limit(limits)
    const orphan = spawn('/bin/sh', ['-c', `for f; do echo 0 > "$f"; done; exec sleep 600`, 'sh', ...files.joins])
    children.push(orphan)
    const exit = once(orphan, 'exit') as Promise<[null, string]>
    // Another process of the tests may sweep before this one.
    const isSwept = (): boolean => orphan.signalCode === 'SIGKILL'
    await vi.waitUntil(() => isSwept() || files.pids().includes(orphan.pid!), { timeout: 10_000 })
    await sweepGroups()
    expect(await exit).toEqual([null, 'SIGKILL'])
    expect(one.parents.flatMap(groupsIn)).not.toContain(name)
  })
})

/** The hierarchy of version 2 may be mounted without controllers beside those of version 1: it kills and counts all the same. */
const unified = places().find(({ controllers }) => controllers === null)
const place = unified === undefined ? null : join(unified.own, `tartaglia-test-${process.pid}`)
const canMake = place !== null && tryMake(place)

describe.skipIf(!canMake)('the kernel parts of version 2 (needs its hierarchy, and permission to make groups)', () => {
  test('counts processor time, kills all, and is gone', async () => {
    const files = groupIn(place!)
    undo.push(() => {
      files.kill()
      files.remove()
    })
    const child = spawn('/bin/sh', [
      '-c',
      'echo 0 > "$1"; (while :; do :; done) & exec sleep 600',
      'sh',
      ...files.joins,
    ])
    children.push(child)
    await expect.poll(() => files.cpuMs(), { timeout: 10_000 }).toBeGreaterThan(20)
    expect(files.pids().length).toBe(2)
    files.kill()
    await once(child, 'exit')
    await expect.poll(() => files.pids(), { timeout: 10_000 }).toEqual([])
    expect(files.remove()).toBe(true)
  })
})

function tryMake(folder: string): boolean {
  try {
    return groupIn(folder).remove()
  } catch {
    return false
  }
}

function places() {
  return cgroupPlaces(readFileSync('/proc/self/mountinfo', 'latin1'), readFileSync('/proc/self/cgroup', 'latin1'))
}

/** The folder in which this process makes groups whose processes can be listed. */
function ownFolder(): string {
  const found = places().find(({ controllers }) => controllers === null || controllers.includes('pids'))
  const pids = places().find(({ controllers }) => controllers?.includes('pids'))
  return (groups.version === 'v1' ? pids : found)!.own
}

/** Everybody in groups of this process. */
function everyoneIn(parent: string): readonly number[] {
  const mine = groupName(ownOwner(), 0).replace(/0$/, '')
  return groupsIn(parent)
    .filter((name) => name.startsWith(mine))
    .flatMap((name) => pidsIn(join(parent, name)))
}
