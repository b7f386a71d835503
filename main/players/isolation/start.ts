import { spawn, type ChildProcessByStdio, type StdioPipe } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Launch } from './launch.ts'

/**
 * Starts what a tier says, with the three pipes and nothing of our environment. It is a session and a process group of its own:
 * Ctrl-C in a terminal is for the contest to handle, and whatever it starts can be ended with it. Errors are the child's
 * events.
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
  // Beyond the third, undefined is none.
  const more = [filter, ownOutput].map((wanted): StdioPipe => (wanted === undefined ? undefined : 'pipe'))
  const stdio = ['pipe', 'pipe', 'pipe', ...more, ...namespaces] as const
  // A list that goes on beyond the third hides from the types that these three are pipes.
  const child = spawn(file, args, { stdio: [...stdio], env, cwd, detached: true }) as ReturnType<typeof startLaunch>
  const fourth = child.stdio[3] as Writable | null | undefined
  // One that ends before it has read its filter never ran anything else.
  fourth?.on('error', () => undefined).end(filter)
  return child
}

/** Where the program's answers come from: its own descriptor if it has one, and its stdout otherwise. */
export function outputOf(child: ChildProcessByStdio<Writable, Readable, Readable>): Readable {
  return (child.stdio[4] as Readable | null | undefined) ?? child.stdout
}
