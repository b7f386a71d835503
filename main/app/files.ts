import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Trouble } from '../contract/trouble.ts'
import { codeOf } from '../histories/trouble.ts'

const MB = 1024 * 1024

/** A contest file of a thousand entrants is a hundredth of this. */
const TEXT_BYTES_MAX = 64 * MB

const CHUNK = MB

/** Opening a named pipe that nobody writes to would otherwise wait for ever, and nothing could end that. No such flag on Windows: 0. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK
/** How long to wait for a pipe's writer before looking again. */
const PIPE_MS = 10

/**
 * A file that a person has named, of at most `most` bytes: what never ends, such as a device, is not read for ever, and a
 * pipe is read while it has a writer. Throws Trouble 'usage' when it cannot be read or is larger.
 */
export async function readBytes(path: string, most: number): Promise<Buffer> {
  const unreadable = (error: NodeJS.ErrnoException): never => {
    throw new Trouble('usage', `${path} cannot be read: ${reasons[error.code ?? ''] ?? error.message}.`)
  }
  const file = await open(path, READ).catch(unreadable)
  try {
    const parts: Buffer[] = []
    const chunk = Buffer.allocUnsafe(CHUNK)
    for (let size = 0; size <= most;) {
      const bytesRead = await readSome(file, chunk).catch(unreadable)
      if (bytesRead === null) continue
      if (bytesRead === 0) return Buffer.concat(parts)
      // A copy: a pipe gives little at a time.
      parts.push(Buffer.from(chunk.subarray(0, bytesRead)))
      size += bytesRead
    }
  } finally {
    await file.close()
  }
  throw new Trouble('usage', `${path} is larger than ${most / MB} MB.`)
}

/** How much has been read, 0 at the end; null: a pipe's writer has nothing yet. */
async function readSome(file: FileHandle, into: Buffer): Promise<number | null> {
  try {
    return (await file.read(into, 0, into.length, null)).bytesRead
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error
    await sleep(PIPE_MS)
    return null
  }
}

/** A whole text file. Throws Trouble 'usage' when it cannot be read, is too large or is not UTF-8. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readBytes(path, TEXT_BYTES_MAX)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Trouble('usage', `${path} is not UTF-8 text.`)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  ENOTDIR: 'a part of its path is not a folder',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  ERR_INVALID_ARG_VALUE: 'its name holds a zero byte',
}
