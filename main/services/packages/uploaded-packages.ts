import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { passingFolder } from '../../administrator/classroom/scratch.ts'
import { usualQuotas } from '../../contract/people/hand-in.ts'
import type { PersonId } from '../../contract/people/people.ts'
import { ARCHIVE_BYTES_MAX, UPLOAD_BYTES_MAX } from '../../contract/procedures/uploads.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { receiveFile } from '../files/received-file.ts'

/** A file as a person gave it, and where it lies. */
export interface UploadedPackage {
  readonly fileName: string
  readonly path: string
}

/** A file that is handed in: where it lies, or its bytes if they are in memory anyway. */
export type GivenFile = { readonly fileName: string } & ({ readonly path: string } | { readonly content: Uint8Array })

/** Its bytes. Rejects with MachineError. */
export async function contentOf(file: GivenFile): Promise<Uint8Array> {
  if ('content' in file) return file.content
  return readFile(file.path).catch((error: unknown) => {
    throw machineErrorFrom(error, 'read', file.path)
  })
}

/**
 * Packages that pages have uploaded: they can be looked at and handed in any number of times without being sent again. They are
 * kept on disk, outside the data folder, until they are used or the classroom is closed.
 */
export interface UploadedPackages {
  /**
   * Stores a file of at most 64 MB and returns its handle. Rejects with ExpectedError 'usage' if it is larger, with MachineError, or
   * with the error of `content`; nothing remains of it then. `owner`: the person whose limits count; null: the person at this
   * machine, for whom there are those of all files only. Rejects with ExpectedError 'usage' if the owner sends too many at once.
   */
  add(fileName: string, content: AsyncIterable<Uint8Array>, owner?: PersonId | null): Promise<string>
  /**
   * Lends a file to `work`, when there is room for it: others wait, and those who have least being worked on come first. Rejects with
   * ExpectedError 'usage' if the handle is unknown, if its file was dropped, or if too many files of the same holder wait, and with the
   * error of `work`. `holder`: whose share of the room it takes, such as a team; absent: its owner's.
   */
  read<T>(handle: string, work: (file: UploadedPackage) => Promise<T>, holder?: string): Promise<T>
  /** Like `read`, and drops the file if `work` succeeds: a refused file can be handed in once more. */
  use<T>(handle: string, work: (file: UploadedPackage) => Promise<T>, holder?: string): Promise<T>
  /** Like `use`, but lends the file at once: `inRoom` does what needs the room. */
  useInRoom<T>(handle: string, work: (file: UploadedPackage, inRoom: InRoom) => Promise<T>, holder?: string): Promise<T>
  /** Removes all files. */
  close(): Promise<void>
}

/** Does some work when there is room for a file. Rejects like `read`. */
export type InRoom = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Beyond either limit, the file that was uploaded first and is not being worked on is dropped: a class of a thousand may be handed
 * in at once.
 */
export interface UploadLimits {
  readonly files: number
  readonly bytes: number
  /** For each file. */
  readonly fileBytes: number
  /** For the files that are worked on at the same time, which reading processes have in memory. */
  readonly openBytes: number
  /** The same of one holder, who may always have one file. */
  readonly openBytesOfOne: number
}
const usual: UploadLimits = {
  files: 2_000,
  bytes: 1024 * 1024 * 1024,
  fileBytes: UPLOAD_BYTES_MAX,
  openBytes: 3 * UPLOAD_BYTES_MAX,
  openBytesOfOne: UPLOAD_BYTES_MAX,
}
/** For exports of classes, which are unpacked from the disk piece by piece: two that wait, the newest ones. */
export const archiveLimits: UploadLimits = {
  files: 2,
  bytes: ARCHIVE_BYTES_MAX,
  fileBytes: ARCHIVE_BYTES_MAX,
  openBytes: ARCHIVE_BYTES_MAX,
  openBytesOfOne: ARCHIVE_BYTES_MAX,
}
/** Files of one holder that may wait for room. */
const WAITING_MAX = 10

