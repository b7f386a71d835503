import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allowedCalls, type CallNumbers } from '../../../main/players/isolation/allowed-calls.ts'
import { errors, judgedCalls, pretendedCalls, unsupportedCalls } from '../../../main/players/isolation/judged-calls.ts'
import { seccompFilter } from '../../../main/players/isolation/seccomp.ts'
import { callNumber, type TriedCall } from '../../../main/players/isolation/self-test/tried-calls.ts'
import { numberOn, type BoxUse, type Machine } from '../../../main/players/isolation/system-calls.ts'

const architectures = { x64: 0xc000_003e, arm64: 0xc000_00b7, i386: 0x4000_0003, arm: 0x4000_0028 }

/** The kernel's verdict on a call under a filter: classic BPF over struct seccomp_data. */
function decide(filter: Uint8Array<ArrayBuffer>, call: number, args: readonly number[], architecture: number): string {
  const view = new DataView(filter.buffer)
  const data = new DataView(new ArrayBuffer(64))
  data.setUint32(0, call, true)
  data.setUint32(4, architecture, true)
  // The upper half must not matter: the kernel ignores it for these calls.
  for (const [index, arg] of args.entries()) data.setBigUint64(16 + 8 * index, BigInt(arg) | (0x7n << 32n), true)
  let held = 0
  for (let at = 0; ; at++) {
    const code = view.getUint16(at * 8, true)
    const value = view.getUint32(at * 8 + 4, true)
    const skip = (yes: boolean): number => view.getUint8(at * 8 + (yes ? 2 : 3))
    if (code === 0x20) held = data.getUint32(value, true)
    else if (code === 0x15) at += skip(held === value)
    else if (code === 0x45) at += skip((held & value) !== 0)
    else if (code === 0x06) return said(value)
    else throw new Error(`no instruction ${code}`)
  }
}

function said(value: number): string {
  if (value === 0x7fff_0000) return 'allow'
  expect(value >>> 16).toBe(5)
  if (value === 0x0005_0000) return 'pretend'
  return Object.entries(errors).find(([, number]) => number === (value & 0xffff))?.[0] ?? 'unknown'
}

const machines: readonly Machine[] = ['x64', 'arm64']
const uses: readonly BoxUse[] = ['agent', 'shared', 'build']

