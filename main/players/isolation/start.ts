import { spawn, type ChildProcessByStdio } from 'node:child_process'
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
  cwd = '/',
  env = {},
}: Launch): ChildProcessByStdio<Writable, Readable, Readable> {
  const stdio = ['pipe', 'pipe', 'pipe', ...(filter === undefined ? [] : ['pipe' as const])] as const
  const child = spawn(file, args, { stdio: [...stdio], env, cwd, detached: true })
  const fourth = child.stdio[3] as Writable | null | undefined
  // One that ends before it has read its filter never ran anything else.
  fourth?.on('error', () => undefined).end(filter)
  return child
}
