import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { ErrorCode } from '../contract/error-codes.ts'

/**
 * A problem of this machine rather than a bug: a full disk, a folder without write permission, a data folder in use.
 * The command line shows `message`, which names the problem and the path, and exits with code 3.
 */
export class MachineError extends Error {
  override readonly name = 'MachineError'
  /** The file or folder. */
  readonly path: string
  readonly code: ErrorCode

  constructor(message: string, path: string, code: ErrorCode) {
    super(message)
    this.path = path
    this.code = code
  }
}

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission is denied',
  EPERM: 'it is not permitted',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'something with that name already exists',
  EIO: 'the disk reported an error',
  EMFILE: 'too many files are open; raise the limit of this process (ulimit -n)',
  ENFILE: 'too many files are open on this machine',
  EFBIG: 'the file has become too large',
  ELOOP: 'its symbolic links form a cycle',
  ENAMETOOLONG: 'the name is too long',
}

/** Our codes of the system's codes; others are a `system-error`. */
export const systemCodes: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EROFS: 'access-denied',
  EACCES: 'access-denied',
  EPERM: 'access-denied',
  ENOENT: 'path-unusable',
  ENOTDIR: 'path-unusable',
  EISDIR: 'path-unusable',
  ELOOP: 'path-unusable',
  ENAMETOOLONG: 'path-unusable',
  EEXIST: 'file-exists',
  EMFILE: 'too-many-open-files',
  ENFILE: 'too-many-open-files',
  EFBIG: 'too-large',
}

/**
 * The error for a failed file operation, with a message such as `Cannot write /x/y: the disk is full.` `doing` is a
 * verb such as `write`. A MachineError is returned unchanged.
 */
export function machineErrorFrom(error: unknown, doing: string, path: string): MachineError {
  if (error instanceof MachineError) return error
  const code = codeOf(error)
  const why =
    code === 'ENOENT' ? absence(doing, path) : (words[code] ?? (error instanceof Error ? error.message : String(error)))
  return new MachineError(`Cannot ${doing} ${path}: ${why}.`, path, systemCodes[code] ?? 'system-error')
}

/** The reason for ENOENT: when writing, the file need not exist, so its folder is the problem. */
function absence(doing: string, path: string): string {
  const folder = dirname(resolve(path))
  if (/^(read|open|scandir|stat|lstat|delete)\b/.test(doing)) return 'it does not exist'
  return existsSync(folder) ? `nothing can be created in ${folder}` : `there is no folder ${folder}`
}

/** Verbs for the calls of the system that have none that people use. */
const doings: Readonly<Record<string, string>> = { mkdtemp: 'make a folder', mkdir: 'make the folder', scandir: 'read' }

/** The error of a failed call of the operating system, with a sentence for people; null for other errors. */
export function machineErrorOf(error: unknown, unnamed: string): MachineError | null {
  if (error instanceof MachineError) return error
  if (!(error instanceof Error) || !('syscall' in error) || typeof error.syscall !== 'string') return null
  const path = 'path' in error && typeof error.path === 'string' ? error.path : unnamed
  return machineErrorFrom(error, doings[error.syscall] ?? error.syscall, path)
}

/** The system's error code, or `EUNKNOWN`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EUNKNOWN'
}