describe.each(machines)('the filter of %s', (machine) => {
  const of = (
    call: number,
    args: readonly number[] = [],
    use: BoxUse = 'agent',
    architecture = architectures[machine],
  ) => decide(seccompFilter(machine, use), call, args, architecture)
  const tried = (name: TriedCall, args: readonly number[] = [], use: BoxUse = 'agent'): string =>
    of(callNumber(name, machine), args, use)

  test('allows what is listed, and nothing else exists', () => {
    const numbers = (table: Readonly<Record<string, CallNumbers>>): readonly (number | null)[] =>
      Object.values(table).map((each) => numberOn(machine, each))
    const allowed = numbers(allowedCalls)
    const others = [
      ...Object.values(judgedCalls).map((call) => numberOn(machine, call.numbers)),
      ...numbers(pretendedCalls),
      ...numbers(unsupportedCalls),
    ]
    for (let number = 0; number < 1_000; number++)
      if (!others.includes(number))
        expect([number, of(number)]).toEqual([number, allowed.includes(number) ? 'allow' : 'ENOSYS'])
  })

  test('buffers of sockets stay as they are, and other options can be set', () => {
    for (const use of uses) {
      expect([7, 8].map((option) => tried('setsockopt', [3, 1, option], use))).toEqual(['pretend', 'pretend'])
      expect([32, 33].map((option) => tried('setsockopt', [3, 1, option], use))).toEqual(['EPERM', 'EPERM'])
      expect([9, 16, 20].map((option) => tried('setsockopt', [3, 1, option], use))).toEqual(['allow', 'allow', 'allow'])
    }
  })

  test.each<TriedCall>([
    ...(['setpriority', 'sched_setparam', 'sched_setscheduler', 'sched_setattr', 'sched_setaffinity'] as const),
    ...(['ioprio_set', 'inotify_init1', 'fanotify_init', 'io_setup', 'mq_open', 'msgget', 'semget', 'shmget'] as const),
    ...(['io_uring_setup', 'userfaultfd', 'bpf', 'add_key', 'request_key', 'keyctl', 'ptrace', 'unshare'] as const),
    ...(['setns', 'mount', 'clone3', 'memfd_create', 'mincore', 'cachestat', 'fadvise64', 'timer_create'] as const),
    ...(['rt_sigqueueinfo', 'perf_event_open', 'kcmp', 'pidfd_getfd', 'process_vm_writev'] as const),
  ])('%s does not exist in any box', (name) => {
    for (const use of uses) expect(tried(name, [], use)).toBe('ENOSYS')
  })

  test('sockets are local, namespaces stay, terminals get no keystrokes', () => {
    expect([1, 2, 10, 16, 17, 40].map((family) => tried('socket', [family]))).toEqual([
      'allow',
      ...Array<string>(5).fill('EAFNOSUPPORT'),
    ])
    expect(tried('socketpair', [1])).toBe('allow')
    expect(tried('socketpair', [2])).toBe('EAFNOSUPPORT')
    expect(tried('clone', [0x003d_0f00])).toBe('allow')
    for (let bit = 25; bit < 31; bit++) expect(tried('clone', [(1 << bit) | 17])).toBe('EPERM')
    expect(tried('clone', [0x0002_0011])).toBe('EPERM')
    expect(tried('ioctl', [1, 0x5401])).toBe('allow')
    expect([0x5412, 0x541c, 0x4004_9409].map((request) => tried('ioctl', [1, request]))).toEqual(
      Array(3).fill('ENOTTY'),
    )
    expect(tried('prctl', [15])).toBe('allow')
    // The signal of the parent's death, and hidden memory.
    expect([1, 4].map((option) => tried('prctl', [option]))).toEqual(['EINVAL', 'EINVAL'])
  })

  test("locks on the system's files lock nothing for agents, and are a build step's own affair", () => {
    expect(tried('flock', [3, 2])).toBe('pretend')
    expect([6, 7, 37, 38].map((command) => tried('fcntl', [3, command]))).toEqual(Array(4).fill('pretend'))
    // To ask for a lock, a lease, a notification, a write hint, a larger pipe.
    expect([5, 36, 1024, 1026, 1031, 1036].map((command) => tried('fcntl', [3, command]))).toEqual(
      Array(6).fill('EINVAL'),
    )
    expect([0, 1, 2, 3, 4, 1030].map((command) => tried('fcntl', [3, command]))).toEqual(Array(6).fill('allow'))
    expect(tried('flock', [3, 2], 'build')).toBe('allow')
    expect([5, 6, 7, 36, 37, 38].map((command) => tried('fcntl', [3, command], 'build'))).toEqual(
      Array(6).fill('allow'),
    )
    expect(tried('fcntl', [3, 1026], 'build')).toBe('EINVAL')
  })

  test('memory is neither moved to swap nor merged with that of others', () => {
    expect([12, 20, 21, 25].map((advice) => tried('madvise', [0, 0, advice]))).toEqual(Array(4).fill('EINVAL'))
    // To give pages back, in two ways; huge pages; guards.
    expect([4, 8, 14, 102].map((advice) => tried('madvise', [0, 0, advice]))).toEqual(Array(4).fill('allow'))
  })

  test('only where agents share a folder, sockets get no name', () => {
    expect(uses.map((use) => tried('bind', [], use))).toEqual(['allow', 'EPERM', 'allow'])
    expect(uses.map((use) => tried('setxattr', [], use))).toEqual(Array(3).fill('ENOTSUP'))
  })

  test('calls of other architectures do not exist', () => {
    const write = callNumber('write', machine)
    for (const [name, architecture] of Object.entries(architectures))
      expect(of(write, [], 'agent', architecture)).toBe(name === machine ? 'allow' : 'ENOSYS')
    expect(of(0x4000_0000 + write)).toBe('ENOSYS')
  })
})

/** The kernel's own headers, from the package linux-libc-dev. */
const headers = { x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h', arm64: '/usr/include/asm-generic/unistd.h' }
/** Names in the second header for numbers that 32-bit machines use otherwise. */
const generic: Readonly<Record<string, string>> = { newfstatat: 'fstatat' }
/** Newer than some distributions' headers. */
const newer = ['fchmodat2', 'cachestat']

test.skipIf(!existsSync(headers.x64) || !existsSync(headers.arm64))(
  "the numbers are those of the kernel's headers (needs linux-libc-dev on x86_64)",
  () => {
    const numbersIn = (machine: Machine): ReadonlyMap<string, number> =>
      new Map(
        [...readFileSync(headers[machine], 'utf8').matchAll(/^#define __NR(?:3264)?_(\w+) (\d+)$/gm)].map(
          ([, name, number]) => [name!, Number(number)],
        ),
      )
    const judged = Object.entries(judgedCalls).map(([name, { numbers }]) => [name, numbers] as const)
    for (const [name, numbers] of [
      ...Object.entries({ ...allowedCalls, ...pretendedCalls, ...unsupportedCalls }),
      ...judged,
    ])
      for (const machine of machines)
        if (!newer.includes(name)) {
          const known = numbersIn(machine).get(machine === 'x64' ? name : (generic[name] ?? name))
          expect([name, machine, numberOn(machine, numbers)]).toEqual([name, machine, known ?? null])
        }
  },
)
