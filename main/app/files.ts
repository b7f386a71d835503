import { open } from 'node:fs/promises'
import { Trouble } from '../contract/trouble.ts'

const MB = 1024 * 1024

/** A contest file of a thousand entrants is a hundredth of this. */
const TEXT_BYTES_MAX = 64 * MB

const CHUNK = MB

/**
 * A file that a person has named, of at most `most` bytes: what never ends, such as a device, is not read for ever. Throws
 * Trouble 'usage' when it cannot be read or is larger.
 */
export async function readBytes(path: string, most: number): Promise<Buffer> {
  const unreadable = (error: NodeJS.ErrnoException): never => {
    throw new Trouble('usage', `${path} cannot be read: ${reasons[error.code ?? ''] ?? error.message}.`)
  }
  const file = await open(path, 'r').catch(unreadable)
  try {
    const parts: Buffer[] = []
    for (let size = 0; size <= most;) {
      const chunk = Buffer.allocUnsafe(CHUNK)
      const { bytesRead } = await file.read(chunk, 0, CHUNK, null).catch(unreadable)
      if (bytesRead === 0) return Buffer.concat(parts)
      parts.push(chunk.subarray(0, bytesRead))
      size += bytesRead
    }
  } finally {
    await file.close()
  }
  throw new Trouble('usage', `${path} is larger than ${most / MB} MB.`)
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
