import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { copyFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { PRIVATE_FOLDER } from '../../administrator/classroom/private-files.ts'
import { isBeingWritten } from '../../administrator/classroom/synced-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { usualQuotas, type Quotas } from '../../contract/people/hand-in.ts'
import type { TeamId } from '../../contract/people/teams.ts'
import { makeFolder, syncFile, syncFolder } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import type { GivenFile } from '../packages/uploaded-packages.ts'
import { renamed } from '../../histories/put-in-place.ts'

// The files of hand-ins as they were received, each under its hash; also those that were refused or came too late.

/** Limits in bytes, which may change. Receipts name the files, so that none is ever dropped to make room. */
interface KeptLimits {
  /** The files of one team. */
  readonly team: number
  readonly all: number
  /** Stays free on the disk. */
  readonly free: number
}
const MB = 1024 ** 2
const FREE = 1024 * MB

function limitsOf({ teamMegabytes, allMegabytes }: Quotas): KeptLimits {
  return { team: teamMegabytes * MB, all: allMegabytes * MB, free: FREE }
}

/** The limits of a class, as its settings are at each moment. */
export function keptLimits(home: Pick<ClassFolder, 'content'>): KeptLimits {
  const now = (): KeptLimits => limitsOf(home.content.handInRules.quotas)
  return {
    get team() {
      return now().team
    },
    get all() {
      return now().all
    },
    free: FREE,
  }
}

/** The received files of a class. */
export interface KeptFiles {
  readonly folder: string
  readonly limits: KeptLimits
  /** The size of each, in bytes. */
  readonly sizes: Map<Sha256, number>
  /** Those that are being written, in bytes, and whose they are. */
  readonly arriving: Set<{ readonly team: TeamId; readonly bytes: number }>
}

export function openKeptFiles(data: string, limits: KeptLimits = limitsOf(usualQuotas)): KeptFiles {
  const folder = join(data, 'handed-in')
  const sizes = new Map<Sha256, number>()
  for (const name of namesIn(folder))
    if (isHash(name)) sizes.set(name, statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
  return { folder, limits, sizes, arriving: new Set() }
}

const isHash = (name: string): boolean => /^[0-9a-f]{64}$/.test(name)

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // It is made with the first file.
    return []
  }
}

/** The path of a received file. */
export function keptFile({ folder }: KeptFiles, sha256: Sha256): string {
  return join(folder, sha256)
}

/**
 * Keeps a file of a team; it is on disk when this resolves. Returns its hash. `own`: the files that the team or the person has. Rejects with
 * MachineError, or with ExpectedError 'usage' if there is no room for it: then nothing has changed.
 */
export async function keepFile(
  kept: KeptFiles,
  file: GivenFile,
  team: TeamId,
  own: readonly Sha256[],
): Promise<Sha256> {
  const arriving = { team, bytes: await sizeOf(file) }
  await checkRoom(kept, arriving, own)
  kept.arriving.add(arriving)
  try {
    return await written(kept, file)
  } finally {
    kept.arriving.delete(arriving)
  }
}

async function sizeOf(file: GivenFile): Promise<number> {
  if ('content' in file) return file.content.length
  const found = await stat(file.path).catch((error: unknown) => {
    throw machineErrorFrom(error, 'read', file.path)
  })
  return found.size
}

async function checkRoom(
  { folder, limits, sizes, arriving }: KeptFiles,
  { team, bytes }: { readonly team: TeamId; readonly bytes: number },
  own: readonly Sha256[],
): Promise<void> {
  const disk = await statfs(join(folder, '..')).catch(() => null)
  // From here on nothing waits: two at once do not count the same room.
  const coming = (isMeant: (each: TeamId) => boolean): number =>
    [...arriving].reduce((sum, each) => sum + (isMeant(each.team) ? each.bytes : 0), bytes)
  const ofTeam = own.reduce((sum, each) => sum + (sizes.get(each) ?? 0), 0)
  if (ofTeam + coming((each) => each === team) > limits.team)
    throw noRoom(
      `The files that the team, or you in another one, handed in take ${inMegabytes(ofTeam)} MB, of ${inMegabytes(limits.team)} MB that are kept of a team.`,
    )
  const all = [...sizes.values()].reduce((sum, each) => sum + each, 0)
  const comingInAll = coming(() => true)
  if (all + comingInAll > limits.all || (disk !== null && disk.bavail * disk.bsize - comingInAll < limits.free))
    throw noRoom('The machine of the class has no room for more hand-ins: tell your educator.')
}

function noRoom(why: string): ExpectedError {
  return new ExpectedError(
    'usage',
    'limit-reached',
    `${why} This file was not handed in; what was handed in before stays as it is.`,
  )
}

const inMegabytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2)

async function written(kept: KeptFiles, file: GivenFile): Promise<Sha256> {
  const { folder, sizes } = kept
  const temporary = join(folder, `file.${randomUUID()}.new`)
  try {
    makeFolder(folder, PRIVATE_FOLDER)
    if ('content' in file) await writeFile(temporary, file.content, { flag: 'wx', mode: 0o600 })
    else await copyFile(file.path, temporary)
    const hash = createHash('sha256')
    let bytes = 0
    for await (const piece of createReadStream(temporary)) {
      hash.update(piece as Uint8Array)
      bytes += (piece as Uint8Array).length
    }
    const sha256 = hash.digest('hex')
    await syncFile(temporary)
    await renamed(temporary, keptFile(kept, sha256))
    syncFolder(folder)
    sizes.set(sha256, bytes)
    return sha256
  } catch (error) {
    await rm(temporary, { force: true })
    throw machineErrorFrom(error, 'keep a file in', folder)
  }
}

/** Deletes the received files that nothing knows, such as those of a process that was killed. */
export async function dropUnknownFiles(kept: KeptFiles, isKnown: (sha256: Sha256) => boolean): Promise<void> {
  for (const name of namesIn(kept.folder)) {
    if (isHash(name) ? isKnown(name) : !isBeingWritten(name)) continue
    await rm(join(kept.folder, name), { force: true })
    kept.sizes.delete(name)
  }
}
