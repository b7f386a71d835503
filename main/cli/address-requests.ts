import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Requests for a new address, made in the terminal of `tartaglia serve` or by a signal. */
export interface AddressRequests {
  /** True if Enter in the terminal is such a request. */
  readonly byEnter: boolean
  stop(): void
}

/** Calls back at each Enter in the terminal, if this process has one for itself, and at each SIGUSR1. */
export function listenForAddressRequests(callback: () => void): AddressRequests {
  const { stdin } = process
  const byEnter = stdin.isTTY && inForeground()
  // The system stops a process that reads from its terminal in the background.
  const continued = (): void => {
    if (inForeground()) stdin.resume()
    else stdin.pause()
  }
  const read = (chunk: Buffer): void => {
    if (chunk.includes('\n')) callback()
  }
  process.on('SIGUSR1', callback)
  if (byEnter) {
    stdin.on('data', read).on('error', ignored)
    process.on('SIGCONT', continued)
  }
  return {
    byEnter,
    stop() {
      process.off('SIGUSR1', callback)
      if (!byEnter) return
      process.off('SIGCONT', continued)
      stdin.off('data', read).pause()
    },
  }
}

/** The terminal is gone; the classroom runs on. */
function ignored(): void {
  return
}

/** True if this process may read from its terminal now. */
function inForeground(): boolean {
  if (process.platform === 'win32') return true
  if (process.platform === 'linux') return isForegroundStat(readFileSync('/proc/self/stat', 'latin1'))
  const { stdout, error } = spawnSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'latin1' })
  if (error !== undefined) return false
  const [group, owner] = stdout.trim().split(/\s+/)
  return group !== undefined && group !== '' && group === owner
}

/**
 * True if the line of `/proc/<pid>/stat` is that of a process whose group owns its terminal, or that has no controlling
 * terminal (see proc_pid_stat(5)).
 */
export function isForegroundStat(line: string): boolean {
  // The name of the program may hold spaces and parentheses.
  const [, , group, , , owner] = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return owner === '-1' || (owner !== undefined && owner === group)
}
