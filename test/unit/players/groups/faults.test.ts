import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { startIn, type GroupVersion } from '../../../../main/players/isolation/groups/group.ts'
import { createGroupPool } from '../../../../main/players/isolation/groups/pool.ts'
import { versionOne } from '../../../../main/players/isolation/groups/v1.ts'
import { groupIn } from '../../../../main/players/isolation/groups/v2.ts'
import type { Launch } from '../../../../main/players/isolation/launch.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'

const undo: (() => void)[] = []
afterEach(() => {
  for (const each of undo.splice(0)) each()
})

/** A group whose files are ordinary ones, so that the kernel's counters are what the test writes. */
function groupOf(versionAt: (parent: string) => GroupVersion | string, files: Readonly<Record<string, string>>) {
  const parent = temporaryFolder('group')
  const set = (changed: Readonly<Record<string, string>>): void => {
    for (const [file, text] of Object.entries(changed)) writeFileSync(join(parent, 'group', file), text)
  }
  mkdirSync(join(parent, 'group'))
  set(files)
  const version = versionAt(parent)
  if (typeof version === 'string') throw new Error(version)
  const pool = createGroupPool(version, () => 'group', '/bin/sh')
  undo.push(() => {
    pool.close()
  })
  return { group: pool.take({ memoryBytes: 67_108_864, tasks: 4 }), set }
}

describe('a kill is a lack of memory of the group only if its own limit was reached', () => {
  test('version 2', () => {
    const events = (oom: number, kills: number) => ({
      'memory.events': `low 0\nhigh 0\nmax 9\noom ${oom}\noom_kill ${kills}\noom_group_kill 0\n`,
    })
    const { group, set } = groupOf(
      (parent) => ({ version: 'v2', parents: [parent], open: (name) => groupIn(join(parent, name)) }),
      { 'cpu.stat': 'usage_usec 0\n', ...events(3, 2) },
    )
    expect(group.ranOutOfMemory()).toBe(false)
    set(events(3, 4))
    expect(group.ranOutOfMemory()).toBe(false)
    set(events(4, 4))
    expect(group.ranOutOfMemory()).toBe(true)
    set(events(4, 2))
    expect(group.ranOutOfMemory()).toBe(false)
  })

  test.each([
    ['without swap', 'memory.max_usage_in_bytes', {}],
    ['with swap', 'memory.memsw.max_usage_in_bytes', { 'memory.memsw.limit_in_bytes': '0\n' }],
  ])('version 1, %s', (_name, peak, more) => {
    const kills = (count: number) => ({
      'memory.oom_control': `oom_kill_disable 0\nunder_oom 0\noom_kill ${count}\n`,
    })
    const { group, set } = groupOf(
      (own) => versionOne([{ controllers: ['memory', 'pids', 'cpuacct'], mount: own, own }]),
      {
        'cpuacct.usage': '0\n',
        [peak]: '67108864\n',
        ...more,
        ...kills(1),
      },
    )
    expect(group.ranOutOfMemory()).toBe(false)
    set(kills(2))
    expect(group.ranOutOfMemory()).toBe(false)
    set({ [peak]: '60000000\n' })
    expect(group.ranOutOfMemory()).toBe(false)
    set({ [peak]: '67100000\n' })
    expect(group.ranOutOfMemory()).toBe(true)
    set(kills(1))
    expect(group.ranOutOfMemory()).toBe(false)
  })
})

test('a group ends if what is to be started in it throws', () => {
  let ends = 0
  const group = {
    ...{
      enter: (launch: Launch) => launch,
      cpuMs: () => null,
      setWeight: () => undefined,
      ranOutOfMemory: () => false,
    },
    end: () => void ends++,
  }
  expect(startIn(group, () => 7)).toBe(7)
  expect(ends).toBe(0)
  expect(() => startIn(group, () => JSON.parse('') as unknown)).toThrow(SyntaxError)
  expect(ends).toBe(1)
})
