import { constants, statSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ExpectedError } from '../../contract/expected-error.ts'
import { codeOf } from '../../histories/machine-error.ts'
import type * as z from 'zod'
import { problemsLine, readJsonText } from '../../contract/json-text.ts'
import { sentence } from '../../contract/sentence.ts'

const MB = 1024 * 1024

/** The maximum size of a text file; a contest file with a thousand entrants is a hundredth of this. */
const TEXT_BYTES_MAX = 64 * MB

const CHUNK = MB

/**
 * Without O_NONBLOCK, opening a named pipe that has no writer would block without a way to cancel it. Windows has no
 * such flag.
 */
const READ = constants.O_RDONLY | constants.O_NONBLOCK
/** The interval for polling a pipe without a writer. */
const PIPE_MS = 10

/** True for a folder, such as a program's package before it is packed. */
export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Reads a file of at most `most` bytes. Endless files, such as devices, are not read to their end; a pipe is read while
 * it has a writer. Throws ExpectedError 'usage' if the file cannot be read or is larger.
 */
export async function readBytes(path: string, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const piece of readPieces(path)) {
    size += piece.length
    if (size > most) throw new ExpectedError('usage', 'too-large', `${path} is larger than ${most / MB} MB.`)
    // A copy, because the buffer is reused.
    parts.push(Buffer.from(piece))
  }
  return Buffer.concat(parts)
}

/** Like `readBytes`, for files of any size. Each piece is valid until the next one is requested. */
export async function* readPieces(path: string): AsyncGenerator<Uint8Array> {
  const unreadable = (error: NodeJS.ErrnoException): never => {
    throw new ExpectedError(
      'usage',
      'file-unreadable',
      sentence(`${path} cannot be read: ${reasons[error.code ?? ''] ?? error.message}`),
    )
  }
  const file = await open(path, READ).catch(unreadable)
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
    for (;;) {
      const bytesRead = await readSome(file, chunk).catch(unreadable)
      if (bytesRead === null) continue
      if (bytesRead === 0) return
      yield chunk.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Returns the number of bytes read, 0 at the end; null: the pipe has no data yet. */
async function readSome(file: FileHandle, into: Buffer): Promise<number | null> {
  try {
    return (await file.read(into, 0, into.length, null)).bytesRead
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error
    await sleep(PIPE_MS)
    return null
  }
}

/** Reads a text file, or standard input for `-`. Throws like `readTextFile`. */
export async function readTextInput(path: string): Promise<string> {
  return path === '-' ? textOf(await readStandardInput(TEXT_BYTES_MAX), 'standard input') : readTextFile(path)
}

async function readStandardInput(most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of process.stdin) {
    parts.push(part as Buffer)
    size += (part as Buffer).length
    if (size > most) throw new ExpectedError('usage', 'too-large', `Standard input is larger than ${most / MB} MB.`)
  }
  return Buffer.concat(parts)
}

/** Reads a whole text file. Throws ExpectedError 'usage' if it cannot be read, is too large or is not UTF-8. */
export async function readTextFile(path: string): Promise<string> {
  return textOf(await readBytes(path, TEXT_BYTES_MAX), path)
}

/**
 * Reads a whole text file in any encoding: bytes that are not UTF-8 become U+FFFD, which does no harm in comments; a
 * byte order mark is kept. Throws ExpectedError 'usage' if the file cannot be read or is too large.
 */
export async function readOldTextFile(path: string): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readBytes(path, TEXT_BYTES_MAX))
}

function textOf(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ExpectedError('usage', 'not-utf8', `${name} is not UTF-8 text.`)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  ENOTDIR: 'a part of its path is not a folder',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a cycle',
  ERR_INVALID_ARG_VALUE: 'its name contains a zero byte',
}

/**
 * Reads a JSON file that a person wrote. Throws ExpectedError 'usage' with file, line and column if it cannot be read,
 * is not UTF-8, is not JSON or does not match the schema; in the last case it tells all problems.
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const read = readJsonText(await readTextFile(path), schema)
  if (read.ok) return read.value
  throw new ExpectedError('usage', 'json-invalid', `${path}:${problemsLine(read)}`)
}
