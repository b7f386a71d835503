import { dropPrefix, limitPrefix, nodeFlags, type Launch, type LaunchOptions, type LaunchTier } from './launch.ts'

/** A bare process: nothing but the realm between the agent and the machine. As root it still runs as nobody. */
export const none: LaunchTier = (options) => direct(options, [])

/** Without a box. Where setpriv exists (Linux) the kernel still ends the process with its parent. */
export function direct(options: LaunchOptions, flags: readonly string[]): Launch | { readonly missing: string } {
  const { runtime, tools, memoryMb } = options
  const drop = dropPrefix(options)
  if (drop === undefined) return { missing: 'setpriv is not installed, and root must give up its privileges first' }
  const dieWithParent = tools.setpriv === undefined ? [] : [tools.setpriv, '--pdeathsig', 'KILL', '--']
  const node = [runtime.nodeBinary, ...nodeFlags(memoryMb), ...flags, runtime.hostFile]
  const [file, ...args] = [...drop, ...limitPrefix(options), ...dieWithParent, ...node]
  return { file: file!, args }
}
