import { spawn } from 'node:child_process'
import type { LaunchOptions } from './launch.ts'
import { readFileSync } from 'node:fs'
import { kill, platform } from 'node:process'
import { processIds } from '../proc.ts'

/**
 * Wrappers for a program without a box that end all processes that it started, wherever they went: `enter` comes first,
 * `start` directly before the program. They are two shells: one creates the first process of a PID namespace; that
 * process, the second, starts the program and reaps orphans.
 */
export interface OwnPids {
  readonly enter: readonly string[]
  readonly start: readonly string[]
}

/**
 * Runs the command and waits for it without touching its input and output. A plain background child of a shell would
 * have no stdin.
 */
const waitFor = (output: string): string => `exec 5<&0; "$@" <&5 5<&- ${output} & exec <&- 4>&- 5<&-; wait $!`

/**
 * How to create such a namespace: root can do so directly, others need a user namespace too. null: this machine does
 * not permit it. The program answers on descriptor 4. Never rejects.
 */
export async function findOwnPids({ tools, root }: Pick<LaunchOptions, 'tools' | 'root'>): Promise<OwnPids | null> {
  const { unshare, setpriv, sh } = tools
  if (unshare === undefined || setpriv === undefined || sh === undefined) return null
  const enter = [unshare, ...(root ? [] : ['--user', '--map-current-user']), '--pid', '--']
  if (!(await succeeds([...enter, sh, '-c', '"$@" & wait $!', 'sh', 'true']))) return null
  // The parent may be killed at any time: the first shell dies with us, the second with the first, and the rest with
  // the second.
  const shell = (script: string): readonly string[] => [setpriv, '--pdeathsig', 'KILL', '--', sh, '-c', script, 'sh']
  return { enter, start: [...shell(waitFor('')), ...shell(waitFor('>&4 4>&-'))] }
}

function succeeds([file, ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file!, args, { stdio: 'ignore', cwd: '/' })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

/** A variable in a program's environment by which those of its children are found that have left its process group. */
export const marker = 'TARTAGLIA_SEAT'

/** New ones may come while others are killed; a program that is faster for ever is left. */
const roundsMax = 20

/**
 * Kills every process that was started with one of these marks. Without a box or a namespace of processes nothing else finds an
 * orphan; one that has wiped its environment escapes, as the tier says, and so do all while no descriptor is free. Does nothing on systems
 * without /proc. Never throws: timers and the ends of processes call it.
 */
export function sweepMarked(...tags: readonly string[]): void {
  if (platform !== 'linux') return
  const marks = tags.map((tag) => `${marker}=${tag}`)
  for (let round = 0; round < roundsMax; round++) {
    const found = processIds().filter((pid) => isMarked(pid, marks))
    if (found.length === 0) return
    for (const pid of found) {
      try {
        kill(pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
  }
}

function isMarked(pid: number, marks: readonly string[]): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
    return marks.some((mark) => environment.includes(mark))
  } catch {
    return false
  }
}

/** Marks to sweep at the end of this turn of the event loop. */
const waiting = new Set<string>()

/**
 * Sweeps at the end of this turn of the event loop: the programs of a match end together, and are searched for once. Whoever
 * starts a process with the same mark calls `sweepWaiting` first, or it is killed too.
 */
export function sweepSoon(tag: string): void {
  if (waiting.size === 0) setImmediate(sweepWaiting)
  waiting.add(tag)
}

/** Does at once what `sweepSoon` would do later. */
export function sweepWaiting(): void {
  const tags = [...waiting]
  waiting.clear()
  if (tags.length > 0) sweepMarked(...tags)
}
