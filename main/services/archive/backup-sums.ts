import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import { sha256Hex } from '../../contract/ids.ts'
import { codeOf } from '../../histories/machine-error.ts'

// Beside each backup lies the list of its files with their checksums, so that a copy that has decayed on a stick is found.

const sum = z.strictObject({ size: z.int().min(0), sha256: sha256Hex })
type Sum = z.infer<typeof sum>
/** The checksums of files by their paths. */
export type FileSums = Map<string, Sum>

/** Paths are relative, with forward slashes. */
const sumsFile = z.strictObject({ format: z.literal('tartaglia-backup/1'), files: z.record(z.string(), sum) })

/** The list of a backup, beside it: the end of its name, and its path. */
export const SUMS = '.sums.json'
export const sumsOf = (backup: string): string => `${backup}${SUMS}`

/** Writes the list of a backup that will be in `folder`. `sums`: by the paths of the copies in `growing`. */
export async function writeSums(folder: string, growing: string, sums: FileSums): Promise<void> {
  const files = Object.fromEntries([...sums].map(([path, each]) => [portable(relative(growing, path)), each]))
  await writeSynced(sumsOf(folder), `${JSON.stringify({ format: 'tartaglia-backup/1', files })}\n`)
}

const portable = (path: string): string => path.split(sep).join('/')

/** Copies a file, and returns the checksum of the bytes that were read. */
export async function copySummed(from: string, to: string, mode: number): Promise<Sum> {
  return summed(from, createWriteStream(to, { mode }))
}

/** The checksum of a file. */
export function sumOf(file: string): Promise<Sum> {
  return summed(file, new Writable({ write: (_bytes, _encoding, done) => done() }))
}

async function summed(from: string, to: NodeJS.WritableStream): Promise<Sum> {
  const hash = createHash('sha256')
  let size = 0
  await pipeline(
    createReadStream(from, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>,
    async function* (pieces) {
      for await (const piece of pieces) {
        hash.update(piece)
        size += piece.length
        yield piece
      }
    },
    to,
  )
  return { size, sha256: hash.digest('hex') }
}

/**
 * The reason why files (`found`, by their paths in `folder`) are not those of a backup, as a sentence; null: they are, or the backup is from before there
 * were lists.
 */
export async function whyChanged(backup: string, folder: string, found: FileSums): Promise<string | null> {
  const text = await readFile(sumsOf(backup), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const listed = sumsFile.safeParse(parsed(text)).data?.files
  if (listed === undefined) return `${sumsOf(backup)}, the list of its checksums, is damaged.`
  const restored = new Map([...found].map(([path, each]) => [portable(relative(folder, path)), each]))
  for (const [path, { size, sha256 }] of Object.entries(listed)) {
    const now = restored.get(path)
    if (now === undefined) return `${backup} lacks ${path}.`
    if (now.size !== size || now.sha256 !== sha256) return `${backup}: ${path} has changed since it was copied.`
  }
  const more = [...restored.keys()].find((path) => !Object.hasOwn(listed, path))
  return more === undefined ? null : `${backup} has ${more}, which was not copied.`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
