import { Buffer } from 'node:buffer'
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import process from 'node:process'

/**
 * Access to the folder that the agents of a match share: strings in, one string out, either A and JSON text, or X and a
 * JSON sentence. It throws only what V8 itself throws.
 */
export type FolderAccess = (operation: string, name: string, text: string) => string

/** The maximum number of bytes of one file. */
const textBytes = 1_048_576
/** No path leads out of the folder or to hidden files; files are hidden while they are being written. */
const plainName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
const { hrtime } = process

/**
 * Other agents write to the folder too, and some are programs. Links are not followed, and operations on pipes, leases
 * and other special files do not block.
 */
export function openFolderAccess(folder: string): FolderAccess {
  const pathOf = (name: string): string => `${folder}/${name}`
  return (operation, name, text) => {
    try {
      if (operation === 'list') return answer(namesIn(folder))
      if (!plainName.test(name))
        return problem('a name is up to 64 letters, digits, ".", "_" and "-", and begins with no dot')
      if (operation === 'read') return read(pathOf(name))
      return write(pathOf(name), pathOf(`.${String(hrtime.bigint())}`), text)
    } catch (error) {
      return problem(words[codeOf(error)] ?? 'it could not be used')
    }
  }
}

const answer = (value: unknown): string => `A${JSON.stringify(value)}`
const problem = (text: string): string => `X${JSON.stringify(`The shared folder: ${text}.`)}`

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'it is full',
  ELOOP: 'this is not a plain file',
  ENXIO: 'this is not a plain file',
  EISDIR: 'this is not a plain file',
  EACCES: 'another agent has locked this',
  EAGAIN: 'another agent has locked this',
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

const namesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => plainName.test(name))
    .sort()

/** Reads a whole file as lenient UTF-8; null if there is none. */
function read(path: string): string {
  const file = openFor(path)
  if (file === null) return answer(null)
  try {
    if (!fstatSync(file).isFile()) return problem('this is not a plain file')
    const bytes = Buffer.allocUnsafeSlow(textBytes + 1)
    let length = 0
    for (let more = 1; more > 0 && length < bytes.length; length += more) {
      more = readSync(file, bytes, length, bytes.length - length, null)
    }
    return length > textBytes ? tooLarge() : answer(bytes.toString('utf8', 0, length))
  } finally {
    closeSync(file)
  }
}

function openFor(path: string): number | null {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Writes under another name first, so that nobody reads half a file. */
function write(path: string, fresh: string, text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length > textBytes) return tooLarge()
  const file = openSync(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    } finally {
      closeSync(file)
    }
    renameSync(fresh, path)
  } catch (error) {
    forget(fresh)
    throw error
  }
  return answer(null)
}

function forget(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Another agent was faster.
  }
}

const tooLarge = (): string => problem(`a text may have at most ${textBytes} bytes`)
