import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { IsolationTier } from '../../../contract/limits.ts'
import { commonFor } from '../common-folder.ts'
import type { AgentFiles } from '../detect.ts'
import { startLaunch } from '../box-process.ts'
import { errors } from '../judged-calls.ts'
import { machineOf, type Machine } from '../system-calls.ts'
import { createLauncher } from '../tiers.ts'
import { callProgram, type CallAttempt } from './system-call-probe.ts'

/** System calls that a program tried, and the kernel's result for each; null: the kernel ended the program. */
export interface CallFinding {
  readonly name: string
  readonly results: readonly (number | null)[]
  /** True if the kernel refused every call as forbidden or unknown. */
  readonly refused: boolean
}

interface CallAttack {
  readonly name: string
  readonly attempts: readonly CallAttempt[]
}

const foreignCalls: readonly CallAttempt[] = [
  { call: 'getpid', args: [], abi: 'x32' },
  // Last, because a kernel without this interface ends the program.
  { call: 'getpid', args: [], abi: 'i386' },
]

/** The arguments are harmless even if the call is allowed: most refer to nothing. */
const attacks: readonly CallAttack[] = [
  {
    name: "the kernel's keyrings",
    attempts: [
      { call: 'add_key', args: ['user', 'tartaglia', 'x', 1, -1] },
      { call: 'request_key', args: ['user', 'tartaglia', 0, 0] },
      { call: 'keyctl', args: [0, -3, 0] },
    ],
  },
  {
    name: 'ptrace and the memory of other processes',
    attempts: [
      { call: 'ptrace', args: [16, 0x7fff_ffff, 0, 0] },
      { call: 'process_vm_readv', args: [0x7fff_ffff, 0, 0, 0, 0, 0] },
      { call: 'process_vm_writev', args: [0x7fff_ffff, 0, 0, 0, 0, 0] },
      { call: 'kcmp', args: [0x7fff_ffff, 0x7fff_ffff, 0, 0, 0] },
      { call: 'pidfd_getfd', args: [-1, 0, 0] },
    ],
  },
  {
    name: 'sockets: inet, netlink, packet, vsock',
    attempts: [
      ...[2, 10, 16, 17, 40].map((family): CallAttempt => ({ call: 'socket', args: [family, 2, 0] })),
      { call: 'socketpair', args: [2, 1, 0, 0] },
    ],
  },
  {
    name: 'namespaces and mounts',
    attempts: [
      { call: 'unshare', args: [0x1000_0000] },
      { call: 'setns', args: [-1, 0] },
      // A user namespace with CLONE_THREAD, which no kernel permits.
      { call: 'clone', args: [0x1001_0000, 0, 0, 0, 0] },
      { call: 'clone3', args: [0, 0] },
      { call: 'mount', args: [0, 0, 0, 0, 0] },
    ],
  },
  {
    name: 'io_uring, bpf, perf and userfaultfd',
    attempts: [
      { call: 'io_uring_setup', args: [0, 0] },
      { call: 'bpf', args: [-1, 0, 0] },
      { call: 'perf_event_open', args: [0, 0, -1, -1, 0] },
      { call: 'userfaultfd', args: [1] },
    ],
  },
  {
    name: 'memory that no watchdog sees',
    attempts: [
      { call: 'memfd_create', args: ['x', 0] },
      { call: 'shmget', args: [0, 0, 0] },
      ...[7, 8].map((option): CallAttempt => ({ call: 'setsockopt', args: [-1, 1, option, 0, 0], pretended: true })),
      ...[32, 33].map((option): CallAttempt => ({ call: 'setsockopt', args: [-1, 1, option, 0, 0] })),
    ],
  },
  {
    name: 'more of a processor than others',
    attempts: [
      { call: 'setpriority', args: [0, 0, 19] },
      { call: 'sched_setscheduler', args: [0, 5, 0] },
      { call: 'sched_setparam', args: [0, 0] },
      { call: 'sched_setattr', args: [0, 0, 0] },
      { call: 'sched_setaffinity', args: [0, 0, 0] },
      { call: 'ioprio_set', args: [1, 0, 0x6000] },
    ],
  },
  {
    name: 'what others do with the files of the system',
    attempts: [
      { call: 'inotify_init1', args: [0] },
      { call: 'fanotify_init', args: [0, 0] },
      { call: 'mincore', args: [0, 0, 0] },
      { call: 'cachestat', args: [-1, 0, 0, 0] },
      { call: 'fadvise64', args: [-1, 0, 0, 4] },
      { call: 'fcntl', args: [1, 1026, 0] },
    ],
  },
  {
    name: "locks, leases and hints over the system's files",
    attempts: [
      { call: 'flock', args: [-1, 8], pretended: true },
      ...[6, 37].map((command): CallAttempt => ({ call: 'fcntl', args: [-1, command, 0], pretended: true })),
      ...[5, 36, 1024, 1036].map((command): CallAttempt => ({ call: 'fcntl', args: [1, command, 0] })),
    ],
  },
  {
    name: 'all aio contexts, message queues, semaphores and timers of the machine',
    attempts: [
      { call: 'io_setup', args: [0, 0] },
      { call: 'mq_open', args: ['x', 0x40, 0, 0] },
      { call: 'msgget', args: [0, 0] },
      { call: 'semget', args: [0, 0, 0] },
      { call: 'timer_create', args: [99, 0, 0] },
      { call: 'rt_sigqueueinfo', args: [0x7fff_ffff, 0, 0] },
    ],
  },
  {
    name: 'outliving the parent, and hiding memory',
    attempts: [
      { call: 'prctl', args: [1, 0] },
      { call: 'prctl', args: [4, 0] },
    ],
  },
  { name: 'keystrokes for a terminal', attempts: [{ call: 'ioctl', args: [1, 0x5412, 0] }] },
]