/** The limits of each owner, which may change. Beyond `files` or `bytes`, their own oldest files are dropped. */
export interface OwnerLimits extends Pick<UploadLimits, 'files' | 'bytes'> {
  /** Files that they send at the same time. */
  readonly arriving: number
}
const ARRIVING = 2
const MB = 1024 ** 2
const usualOfOwner: OwnerLimits = {
  ...{ files: usualQuotas.uploadedFiles, bytes: usualQuotas.uploadedMegabytes * MB, arriving: ARRIVING },
}

/** The limits of each owner in a class, as its settings are at each moment. */
export function ownerLimits(home: Pick<ClassFolder, 'content'>): OwnerLimits {
  return {
    get files() {
      return home.content.handInRules.quotas.uploadedFiles
    },
    get bytes() {
      return home.content.handInRules.quotas.uploadedMegabytes * MB
    },
    arriving: ARRIVING,
  }
}

interface StoredFile extends UploadedPackage {
  readonly owner: PersonId | null
  readonly bytes: number
  /** The number of those who are working on it. If it is dropped, it stays on disk until there are none. */
  users: number
}

interface Shelf {
  readonly limits: UploadLimits
  readonly ofOwner: OwnerLimits
  readonly makeFolder: () => Promise<string>
  /** By handle, oldest first. */
  readonly files: Map<string, StoredFile>
  /** A folder for temporary files; null until the first upload. */
  folder: Promise<string> | null
  /** The number of files that each owner is sending. */
  readonly arriving: Map<PersonId, number>
  /** The sizes of the files that are being worked on, in bytes, by their holders. */
  readonly open: Map<string, number>
  /** Those that wait for room, the oldest first. */
  waiting: readonly Waiting[]
}

interface Waiting {
  readonly holder: string
  readonly bytes: number
  begin(): void
}

export function createUploadedPackages(
  limits: UploadLimits = usual,
  ofOwner: OwnerLimits = usualOfOwner,
  makeFolder: () => Promise<string> = async () => passingFolder('uploaded'),
): UploadedPackages {
  const shelf: Shelf = {
    limits,
    ofOwner,
    makeFolder,
    files: new Map(),
    folder: null,
    arriving: new Map(),
    open: new Map(),
    waiting: [],
  }
  return {
    add: (fileName, content, owner = null) =>
      owner === null ? store(shelf, fileName, content, null) : storeFor(shelf, fileName, content, owner),
    read: (handle, work, holder) => withStored(shelf, handle, (file, inRoom) => inRoom(() => work(file)), holder),
    use: (handle, work, holder) => usedUp(shelf, handle, (file, inRoom) => inRoom(() => work(file)), holder),
    useInRoom: (handle, work, holder) => usedUp(shelf, handle, work, holder),
    async close() {
      shelf.files.clear()
      if (shelf.folder !== null) await rm(await shelf.folder, { recursive: true, force: true })
      shelf.folder = null
    },
  }
}

async function storeFor(
  shelf: Shelf,
  fileName: string,
  content: AsyncIterable<Uint8Array>,
  owner: PersonId,
): Promise<string> {
  const { arriving, ofOwner } = shelf
  const others = arriving.get(owner) ?? 0
  if (others >= ofOwner.arriving)
    throw new ExpectedError('usage', 'busy', `${fileName} has to wait until your other uploads are done.`)
  arriving.set(owner, others + 1)
  try {
    return await store(shelf, fileName, content, owner)
  } finally {
    const left = (arriving.get(owner) ?? 1) - 1
    if (left === 0) arriving.delete(owner)
    else arriving.set(owner, left)
  }
}

async function store(
  shelf: Shelf,
  fileName: string,
  content: AsyncIterable<Uint8Array>,
  owner: PersonId | null,
): Promise<string> {
  const { limits, files } = shelf
  const handle = randomUUID()
  shelf.folder ??= shelf.makeFolder()
  const folder = await shelf.folder.catch((error: unknown) => {
    shelf.folder = null
    throw error
  })
  const path = join(folder, handle)
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw machineErrorFrom(error, 'write', path)
  })
  try {
    const bytes = await receiveFile(path, content, limits.fileBytes)
    if (bytes === null) {
      const most = limits.fileBytes / (1024 * 1024)
      throw new ExpectedError('usage', 'too-large', `${fileName} is larger than the maximum of ${most} MB.`)
    }
    files.set(handle, { fileName, path, bytes, owner, users: 0 })
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  if (owner !== null) await makeRoom(shelf, handle, shelf.ofOwner, (file) => file.owner === owner)
  await makeRoom(shelf, handle, limits, () => true)
  return handle
}

