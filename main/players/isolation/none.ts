import { dropPrefix, limitPrefix, nodeFlags, type Launch, type LaunchOptions, type LaunchTier } from './launch.ts'

/** A plain process: only the realm separates the agent from the machine. If we are root the agent runs as nobody. */
export const none: LaunchTier = (options) => direct(options, [])

/** Starts Node without a box. If setpriv exists (Linux), the kernel still ends the process with its parent. */
export function direct(options: LaunchOptions, flags: readonly string[]): Launch | { readonly missing: string } {
  const { runtime, tools, memoryMb } = options
  const drop = dropPrefix(options)
  if (drop === undefined) return { missing: 'setpriv is not installed, and root must give up its privileges first' }
  const dieWithParent = tools.setpriv === undefined ? [] : [tools.setpriv, '--pdeathsig', 'KILL', '--']
  const node = [runtime.nodeBinary, ...nodeFlags(memoryMb), ...flags, runtime.hostFile]
  const [file, ...args] = [...drop, ...limitPrefix(options), ...dieWithParent, ...node]
  return { file: file!, args }
}
