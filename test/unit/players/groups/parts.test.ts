import { describe, expect, test } from 'vitest'
import { ancestors, cgroupPlaces } from '../../../../main/players/isolation/groups/mounts.ts'
import { hasEnded, groupName, groupOwner, ownOwner } from '../../../../main/players/isolation/groups/detect.ts'
import { memorySettings } from '../../../../main/players/isolation/groups/v1.ts'
import { limitSettings } from '../../../../main/players/isolation/groups/v2.ts'

describe('where this process is in the hierarchies', () => {
  test('version 1, with two controllers in one hierarchy', () => {
    const mountinfo = [
      '21 1 0:20 / /proc rw - proc proc rw',
      '31 25 0:27 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct',
      '32 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory',
      '33 25 0:29 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd',
    ].join('\n')
    const cgroup = '4:cpu,cpuacct:/\n3:memory:/class/a\n1:name=systemd:/user.slice\n'
    expect(cgroupPlaces(mountinfo, cgroup)).toEqual([
      { controllers: ['cpu', 'cpuacct'], mount: '/sys/fs/cgroup/cpu,cpuacct', own: '/sys/fs/cgroup/cpu,cpuacct/' },
      { controllers: ['memory'], mount: '/sys/fs/cgroup/memory', own: '/sys/fs/cgroup/memory/class/a' },
      { controllers: ['name=systemd'], mount: '/sys/fs/cgroup/systemd', own: '/sys/fs/cgroup/systemd/user.slice' },
    ])
  })
  test('version 2', () => {
    const mountinfo = '29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate'
    const own = '/sys/fs/cgroup/user.slice/user-7.slice/run-1.scope'
    expect(cgroupPlaces(mountinfo, '0::/user.slice/user-7.slice/run-1.scope\n')).toEqual([
      { controllers: null, mount: '/sys/fs/cgroup', own },
    ])
    expect(ancestors('/sys/fs/cgroup', own)).toEqual([
      '/sys/fs/cgroup/user.slice/user-7.slice',
      '/sys/fs/cgroup/user.slice',
      '/sys/fs/cgroup',
    ])
  })
  test('a container that sees the hierarchy from its own group on', () => {
    const mountinfo = '90 80 0:28 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory'
    expect(cgroupPlaces(mountinfo, '3:memory:/docker/abc\n')[0]?.own).toBe('/sys/fs/cgroup/memory/')
    expect(cgroupPlaces(mountinfo, '3:memory:/docker/abc/in\n')[0]?.own).toBe('/sys/fs/cgroup/memory/in')
  })
  test('nothing is mounted', () => expect(cgroupPlaces('', '')).toEqual([]))
})

describe('the name of a group says whose it is', () => {
  const owner = { namespace: '4026531836', pid: 4_194_304, startedAt: '77' }
  test('it is read as it was written', () => {
    const name = groupName(owner, 12)
    expect(name).toBe('tartaglia-4026531836-4194304-77-12')
    expect(groupOwner(name)).toEqual(owner)
  })
  test.each(['tartaglia', 'tartaglia-1-2-3', 'tartaglia-1-2-3-4-5', 'xtartaglia-1-2-3-4', 'tartaglia-a-2-3-4'])(
    '%s is not one of our groups',
    (name) => expect(groupOwner(name)).toBeNull(),
  )
  test.skipIf(process.platform !== 'linux')('an owner has ended if it, or the later one of its number, has', () => {
    const own = ownOwner()
    expect(hasEnded(own)).toBe(false)
    expect(hasEnded({ ...own, startedAt: '1' })).toBe(true)
    expect(hasEnded({ ...own, pid: 4_194_305 })).toBe(true)
    expect(hasEnded({ ...own, pid: 4_194_305, namespace: '1' })).toBe(false)
  })
})

describe('limits as the kernel wants them', () => {
  const limits = { memoryBytes: 67_108_864, tasks: 200 }
  test('version 1 may lower and raise them: swap is lifted first and comes down last', () => {
    const files = memorySettings(limits, true)
    expect(files).toEqual([
      ['memory.memsw.limit_in_bytes', '-1'],
      ['memory.limit_in_bytes', '67108864'],
      ['memory.memsw.limit_in_bytes', '67108864'],
    ])
    expect(memorySettings(limits, false)).toEqual([['memory.limit_in_bytes', '67108864']])
  })
  test('version 2 is killed as a group', () => {
    expect(limitSettings(limits)).toEqual([
      ['memory.max', '67108864'],
      ['memory.oom.group', '1'],
      ['pids.max', '200'],
    ])
  })
})
