import { arch } from 'node:process'
import type { FolderEntry } from './common-folder.ts'
import { dropPrefix, limitPrefix, nobody, nodeFlags, permissionFlags } from './launch.ts'
import type { Launch, LaunchOptions, LaunchTier } from './launch.ts'
import { seccompFilter } from './seccomp.ts'
import { machineOf, type BoxUse } from './system-calls.ts'

const home = '/agent'
const scratchBytes = String(16 * 1_048_576)
const machine = machineOf(arch)
/** Assembled once, because a program may get a box for every move. */
const filters = new Map<BoxUse, Uint8Array>()

/** Absent on machines whose system calls are not known here; the box then works without a filter. */
export function filterFor(use: BoxUse): Pick<Launch, 'filter'> {
  if (machine === null) return {}
  const filter = filters.get(use) ?? seccompFilter(machine, use)
  filters.set(use, filter)
  return { filter }
}

// prettier-ignore
/**
 * The beginning of every box: bubblewrap, own namespaces, the user nobody, an empty environment, the filter of system
 * calls, unless a spawner sets that for each of its processes.
 */
export const boxPrefix = (
  bwrap: string,
  { trusted }: LaunchOptions,
  filtered = machine !== null,
): readonly string[] => [
  bwrap,
  '--unshare-all', ...(trusted ? [] : ['--die-with-parent']), '--new-session', '--clearenv',
  '--cap-drop', 'ALL', '--uid', String(nobody), '--gid', String(nobody), '--hostname', 'agent',
  ...(filtered ? ['--seccomp', '3'] : []),
]

// prettier-ignore
/**
 * The end of every box: private folders, small writable ones, and nothing else that is writable. Process 1 is bubblewrap's
 * own, and of the agent's user: a folder over its own in /proc keeps its memory and descriptors from the agent. All ways
 * through /proc lead to that folder. Nothing in /proc can be written to, or agents would not be the first that the kernel
 * ends when memory is short. An empty folder covers /dev/pts: the kernel limits
 * pseudo-terminals for the whole machine.
 */
export const boxSuffix: readonly string[] = [
  '--proc', '/proc', '--size', '4096', '--tmpfs', '/proc/1', '--remount-ro', '/proc/1',
  '--remount-ro', '/proc', '--dev', '/dev',
  '--size', '4096', '--tmpfs', '/dev/pts', '--remount-ro', '/dev/pts',
  '--size', scratchBytes, '--tmpfs', '/dev/shm', '--size', scratchBytes, '--tmpfs', '/tmp',
  '--remount-ro', '/dev', '--remount-ro', '/',
]

// prettier-ignore
/**
 * The end of a box with a spawner: nothing is writable but /proc, in which the spawner sets up its user namespace. It mounts what
 * is in every other box for each of its processes, /proc too, so that they never see this one; the kernel lets it do that only
 * where no part of /proc is covered.
 */
export const spawnerSuffix: readonly string[] = [
  '--proc', '/proc', '--dev', '/dev', '--size', '4096', '--tmpfs', '/dev/pts', '--remount-ro', '/dev/pts', '--dir', '/tmp',
  '--remount-ro', '/dev', '--remount-ro', '/',
]

/**
 * The strongest tier: own namespaces without a network, no capabilities, a read-only file system with only the Node
 * binary, its libraries and the host file, a filter of system calls, and Node's permission model inside.
 */
export const bubblewrap: LaunchTier = (options) => sealed(options)

interface Shared {
  readonly entry: FolderEntry
  /** Its path inside the box. */
  readonly folder: string
}

/** `shared`: the only thing that the box shares with others. */
export function sealed(options: LaunchOptions, shared?: Shared): Launch | { readonly missing: string } {
  const { runtime, tools, memoryMb } = options
  if (tools.bwrap === undefined) return { missing: 'bubblewrap (bwrap) is not installed' }
  const drop = dropPrefix(options)
  if (drop === undefined) return { missing: 'setpriv is not installed, and root must give up its privileges first' }
  const readable = [
    ...runtime.libraries.map((file) => [file, file] as const),
    [runtime.nodeBinary, `${home}/node`] as const,
    [runtime.hostFile, `${home}/host.cjs`] as const,
  ]
  // prettier-ignore
  const box = [
    ...boxPrefix(tools.bwrap, options),
    ...readable.flatMap(([from, to]) => ['--ro-bind', from, to]),
    ...(shared?.entry.mounts ?? []), ...boxSuffix, '--chdir', home,
    '--', `${home}/node`, ...nodeFlags(memoryMb), ...permissionFlags(`${home}/host.cjs`, shared?.folder),
    `${home}/host.cjs`, ...(shared === undefined ? [] : [shared.folder]),
  ]
  const [file, ...args] = [...drop, ...limitPrefix(options), ...(shared?.entry.enter ?? []), ...box]
  if (shared === undefined) return { file: file!, args, ...filterFor('agent') }
  return { file: file!, args, ...filterFor('shared'), namespaces: shared.entry.namespaces }
}
