import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import {
  archiveMembers,
  isArchive,
  isHistoryName,
  memberPieces,
  whyZip,
  type ArchiveMember,
} from './history-archive.ts'

/** A history that was given as a file, in a folder or in an archive. */
export type GivenHistory = {
  /** The name for people: its path, or the archive's path and its path in there. */
  readonly name: string
} & ({ readonly path: string; readonly problem: null } | { readonly path: null; readonly problem: ExpectedError })

/** The maximum number of histories in one folder or archive. */
const HISTORIES_MAX = 100_000
const DEPTH_MAX = 16
/** The maximum size of a history in an archive. */
const MEMBER_BYTES_MAX = 1024 * 1024 * 1024

/**
 * The histories (`.jsonl`) behind paths: files as they are, those in folders and archives in order. Links in them are not
 * followed. A history in an archive is unpacked into a temporary file, which is there until the next one is asked for.
 */
export async function* givenHistories(paths: readonly string[]): AsyncGenerator<GivenHistory> {
  for (const path of paths) {
    const found = await stat(path).catch(() => null)
    if (found?.isDirectory() === true) yield* inFolder(path)
    else if (await isArchive(path)) yield* inArchive(path)
    else {
      const zip = await whyZip(path)
      yield zip === null ? { name: path, path, problem: null } : failed(path, 'file-unreadable', zip)
    }
  }
}

async function* inFolder(folder: string): AsyncGenerator<GivenHistory> {
  let count = 0
  for await (const path of historiesIn(folder, 1)) {
    if (++count > HISTORIES_MAX) {
      yield failed(folder, 'too-large', `${folder} has more than ${HISTORIES_MAX} histories; the others were left out.`)
      return
    }
    yield { name: path, path, problem: null }
  }
  if (count === 0)
    yield failed(folder, 'file-unreadable', `${folder} has no histories: no file in it ends with .jsonl.`)
}

async function* historiesIn(folder: string, depth: number): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw machineErrorFrom(error, 'read the folder', folder)
  })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth < DEPTH_MAX) yield* historiesIn(path, depth + 1)
    else if (entry.isFile() && isHistoryName(entry.name)) yield path
  }
}

async function* inArchive(archive: string): AsyncGenerator<GivenHistory> {
  const folder = await mkdtemp(join(tmpdir(), 'tartaglia-archive-'))
  let count = 0
  try {
    for await (const member of archiveMembers(archive)) {
      if (!isHistoryName(member.path)) continue
      const name = `${archive}/${member.path}`
      if (++count > HISTORIES_MAX) {
        yield failed(
          archive,
          'too-large',
          `${archive} has more than ${HISTORIES_MAX} histories; the others were left out.`,
        )
        return
      }
      if (member.problem !== null) yield failed(name, 'archive-link', `${name}: ${member.problem}`)
      else if (member.bytes > MEMBER_BYTES_MAX) yield failed(name, 'too-large', `${name} is larger than 1 GB.`)
      else yield { name, path: await unpacked(archive, member, join(folder, 'match.jsonl')), problem: null }
    }
    if (count === 0)
      yield failed(archive, 'file-unreadable', `${archive} has no histories: no file in it ends with .jsonl.`)
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error
    yield {
      name: archive,
      path: null,
      problem: new ExpectedError(error.kind, error.code, `${archive}: ${error.message}`, error.details),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function unpacked(archive: string, member: ArchiveMember, to: string): Promise<string> {
  await writeFile(to, memberPieces(archive, member)).catch((error: unknown) => {
    throw machineErrorFrom(error, 'write', to)
  })
  return to
}

function failed(name: string, code: 'too-large' | 'file-unreadable' | 'archive-link', message: string): GivenHistory {
  return { name, path: null, problem: new ExpectedError('usage', code, message) }
}
