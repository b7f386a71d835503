import { readFileSync, readlinkSync } from 'node:fs'
import { pid } from 'node:process'

const prefix = 'tartaglia'

/**
 * What the names of a process's groups begin with: its PID namespace, its number, and when it was started, so that
 * a later process with the same number is another one.
 */
export interface GroupOwner {
  readonly namespace: string
  readonly pid: number
  readonly startedAt: string
}

/** This process. Throws where there is no /proc. */
export function ownOwner(): GroupOwner {
  const startedAt = startOf(pid)
  if (startedAt === null) throw new Error('/proc does not list this process')
  return { namespace: ownNamespace(), pid, startedAt }
}

/** The name of an owner's group. */
export function nameOf({ namespace, pid: number, startedAt }: GroupOwner, group: number): string {
  return [prefix, namespace, number, startedAt, group].join('-')
}

/** Whose group this is; null: none of ours. */
export function ownerOf(name: string): GroupOwner | null {
  const [, namespace, number, startedAt] = new RegExp(`^${prefix}-(\\d+)-(\\d+)-(\\d+)-\\d+$`).exec(name) ?? []
  if (namespace === undefined || number === undefined || startedAt === undefined) return null
  return { namespace, pid: Number(number), startedAt }
}

/** Whether the owner has certainly ended. Of another PID namespace nothing is known here. */
export function hasEnded({ namespace, pid: number, startedAt }: GroupOwner): boolean {
  if (namespace !== ownNamespace()) return false
  try {
    return startOf(number) !== startedAt
  } catch {
    return false
  }
}

const ownNamespace = (): string => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'

/**
 * When a process was started, in ticks since the machine was; null: it has ended. See proc_pid_stat(5). Throws if that
 * cannot be read, as when this process has too many files open.
 */
function startOf(number: number): string | null {
  try {
    const stat = readFileSync(`/proc/${number}/stat`, 'latin1')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? null : (fields[18] ?? null)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null
    throw error
  }
}