/** Through a socket in a shared folder agents could pass open descriptors to each other. */
const amongFiles: CallAttack = { name: 'sockets among shared files', attempts: [{ call: 'bind', args: [-1, 0, 0] }] }

/**
 * Runs a program of ours, in place of Node, that makes the system calls that agents must not make. Returns null if that
 * is not possible: on other systems and machines, or if programs cannot run from the temporary folder.
 */
export async function attackCalls(tier: IsolationTier, files: AgentFiles): Promise<readonly CallFinding[] | null> {
  const machine = process.platform === 'linux' ? machineOf(process.arch) : null
  if (machine === null) return null
  const all = [
    ...attacks,
    ...(tier === 'shared' ? [amongFiles] : []),
    ...(machine === 'x64' ? [{ name: 'calls of other architectures', attempts: foreignCalls }] : []),
  ]
  const attempts = all.flatMap((attack) => attack.attempts)
  const results = await resultsOf(tier, files, machine, attempts)
  if (results.length === 0) return null
  return all.map(({ name, attempts: some }) => {
    const own = some.map((attempt) => results[attempts.indexOf(attempt)] ?? null)
    const refused = own.every((result, at) => result === null || isRefusal(result, some[at]!))
    return { name, results: own, refused }
  })
}

const refusals: readonly number[] = Object.values(errors)
const isRefusal = (result: number, { pretended }: CallAttempt): boolean =>
  pretended === true ? result === 0 : refusals.includes(-result)

async function resultsOf(
  tier: IsolationTier,
  { hostFile }: AgentFiles,
  machine: Machine,
  attempts: readonly CallAttempt[],
): Promise<readonly number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tartaglia-calls-'))
  try {
    const program = join(folder, 'calls')
    await writeFile(program, callProgram(machine, attempts))
    // The agents may run as another user.
    await chmod(folder, 0o755)
    await chmod(program, 0o755)
    const common = await commonFor(tier)
    const launch = (await createLauncher(tier, program, hostFile))(256, common)
    const child = 'missing' in launch ? null : startLaunch(launch)
    // The child has its own copies of the descriptors.
    common?.close()
    if (child === null) return []
    const said: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
    child.stderr.resume()
    child.stdin.on('error', () => undefined)
    child.on('error', () => undefined)
    await once(child, 'close')
    const bytes = Buffer.concat(said)
    return Array.from({ length: Math.floor(bytes.length / 8) }, (_, at) => Number(bytes.readBigInt64LE(at * 8)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
