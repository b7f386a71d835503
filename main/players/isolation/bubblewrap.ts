import { arch } from 'node:process'
import type { FolderEntry } from './common-folder.ts'
import { dropPrefix, limitPrefix, nobody, nodeFlags, permissionFlags } from './launch.ts'
import type { Launch, LaunchOptions, LaunchTier } from './launch.ts'
import { seccompFilter } from './seccomp.ts'
import { machineOf } from './system-calls.ts'

const home = '/agent'
const scratchBytes = String(16 * 1_048_576)
const machine = machineOf(arch)
/** Absent on a machine whose system calls are not known here: the box then holds without it. */
export const filter = machine === null ? {} : { filter: seccompFilter(machine) }
/** Where files are shared nobody makes a socket among them: through one, agents could hand each other what they have open. */
export const sharedFilter = machine === null ? {} : { filter: seccompFilter(machine, ['bind']) }

// prettier-ignore
/** What every box begins with: bubblewrap, own namespaces, nobody, an empty environment, the filter of system calls. */
export const walls = (bwrap: string, { trusted }: LaunchOptions): readonly string[] => [
  bwrap,
  '--unshare-all', ...(trusted ? [] : ['--die-with-parent']), '--new-session', '--clearenv',
  '--cap-drop', 'ALL', '--uid', String(nobody), '--gid', String(nobody), '--hostname', 'agent',
  ...('filter' in filter ? ['--seccomp', '3'] : []),
]

// prettier-ignore
/** What follows what is mounted: private folders, small ones to write in, and nothing else that can be written to. */
export const scratch: readonly string[] = [
  '--proc', '/proc', '--dev', '/dev',
  '--size', scratchBytes, '--tmpfs', '/dev/shm', '--size', scratchBytes, '--tmpfs', '/tmp',
  '--remount-ro', '/dev', '--remount-ro', '/',
]

/**
 * The strongest tier: own namespaces and no network, no capabilities, a read-only file system that holds the Node binary,
 * its libraries and the host file and nothing else, a filter of system calls, and Node's permission model inside.
 */
export const bubblewrap: LaunchTier = (options) => sealed(options)

interface Shared {
  readonly entry: FolderEntry
  /** Where the box has it. */
  readonly folder: string
}

/** `shared`: the one thing that is not the box's own. */
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
    ...walls(tools.bwrap, options),
    ...readable.flatMap(([from, to]) => ['--ro-bind', from, to]),
    ...(shared?.entry.mounts ?? []), ...scratch, '--chdir', home,
    '--', `${home}/node`, ...nodeFlags(memoryMb), ...permissionFlags(`${home}/host.cjs`, shared?.folder),
    `${home}/host.cjs`, ...(shared === undefined ? [] : [shared.folder]),
  ]
  const [file, ...args] = [...drop, ...limitPrefix(options), ...(shared?.entry.enter ?? []), ...box]
  if (shared === undefined) return { file: file!, args, ...filter }
  return { file: file!, args, ...sharedFilter, namespaces: shared.entry.namespaces }
}
