import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { findTools } from '../runtime.ts'
import { groupsIn } from './files.ts'
import type { GroupFiles, Groups, GroupVersion } from './group.ts'
import { placesOf } from './mounts.ts'
import { hasEnded, nameOf, ownerOf, ownOwner } from './names.ts'
import { noGroups } from './none.ts'
import { createGroupPool } from './pool.ts'
import { versionOne } from './v1.ts'
import { versionTwo } from './v2.ts'

const trialLimits = { memoryBytes: 64 * 1_048_576, tasks: 16 }
const trialMs = 10_000
/** What was killed takes a moment to end. */
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

/** What this machine may have, version 2 first; a phrase for each that it has not. Never throws. */
function versionsHere(): readonly (GroupVersion | string)[] {
  try {
    const places = placesOf(readFileSync('/proc/self/mountinfo', 'latin1'), readFileSync('/proc/self/cgroup', 'latin1'))
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
    const pool = createGroupPool(version, (group) => nameOf(owner, group), sh)
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
    const owner = ownerOf(name)
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
