import { dropPrefix, limitPrefix, nobody, nodeFlags, permissionFlags, type LaunchTier } from './launch.ts'

const home = '/agent'
const scratchBytes = String(16 * 1_048_576)

/**
 * The strongest tier: own namespaces and no network, no capabilities, a read-only file system that holds the Node binary,
 * its libraries and the host file and nothing else, and Node's permission model inside.
 */
export const bubblewrap: LaunchTier = (options) => {
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
    tools.bwrap,
    '--unshare-all', ...(options.trusted ? [] : ['--die-with-parent']), '--new-session', '--clearenv',
    '--cap-drop', 'ALL', '--uid', String(nobody), '--gid', String(nobody), '--hostname', 'agent',
    ...readable.flatMap(([from, to]) => ['--ro-bind', from, to]),
    '--proc', '/proc', '--dev', '/dev',
    '--size', scratchBytes, '--tmpfs', '/dev/shm', '--size', scratchBytes, '--tmpfs', '/tmp',
    '--remount-ro', '/dev', '--remount-ro', '/', '--chdir', home,
    '--', `${home}/node`, ...nodeFlags(memoryMb), ...permissionFlags(`${home}/host.cjs`), `${home}/host.cjs`,
  ]
  const [file, ...args] = [...drop, ...limitPrefix(options), ...box]
  return { file: file!, args }
}
