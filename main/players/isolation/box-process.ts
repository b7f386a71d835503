import { spawn, type ChildProcessByStdio, type StdioPipe, type ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Launch } from './launch.ts'
import { kill, platform } from 'node:process'
import { childrenOf } from '../proc.ts'
import { killAll } from './groups/files.ts'
import type { AgentGroup } from './groups/group.ts'
import { withMasks } from './inherited-descriptors.ts'

/**
 * Starts a tier's command with three pipes, without our environment and our other descriptors. It gets its own session and process group, so
 * that Ctrl-C in a terminal reaches only the contest and everything that it starts can be killed with it. Errors are
 * events of the child; throws if too few descriptors are left for its pipes.
 */
export function startLaunch({
  file,
  args,
  filter,
  ownOutput,
  namespaces = [],
  turns = 0,
  cwd = '/',
  env = {},
}: Launch): ChildProcessByStdio<Writable, Readable, Readable> {
  // Beyond the third descriptor, undefined means none.
  const more = [filter, ownOutput].map((each): StdioPipe => (each === undefined ? undefined : 'pipe'))
  const triples = Array.from({ length: 3 * turns }, () => 'pipe' as const)
  const rest = turns > 0 ? [more[0], ...triples] : [...more, ...namespaces]
  const wanted = ['pipe', 'pipe', 'pipe', ...rest] as const
  const child = withMasks((masks) => {
    const stdio = Array.from({ length: Math.max(wanted.length, masks.length) }, (_, at) => wanted[at] ?? masks[at])
    // With more than three entries the types do not show that the first three are pipes.
    return spawn(file, args, { stdio, env, cwd, detached: true }) as ReturnType<typeof startLaunch>
  })
  // Node makes no streams then, and tells of it by an event too, which nobody else could hear.
  child.on('error', () => undefined)
  if ((child.stdio as unknown) === undefined) throw new Error('too few descriptors are left for its pipes')
  const fourth = child.stdio[3] as Writable | null | undefined
  // A program that ends before it has read its filter never ran anything else.
  fourth?.on('error', () => undefined).end(filter)
  return child
}

/** The program's output: descriptor 4 if it has one, otherwise stdout. */
export function outputOf(child: ChildProcessByStdio<Writable, Readable, Readable>): Readable {
  return (child.stdio[4] as Readable | null | undefined) ?? child.stdout
}

/**
 * Ends what was started with this process. Its group first, where there is one: nothing leaves it. Otherwise the
 * children, one of which is a box's process 1, with which the kernel ends everything in the box; then the process group,
 * because bubblewrap that is killed between making its child and writing that child's user map leaves it waiting for ever,
 * not yet bound to die with its parent.
 */
export function endBox(child: ChildProcess, group?: AgentGroup): void {
  // After its exit its number may be somebody else's.
  endTree(child.pid, child.exitCode === null && child.signalCode === null, group)
}

/** As `endBox`, of a process by its number; undefined: it could not be started. `runs`: it has not exited. */
export function endTree(pid: number | undefined, runs: boolean, group?: AgentGroup): void {
  group?.end()
  if (pid === undefined) return
  if (runs && platform === 'linux') killAll(childrenOf(pid))
  if (runs) killAll([pid])
  endGroup(pid)
}

/** Kills all processes of a group that is our own making. One that is gone is ignored. */
export function endGroup(group: number): void {
  if (platform === 'win32') return
  try {
    kill(-group, 'SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}
