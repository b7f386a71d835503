import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * The machine is in the way: a disk that is full, a folder that cannot be written, a data folder in use. Nobody's mistake
 * in the program; the command line ends with exit code 3 and shows `message`, which names the thing and the place.
 */
export class MachineError extends Error {
  override readonly name = 'MachineError'
  /** The file or folder. */
  readonly path: string
  /** The system's code (`ENOSPC`, `EROFS`, `EACCES`...) or `ELOCKED`, `EKEY`. */
  readonly code: string

  constructor(message: string, path: string, code: string) {
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
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EFBIG: 'the file has become too large',
  ELOOP: 'its symbolic links form a cycle',
  ENAMETOOLONG: 'the name is too long',
}

/**
 * The one sentence for a failed file operation: `Cannot write /x/y: the disk is full.` `doing` is a verb such as `write`.
 * An error that is MachineError already passes through.
 */
export function machineErrorFrom(error: unknown, doing: string, path: string): MachineError {
  if (error instanceof MachineError) return error
  const code = codeOf(error)
  const why =
    code === 'ENOENT' ? absence(doing, path) : (words[code] ?? (error instanceof Error ? error.message : String(error)))
  return new MachineError(`Cannot ${doing} ${path}: ${why}.`, path, code)
}

/** What is to be written need not be there yet: then its folder is in the way. */
function absence(doing: string, path: string): string {
  const folder = dirname(resolve(path))
  if (/^(read|open|scandir|stat|lstat|delete)\b/.test(doing)) return 'it does not exist'
  return existsSync(folder) ? `nothing can be created in ${folder}` : `there is no folder ${folder}`
}

/** The system's error code, or `EUNKNOWN`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EUNKNOWN'
}
