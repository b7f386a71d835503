import { constants } from 'node:fs'
import { posix } from 'node:path'
import type { PackageFile } from './files.ts'

/** The functions of `node:fs` that Go calls; the last argument is the callback. */
type Callback<T> = (error: Error | null, value?: T) => void

/** The fields of a stat that Go reads. */
export interface GoStats {
  readonly dev: number
  readonly ino: number
  readonly mode: number
  readonly nlink: number
  readonly uid: number
  readonly gid: number
  readonly rdev: number
  readonly size: number
  readonly blksize: number
  readonly blocks: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  isDirectory(): boolean
}

/** A file system for a Go program, with one package's files below `/package`, an empty `/out`, and nothing else. */
export interface PackageFiles {
  readonly constants: typeof constants
  open(path: string, flags: number, mode: number, done: Callback<number>): void
  close(fd: number, done: Callback<void>): void
  read(fd: number, into: Uint8Array, at: number, length: number, position: number | null, done: Callback<number>): void
  write(fd: number, from: Uint8Array, at: number, length: number, position: number | null, done: Callback<number>): void
  writeSync(fd: number, from: Uint8Array): number
  fsync(fd: number, done: Callback<void>): void
  stat(path: string, done: Callback<GoStats>): void
  lstat(path: string, done: Callback<GoStats>): void
  fstat(fd: number, done: Callback<GoStats>): void
  readdir(path: string, done: Callback<string[]>): void
  readlink(path: string, done: Callback<string>): void
  /** The contents of a file that was written to the folder for output; null: there is none. */
  written(name: string): Uint8Array | null
}

/** The folder of the files. */
export const packageRoot = '/package'
/** The folder in which files may be written; they are kept in memory. */
export const outputRoot = '/out'

type Item = { bytes: Uint8Array } | { readonly names: Set<string> }
interface Opened {
  readonly item: Item
  at: number
}

/** The state of a file system; the functions below change it. */
interface State {
  /** Files and folders by absolute path. */
  readonly items: Map<string, Item>
  /** The files that were written to the folder for output. */
  readonly outputs: Set<Item>
  /** By descriptor. */
  readonly opened: Map<number, Opened>
  /** The next free descriptor. */
  next: number
  /** Receives what is written to the descriptors 1 and 2. */
  readonly printed: (fd: 1 | 2, bytes: Uint8Array) => void
}

const writing = constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND

/**
 * `printed` receives what is written to the descriptors 1 and 2; everything but new files of `/out` is read-only. The paths must be safe
 * (files.ts).
 */
export function packageFiles(
  files: readonly PackageFile[],
  printed: (fd: 1 | 2, bytes: Uint8Array) => void,
): PackageFiles {
  const state: State = {
    items: new Map([['/', { names: new Set() }]]),
    outputs: new Set(),
    opened: new Map(),
    next: 3,
    printed,
  }
  namesIn(state, packageRoot)
  namesIn(state, outputRoot)
  for (const { path, bytes } of files) addFile(state, posix.join(packageRoot, path).normalize(), { bytes })
  const stat = (path: string, done: Callback<GoStats>): void => answer(done, () => statsOf(itemAt(state, path)))

  return {
    constants,
    open: (path, flags, _mode, done) => answer(done, () => openFile(state, path, flags)),
    close: (fd, done) => answer(done, () => void state.opened.delete(fd)),
    read: (fd, into, at, length, position, done) =>
      answer(done, () => readFile(state, fd, into.subarray(at, at + length), position)),
    write: (fd, from, at, length, _position, done) =>
      answer(done, () => writeFile(state, fd, from.subarray(at, at + length))),
    writeSync: (fd, bytes) => print(state, fd, bytes),
    fsync: (_fd, done) => answer(done, () => undefined),
    stat,
    // A package has no links.
    lstat: stat,
    fstat: (fd, done) => answer(done, () => statsOf(fd < 3 ? { bytes: new Uint8Array() } : openedFile(state, fd).item)),
    readdir: (path, done) =>
      answer(done, () => {
        const item = itemAt(state, path)
        if (!('names' in item)) throw failure('ENOTDIR')
        return [...item.names].sort()
      }),
    readlink: (path, done) =>
      answer(done, () => {
        itemAt(state, path)
        throw failure('EINVAL')
      }),
    written(name) {
      const item = state.items.get(posix.join(outputRoot, name))
      return item === undefined || 'names' in item || !state.outputs.has(item) ? null : item.bytes
    },
  }
}

