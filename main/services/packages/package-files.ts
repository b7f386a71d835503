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

const writing = constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND

/**
 * `printed` receives what is written to the descriptors 1 and 2; everything but new files of `/out` is read-only. The paths must be safe
 * (files.ts).
 */
export function packageFiles(
  files: readonly PackageFile[],
  printed: (fd: 1 | 2, bytes: Uint8Array) => void,
): PackageFiles {
  const items = new Map<string, Item>([['/', { names: new Set() }]])
  const folder = (path: string): Set<string> => {
    const found = items.get(path)
    if (found !== undefined && 'names' in found) return found.names
    const names = new Set<string>()
    items.set(path, { names })
    folder(posix.dirname(path)).add(posix.basename(path))
    return names
  }
  folder(packageRoot)
  folder(outputRoot)
  for (const { path, bytes } of files) {
    const full = posix.join(packageRoot, path)
    folder(posix.dirname(full)).add(posix.basename(full))
    items.set(full, { bytes })
  }
  const opened = new Map<number, Opened>()
  let next = 3

  const outputs = new Set<Item>()
  const fresh = (path: string): Item => {
    const item = { bytes: new Uint8Array() }
    folder(outputRoot).add(posix.basename(path))
    items.set(path, item)
    outputs.add(item)
    return item
  }
  const find = (path: string): Item => {
    const found = items.get(posix.resolve(packageRoot, path))
    if (found === undefined) throw failure('ENOENT')
    return found
  }
  const open = (fd: number): Opened => {
    const found = opened.get(fd)
    if (found === undefined) throw failure('EBADF')
    return found
  }
  const print = (fd: number, bytes: Uint8Array): number => {
    if (fd !== 1 && fd !== 2) throw failure('EBADF')
    printed(fd, bytes)
    return bytes.length
  }
  const stat = (path: string, done: Callback<GoStats>): void => answer(done, () => statsOf(find(path)))

  return {
    constants,
    open: (path, flags, _mode, done) =>
      answer(done, () => {
        const writes = (flags & writing) !== 0
        if (writes && posix.dirname(posix.resolve(packageRoot, path)) !== outputRoot) throw failure('EROFS')
        opened.set(next, { item: writes ? fresh(posix.resolve(packageRoot, path)) : find(path), at: 0 })
        return next++
      }),
    close: (fd, done) => answer(done, () => void opened.delete(fd)),
    read: (fd, into, at, length, position, done) =>
      answer(done, () => {
        // There is no standard input.
        if (fd === 0) return 0
        const file = open(fd)
        if ('names' in file.item) throw failure('EISDIR')
        const from = position ?? file.at
        const part = file.item.bytes.subarray(from, from + length)
        into.set(part, at)
        if (position === null) file.at += part.length
        return part.length
      }),
    write: (fd, from, at, length, _position, done) =>
      answer(done, () => {
        const bytes = from.subarray(at, at + length)
        if (fd === 1 || fd === 2) return print(fd, bytes)
        const { item } = open(fd)
        if ('names' in item || !outputs.has(item)) throw failure('EROFS')
        item.bytes = Buffer.concat([item.bytes, bytes])
        return length
      }),
    writeSync: print,
    fsync: (_fd, done) => answer(done, () => undefined),
    stat,
    // There are no links.
    lstat: stat,
    fstat: (fd, done) => answer(done, () => statsOf(fd < 3 ? { bytes: new Uint8Array() } : open(fd).item)),
    readdir: (path, done) =>
      answer(done, () => {
        const item = find(path)
        if (!('names' in item)) throw failure('ENOTDIR')
        return [...item.names].sort()
      }),
    written(name) {
      const item = items.get(posix.join(outputRoot, name))
      return item === undefined || 'names' in item ? null : item.bytes
    },
    readlink: (path, done) =>
      answer(done, () => {
        find(path)
        throw failure('EINVAL')
      }),
  }
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
