import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { codeOf } from './machine-error.ts'

// Files that a process has only for a time bear its mark, so that a later process can tell that they were left. The id of a process does not
// suffice: another process gets it, and on a shared disk or in a container others have the same one.

/**
 * The mark of this process, for names of files: hashes of the machine and of its present run, the id of the process, and its start in ticks of that
 * run. If the system does not say when a process began (outside Linux), run and start are 0.
 */
export function ownMark(): string {
  own ??= `${here().join('-')}-${process.pid}-${startOf(process.pid) ?? 0}`
  return own
}
let own: string | undefined

/** A regular expression for marks, and for the bare ids of processes that earlier programs wrote. */
export const MARK = '(?:[0-9a-f]{8}-){2}\\d{1,10}-\\d{1,20}|\\d{1,10}'

/** True: the process of a mark has ended; null: it was a process of another machine or container, of which nothing is known here. */
export function hasEnded(mark: string): boolean | null {
  const [host, run, pid, start] = /^\d+$/.test(mark) ? [...here(), mark, '0'] : mark.split('-')
  const [ownHost, ownRun] = here()
  if (host !== ownHost) return null
  if (run !== ownRun || isGone(Number(pid))) return true
  return start !== '0' && (startOf(Number(pid)) ?? start) !== start
}

/** The machine, or the container on it, and its run since it was started. */
function here(): readonly [string, string] {
  // Clones in a room of computers may share the name of the host, and outside of containers all have the same namespace.
  place ??= [
    hashOf(`${hostname()} ${textAt('/etc/machine-id')} ${linkAt('/proc/self/ns/pid')}`),
    hashOf(textAt('/proc/sys/kernel/random/boot_id')),
  ]
  return place
}
let place: readonly [string, string] | undefined

const hashOf = (text: string): string =>
  text === '' ? '0'.repeat(8) : createHash('sha256').update(text).digest('hex').slice(0, 8)

/** The start of a process, in ticks since the machine was started; null: unknown. */
function startOf(pid: number): string | null {
  const stat = textAt(`/proc/${pid}/stat`)
  // The name of a program may hold spaces and brackets: the fields follow the last bracket, those from the third on.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[22 - 3] ?? null
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** True if no process of this machine has an id. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    // EPERM: a process of another user has it.
    return codeOf(error) === 'ESRCH'
  }
}
