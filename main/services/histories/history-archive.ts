import { exportName } from '../../contract/histories/match-link.ts'
import { createReadStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import { type Exporter } from '../../histories/export.ts'
import { keyText, type PublicKey } from '../../histories/keys.ts'
import { commentsPath } from './match-comments.ts'
import { KEY_FILE } from '../files/export-folder.ts'
import { readTarHeader, TAR_BLOCK, tarEnd, tarFill, tarHeader } from '../packages/tar.ts'
import { sentence } from '../../contract/sentence.ts'

/** The folder in which everything of an archive lies. */
const FOLDER = 'histories'

/** A match that goes into an archive. */
export interface ArchivedMatch {
  readonly contest: ContestId
  readonly match: MatchNumber
}

/** The source of an archive's files. */
export interface ArchiveSource {
  /** The key of the class, which is put into the archive. */
  readonly key: PublicKey
  /** The exporter of a contest; asked once as long as the matches of one contest follow each other. */
  exporter(contest: ContestId): Promise<Exporter>
  /** Returns a path for a temporary file; it is removed again. */
  scratch(): Promise<string>
  /** The comments on the match with this head, as a file of the archive; null: there are none. */
  comments(head: Sha256): Promise<string | null>
}

/**
 * Writes matches and the public key of their class as one tar archive, a match at a time, so that the archive is never
 * whole in memory. The matches lie in it as `histories/CONTEST/match-0001.jsonl`, with comments on them, if any, beside. `onMatch`: called after each match. Rejects with
 * MachineError if a history cannot be read.
 */
export async function* archivePieces(
  matches: AsyncIterable<ArchivedMatch> | Iterable<ArchivedMatch>,
  source: ArchiveSource,
  onMatch: () => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  yield* textMember(`${FOLDER}/${KEY_FILE}`, `${keyText(source.key)}\n`)
  let exporter: Exporter | null = null
  let of: ContestId | null = null
  for await (const { contest, match } of matches) {
    if (exporter === null || of !== contest) exporter = await source.exporter(contest)
    of = contest
    const file = await source.scratch()
    try {
      await exporter.write(match, 'none', file)
      const path = `${FOLDER}/${contest}/${exportName({ match })}`
      yield* fileMember(path, file)
      const comments = await source.comments(await exporter.head(match))
      if (comments !== null) yield* textMember(commentsPath(path), comments)
    } finally {
      await rm(file, { force: true })
    }
    onMatch()
  }
  yield tarEnd
}

function* textMember(path: string, text: string): Generator<Uint8Array> {
  const bytes = Buffer.from(text)
  yield tarHeader(path, bytes.length, '644')
  yield bytes
  yield tarFill(bytes.length)
}

async function* fileMember(path: string, file: string): AsyncGenerator<Uint8Array> {
  const { size } = await stat(file)
  yield tarHeader(path, size, '644')
  yield* createReadStream(file) as AsyncIterable<Buffer>
  yield tarFill(size)
}

/** A file in an archive on disk. */
export interface ArchiveMember {
  readonly path: string
  /** Its place in the archive, in bytes. */
  readonly at: number
  readonly bytes: number
  /** Why it cannot be a history: it is a link or a device. null: it is a file. */
  readonly problem: string | null
}

/** The maximum number of headers of an archive that are read. */
const HEADERS_MAX = 500_000

/**
 * The files of a tar archive on disk, in order, without reading their content. It may be hostile: nothing is unpacked,
 * and names are only for showing. Rejects with ExpectedError 'usage' where the archive is damaged, cut off or too long;
 * the files before that place have been given.
 */
export async function* archiveMembers(archive: string): AsyncGenerator<ArchiveMember> {
  const unreadable = (error: unknown): never => {
    throw new ExpectedError('usage', 'file-unreadable', sentence(`The archive cannot be read: ${String(error)}`))
  }
  const file = await open(archive, 'r').catch(unreadable)
  try {
    const { size: length } = await file.stat()
    const header = Buffer.alloc(TAR_BLOCK)
    let at = 0
    for (let headers = 0; at < length; headers++) {
      if (headers >= HEADERS_MAX) throw bad('archive-too-many-files', `has more than ${HEADERS_MAX} files`)
      const { bytesRead } = await file.read(header, 0, TAR_BLOCK, at).catch(unreadable)
      if (bytesRead < TAR_BLOCK) throw bad('archive-cut-off', `is cut off at byte ${at}`)
      const read = readTarHeader(header)
      if (read === 'end') return
      if (read === null) throw bad('archive-damaged', `is damaged at byte ${at}`)
      const { path, size, type } = read
      at += TAR_BLOCK
      if (at + size > length) throw bad('archive-cut-off', `is cut off in ${JSON.stringify(path)}`)
      if (type === 'file') yield { path, at, bytes: size, problem: null }
      else if (type === 'other')
        yield { path, at, bytes: 0, problem: 'It is a link or a device, not a file; it was left out.' }
      at += Math.ceil(size / TAR_BLOCK) * TAR_BLOCK
    }
    throw bad('archive-cut-off', 'has no end')
  } finally {
    await file.close()
  }
}

/** The content of a member in pieces. */
export function memberPieces(archive: string, { at, bytes }: ArchiveMember): AsyncIterable<Uint8Array> {
  if (bytes === 0) return (async function* () {})()
  return createReadStream(archive, { start: at, end: at + bytes - 1 }) as AsyncIterable<Buffer>
}

/** True for a path of an archive or a folder under which a history is looked for. */
export function isHistoryName(path: string): boolean {
  return path.endsWith('.jsonl')
}

/** True if a file is a tar archive by its first bytes; a history begins with `{`. False if it cannot be read. */
export async function isArchive(path: string): Promise<boolean> {
  const header = await beginningOf(path, TAR_BLOCK)
  return header.length === TAR_BLOCK && header[0] !== 0x7b && header.toString('latin1', 257, 262) === 'ustar'
}

/** Why a file that should hold a history or the record of a case is neither, in a sentence, if it is a zip; null: it is not. */
export async function whyZip(path: string): Promise<string | null> {
  if ((await beginningOf(path, ZIP.length)).toString('latin1') !== ZIP) return null
  return `${path} is a zip file: "tartaglia dossier verify" checks a dossier, and any other has to be unpacked first.`
}

const ZIP = 'PK\u0003\u0004'

/** The first bytes of a regular file, fewer if it is shorter; none if it cannot be read. */
async function beginningOf(path: string, length: number): Promise<Buffer> {
  const nothing = Buffer.alloc(0)
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return nothing
  try {
    if (!(await file.stat()).isFile()) return nothing
    const header = Buffer.alloc(length)
    const { bytesRead } = await file.read(header, 0, length, 0)
    return header.subarray(0, bytesRead)
  } catch {
    return nothing
  } finally {
    await file.close()
  }
}

function bad(code: 'archive-cut-off' | 'archive-damaged' | 'archive-too-many-files', how: string): ExpectedError {
  return new ExpectedError('usage', code, `The archive ${how}.`)
}
