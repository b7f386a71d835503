import { spawn, type ChildProcessByStdio, type StdioPipe } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Launch } from './launch.ts'

/**
 * Starts a tier's command with three pipes and without our environment. It gets its own session and process group, so
 * that Ctrl-C in a terminal reaches only the contest and everything that it starts can be ended with it. Errors are
 * events of the child.
 */
export function startLaunch({
  file,
  args,
  filter,
  ownOutput,
  namespaces = [],
  cwd = '/',
  env = {},
}: Launch): ChildProcessByStdio<Writable, Readable, Readable> {
  // Beyond the third descriptor, undefined means none.
  const more = [filter, ownOutput].map((wanted): StdioPipe => (wanted === undefined ? undefined : 'pipe'))
  const stdio = ['pipe', 'pipe', 'pipe', ...more, ...namespaces] as const
  // With more than three entries the types do not show that the first three are pipes.
  const child = spawn(file, args, { stdio: [...stdio], env, cwd, detached: true }) as ReturnType<typeof startLaunch>
  const fourth = child.stdio[3] as Writable | null | undefined
  // A program that ends before it has read its filter never ran anything else.
  fourth?.on('error', () => undefined).end(filter)
  return child
}

/** The program's output: descriptor 4 if it has one, otherwise stdout. */
export function outputOf(child: ChildProcessByStdio<Writable, Readable, Readable>): Readable {
  return (child.stdio[4] as Readable | null | undefined) ?? child.stdout
}