/** The names in a folder, which is made with those above it if it is missing. */
function namesIn(state: State, path: string): Set<string> {
  const found = state.items.get(path)
  if (found !== undefined && 'names' in found) return found.names
  const names = new Set<string>()
  state.items.set(path, { names })
  namesIn(state, posix.dirname(path)).add(posix.basename(path))
  return names
}

function addFile(state: State, path: string, item: Item): void {
  namesIn(state, posix.dirname(path)).add(posix.basename(path))
  state.items.set(path, item)
}

function itemAt({ items }: State, path: string): Item {
  // Names of packages are in the composed form, whatever an import writes.
  const found = items.get(posix.resolve(packageRoot, path).normalize())
  if (found === undefined) throw failure('ENOENT')
  return found
}

function openedFile({ opened }: State, fd: number): Opened {
  const found = opened.get(fd)
  if (found === undefined) throw failure('EBADF')
  return found
}

/** Returns a descriptor. A file of the folder for output is always new. */
function openFile(state: State, path: string, flags: number): number {
  const full = posix.resolve(packageRoot, path)
  let item: Item
  if ((flags & writing) === 0) item = itemAt(state, path)
  else {
    if (posix.dirname(full) !== outputRoot) throw failure('EROFS')
    item = { bytes: new Uint8Array() }
    addFile(state, full, item)
    state.outputs.add(item)
  }
  state.opened.set(state.next, { item, at: 0 })
  return state.next++
}

/** Returns the number of bytes read. `position` null: where the last read ended. */
function readFile(state: State, fd: number, into: Uint8Array, position: number | null): number {
  // Standard input is always empty.
  if (fd === 0) return 0
  const file = openedFile(state, fd)
  if ('names' in file.item) throw failure('EISDIR')
  const from = position ?? file.at
  const part = file.item.bytes.subarray(from, from + into.length)
  into.set(part)
  if (position === null) file.at += part.length
  return part.length
}

/** Appends to a file of the folder for output, or prints. Returns the number of bytes written. */
function writeFile(state: State, fd: number, bytes: Uint8Array): number {
  if (fd === 1 || fd === 2) return print(state, fd, bytes)
  const { item } = openedFile(state, fd)
  if ('names' in item || !state.outputs.has(item)) throw failure('EBADF')
  item.bytes = Buffer.concat([item.bytes, bytes])
  return bytes.length
}

function print({ printed }: State, fd: number, bytes: Uint8Array): number {
  if (fd !== 1 && fd !== 2) throw failure('EBADF')
  printed(fd, bytes)
  return bytes.length
}

/** Calls back asynchronously: Go requires that its call returns first. */
function answer<T>(done: Callback<T>, work: () => T): void {
  let error: Error | null = null
  let value: T | undefined
  try {
    value = work()
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown
    error = thrown
  }
  queueMicrotask(() => (error === null ? done(null, value) : done(error)))
}

const failure = (code: string): Error => Object.assign(new Error(code), { code })

function statsOf(item: Item): GoStats {
  const directory = 'names' in item
  const size = directory ? 0 : item.bytes.length
  const none = { dev: 0, ino: 0, uid: 0, gid: 0, rdev: 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0 }
  const mode = directory ? constants.S_IFDIR | 0o555 : constants.S_IFREG | 0o444
  return { ...none, mode, nlink: 1, size, blksize: 4096, blocks: Math.ceil(size / 512), isDirectory: () => directory }
}
