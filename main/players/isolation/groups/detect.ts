import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { findTools } from '../runtime.ts'
import { groupsIn } from './files.ts'
import type { GroupFiles, Groups, GroupVersion } from './group.ts'
import { cgroupPlaces } from './mounts.ts'
import { noGroups } from './none.ts'
import { createGroupPool } from './pool.ts'
import { versionOne } from './v1.ts'
import { versionTwo } from './v2.ts'
import { pid } from 'node:process'

const trialLimits = { memoryBytes: 64 * 1_048_576, tasks: 16 }
const trialMs = 10_000
/** A killed process takes a moment to end. */
const sweepMs = 20
const sweepsMax = 100

let own: Promise<Groups> | null = null

/**
 * The groups of this process. The first call tries whether the system lets it make and join one, and ends what processes
 * that were killed have left. Never rejects.
 */
export function ownGroups(): Promise<Groups> {
  own ??= findGroups()
  return own
}

async function findGroups(): Promise<Groups> {
  if (process.platform !== 'linux') return noGroups('only Linux has control groups', undefined)
  const { sh } = await findTools()
  if (sh === undefined) return noGroups('sh is not installed', undefined)
  const missing: string[] = []
  for (const version of versionsHere()) {
    const tried = typeof version === 'string' ? version : attempt(version, sh)
    if (typeof tried !== 'string') return tried
    missing.push(tried)
  }
  return noGroups(missing.join('; '), sh)
}

/** The versions that this machine may have, 2 first; a phrase in place of each that it lacks. Never throws. */
function versionsHere(): readonly (GroupVersion | string)[] {
  try {
    const places = cgroupPlaces(
      readFileSync('/proc/self/mountinfo', 'latin1'),
      readFileSync('/proc/self/cgroup', 'latin1'),
    )
    return [versionTwo(places), versionOne(places)]
  } catch (error) {
    return [String(error)]
  }
}

/** Has a process join a group. Returns the groups of this process if it did, otherwise a phrase. */
function attempt(version: GroupVersion, sh: string): Groups | string {
  const where = version.version
  try {
    const owner = ownOwner()
    sweep(version)
    const pool = createGroupPool(version, (group) => groupName(owner, group), sh)
    const group = pool.take(trialLimits)
    const { file, args } = group.enter({ file: sh, args: ['-c', 'exit 0'] })
    const { status } = spawnSync(file, [...args], { env: {}, cwd: '/', stdio: 'ignore', timeout: trialMs })
    group.end()
    process.once('exit', () => pool.close())
    return status === 0 ? pool : `no process may join a control group of ${where} here`
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return `control groups of ${where} cannot be made here (${why})`
  }
}

/**
 * Ends what is left in the groups of processes that have ended without removing them, and removes the groups. Resolves
 * when none is left, or after a while. Never rejects.
 */
export async function sweepGroups(): Promise<void> {
  if (process.platform !== 'linux') return
  for (let sweeps = 0; sweeps < sweepsMax; sweeps++) {
    const left = versionsHere().filter((version) => typeof version !== 'string' && !sweep(version))
    if (left.length === 0) return
    await pause(sweepMs)
  }
}

/** Sweeps once; returns whether nothing is left. */
function sweep({ parents, open }: GroupVersion): boolean {
  const stale = [...new Set(parents.flatMap(groupsIn))].filter((name) => {
    const owner = groupOwner(name)
    return owner !== null && hasEnded(owner)
  })
  // All of them, also those after one that is not gone yet.
  return stale.map((name) => endGroup(() => open(name))).every((gone) => gone)
}

/** Returns whether the group is gone. */
function endGroup(open: () => GroupFiles): boolean {
  try {
    const files = open()
    files.kill()
    return files.remove()
  } catch {
    // Another process is sweeping as well, or another user has made it.
    return true
  }
}

const prefix = 'tartaglia'

/**
 * The beginning of the names of a process's groups: its PID namespace, its number, and when it was started, so that
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
export function groupName({ namespace, pid: number, startedAt }: GroupOwner, group: number): string {
  return [prefix, namespace, number, startedAt, group].join('-')
}

/** The owner of a group; null: it is not one of ours. */
export function groupOwner(name: string): GroupOwner | null {
  const [, namespace, number, startedAt] = new RegExp(`^${prefix}-(\\d+)-(\\d+)-(\\d+)-\\d+$`).exec(name) ?? []
  if (namespace === undefined || number === undefined || startedAt === undefined) return null
  return { namespace, pid: Number(number), startedAt }
}

/** True if the owner has certainly ended. Nothing is known here of other PID namespaces. */
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