/** Drops the oldest of these files while there are too many, except for one that has just come and those that are being worked on. */
async function makeRoom(
  shelf: Shelf,
  newest: string,
  limits: Pick<UploadLimits, 'files' | 'bytes'>,
  isMeant: (file: StoredFile) => boolean,
): Promise<void> {
  const meant = (): readonly [string, StoredFile][] => [...shelf.files].filter(([, file]) => isMeant(file))
  const isFull = (): boolean => {
    const files = meant()
    return files.length > limits.files || files.reduce((sum, [, { bytes }]) => sum + bytes, 0) > limits.bytes
  }
  for (const [handle, { users }] of meant()) {
    if (!isFull()) return
    if (users === 0 && handle !== newest) await drop(shelf, handle)
  }
}

type Lent<T> = (file: UploadedPackage, inRoom: InRoom) => Promise<T>

async function usedUp<T>(shelf: Shelf, handle: string, work: Lent<T>, holder?: string): Promise<T> {
  const done = await withStored(shelf, handle, work, holder)
  await drop(shelf, handle)
  return done
}

async function withStored<T>(shelf: Shelf, handle: string, work: Lent<T>, given?: string): Promise<T> {
  const file = shelf.files.get(handle)
  if (file === undefined)
    throw new ExpectedError('usage', 'file-not-open', 'This file is no longer kept; upload it again.')
  const { fileName, path, bytes } = file
  const holder = given ?? file.owner ?? ''
  const inRoom: InRoom = async (reading) => {
    await roomFor(shelf, { holder, bytes }, fileName)
    try {
      return await reading()
    } finally {
      giveBack(shelf, { holder, bytes })
    }
  }
  file.users += 1
  try {
    return await work({ fileName, path }, inRoom)
  } finally {
    file.users -= 1
    if (file.users === 0 && shelf.files.get(handle) !== file) await rm(path, { force: true })
  }
}

type Share = Pick<Waiting, 'holder' | 'bytes'>

/** True if a file can be worked on beside those that are. */
function fits({ open, limits }: Shelf, { holder, bytes }: Share): boolean {
  const all = [...open.values()].reduce((sum, each) => sum + each, 0)
  const own = open.get(holder) ?? 0
  return (all === 0 || all + bytes <= limits.openBytes) && (own === 0 || own + bytes <= limits.openBytesOfOne)
}

/** Resolves when there is room for a file, which is taken then. */
async function roomFor(shelf: Shelf, share: Share, fileName: string): Promise<void> {
  const take = (): void => void shelf.open.set(share.holder, (shelf.open.get(share.holder) ?? 0) + share.bytes)
  // Nobody overtakes those who wait already, except for those whose share is free.
  if (fits(shelf, share) && !shelf.waiting.some((each) => fits(shelf, each))) {
    take()
    return
  }
  if (shelf.waiting.filter(({ holder }) => holder === share.holder).length >= WAITING_MAX)
    throw new ExpectedError(
      'usage',
      'busy',
      `${fileName} has to wait for other large files; try again when they are done.`,
    )
  await new Promise<void>((resolve) => {
    const begin = (): void => {
      take()
      resolve()
    }
    shelf.waiting = [...shelf.waiting, { ...share, begin }]
  })
}

/** Gives room back, and lets others begin: of those that fit, the holder who has least comes first. */
function giveBack(shelf: Shelf, { holder, bytes }: Share): void {
  const left = (shelf.open.get(holder) ?? 0) - bytes
  if (left > 0) shelf.open.set(holder, left)
  else shelf.open.delete(holder)
  const openOf = (each: Waiting): number => shelf.open.get(each.holder) ?? 0
  for (;;) {
    const [next] = shelf.waiting.filter((each) => fits(shelf, each)).toSorted((a, b) => openOf(a) - openOf(b))
    if (next === undefined) return
    shelf.waiting = shelf.waiting.filter((each) => each !== next)
    next.begin()
  }
}

async function drop({ files }: Shelf, handle: string): Promise<void> {
  const file = files.get(handle)
  files.delete(handle)
  if (file?.users === 0) await rm(file.path, { force: true })
}
