import { readFile } from 'node:fs/promises'
import { ExpectedError } from '../../contract/expected-error.ts'
import {
  LISTED_FILES_MAX,
  type FileSummary,
  type FileVerification,
  type UnpackedFile,
} from '../../contract/histories/history-procedures.ts'
import type { HistoryVerdict } from '../../contract/procedures/procedures.ts'
import { MachineError, machineErrorFrom } from '../../histories/machine-error.ts'
import { scoreInUnit } from '../game-facts.ts'
import {
  archiveMembers,
  isArchive,
  isHistoryName,
  memberPieces,
  type ArchiveMember,
} from '../histories/history-archive.ts'
import { COMMENT_FILE_BYTES, isCommentsName, type CommentStore } from '../histories/match-comments.ts'
import type { MatchIndex } from './match-index.ts'
import type { OpenedFiles } from './opened-files.ts'

/** The maximum size of all histories that are opened out of one archive. */
const UNPACKED_BYTES_MAX = 1024 * 1024 * 1024

/**
 * Opens the histories in an opened archive and shows comments on them; the archive is closed; null: the file is not an archive. Each file that is not opened
 * has a sentence, as has the place where a damaged archive ends. Rejects with MachineError.
 */
export async function unpackArchive(
  opened: OpenedFiles,
  comments: Pick<CommentStore, 'bring'>,
  file: string,
): Promise<readonly UnpackedFile[] | null> {
  const { path, whole } = opened.get(file)
  await whole
  if (!(await isArchive(path))) return null
  const found: UnpackedFile[] = []
  let [count, bytes] = [0, 0]
  try {
    for await (const member of archiveMembers(path)) {
      // The key proves nothing here: the maker of the archive has put it in.
      if (member.problem === null && !isHistoryName(member.path) && isCompanion(member.path)) continue
      if (member.problem === null && isCommentsName(member.path)) {
        const message = await commentsProblem(path, member, comments)
        if (message !== null && found.length < 2 * LISTED_FILES_MAX)
          found.push({ name: shownName(member.path), file: null, message })
        continue
      }
      const refusal = whyNotOpened(member, count, bytes + member.bytes)
      if (refusal !== null) {
        if (found.length < 2 * LISTED_FILES_MAX)
          found.push({ name: shownName(member.path), file: null, message: refusal })
        continue
      }
      count++
      bytes += member.bytes
      const name = shownName(member.path)
      found.push({ name, file: await opened.add(name, memberPieces(path, member)), message: null })
    }
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error
    found.push({ name: opened.get(file).name, file: null, message: `${error.message} What comes before it is listed.` })
  }
  await opened.drop(file)
  return found
}

/**
 * Shows the comments of an opened file, which lay beside a history in a folder; the file is closed. Returns why they cannot be shown;
 * null: they are. Rejects with MachineError.
 */
export async function bringComments(
  opened: OpenedFiles,
  comments: Pick<CommentStore, 'bring'>,
  file: string,
): Promise<string | null> {
  const { path, bytes, whole } = opened.get(file)
  await whole
  try {
    if (bytes > COMMENT_FILE_BYTES) return tooManyComments
    return comments.bring(await readFile(path))
  } catch (error) {
    throw machineErrorFrom(error, 'read the comments', path)
  } finally {
    await opened.drop(file)
  }
}

const tooManyComments = `It was left out: comments on a match may have ${COMMENT_FILE_BYTES >> 20} MB.`

/** Reads the comments on a history, which lie beside it. Returns why it cannot; null: it has. */
async function commentsProblem(
  archive: string,
  member: ArchiveMember,
  comments: Pick<CommentStore, 'bring'>,
): Promise<string | null> {
  if (member.bytes > COMMENT_FILE_BYTES) return tooManyComments
  const parts: Uint8Array[] = []
  for await (const piece of memberPieces(archive, member)) parts.push(piece)
  return comments.bring(Buffer.concat(parts))
}

/** Files that belong to an archive beside its histories. */
function isCompanion(path: string): boolean {
  return /(^|\/)(class\.pub|README[^/]*)$/.test(path)
}

function whyNotOpened({ path, problem }: ArchiveMember, count: number, bytes: number): string | null {
  if (problem !== null) return problem
  if (!isHistoryName(path)) return 'It is not a history: the name of a history ends with .jsonl.'
  if (count >= LISTED_FILES_MAX) return `It was left out: a list has at most ${LISTED_FILES_MAX} histories.`
  if (bytes > UNPACKED_BYTES_MAX)
    return `It was left out: the histories of an archive may have ${UNPACKED_BYTES_MAX >> 30} GB together.`
  return null
}

/** The last characters of a path, which distinguish its files. */
function shownName(path: string): string {
  return path === '' ? 'a file without a name' : path.slice(-255)
}

/** The facts of a match in a list. */
export function fileSummary({ header, outcome }: MatchIndex): FileSummary {
  const { game, contest, match, seats } = header
  const places = new Map(outcome.outcome.places.map((place) => [place.seat, place]))
  return {
    game,
    contest,
    match,
    seats: seats.slice(0, SEATS_LISTED).map(({ name }, seat) => {
      const place = places.get(seat)
      return {
        name,
        rank: place?.rank ?? 0,
        score: scoreInUnit(game, place?.score ?? 0),
        removed: place?.removed ?? false,
      }
    }),
  }
}

/** The number of seats of a match that a list names. */
const SEATS_LISTED = 32

/** Verifies files one after the other; each that cannot be verified has a sentence. Rejects with errors of the program. */
export async function verifyListed(
  files: readonly string[],
  verify: (file: string) => Promise<HistoryVerdict>,
): Promise<readonly FileVerification[]> {
  const found: FileVerification[] = []
  for (const file of files) {
    try {
      found.push({ file, verdict: await verify(file), message: null })
    } catch (error) {
      if (!(error instanceof ExpectedError || error instanceof MachineError)) throw error
      found.push({ file, verdict: null, message: error.message })
    }
  }
  return found
}
