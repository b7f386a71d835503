import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSynced } from '../../administrator/classroom/synced-file.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import {
  COMMENTS_MAX,
  matchComments,
  type ListedComment,
  type MatchComment,
  type MatchComments,
  type NewComment,
} from '../../contract/histories/comments.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'

/** The folder of comments in a data folder: a file for each match that has any, named by the head of its chain. */
const FOLDER = 'comments'
/** The maximum number of matches with comments. */
const MATCHES_MAX = 10_000
/** The maximum of a file of comments in an archive; bytes. The largest that the class writes is smaller. */
export const COMMENT_FILE_BYTES = 1024 * 1024
/** The maximum of all comments that came with opened archives; characters of their texts. */
const BROUGHT_CHARACTERS_MAX = 8_000_000

/** Comments on matches by the heads of their chains. Methods reject with MachineError, and with ExpectedError as they say. */
export interface CommentStore {
  /** By event and line; those that came with an opened archive have `own` false. */
  list(head: Sha256): Promise<readonly ListedComment[]>
  /** Rejects with ExpectedError 'usage' `limit-reached`. */
  add(head: Sha256, comment: NewComment): Promise<void>
  /** Deletes a comment that the class keeps. No effect if somebody else has deleted it. */
  remove(head: Sha256, id: string): Promise<void>
  /** Shows the comments of an opened archive until the classroom is closed. Returns why they cannot be; null: they are. */
  bring(bytes: Uint8Array): string | null
}

/** `now`: ms since the epoch. */
export function createCommentStore(data: string, now: () => number = Date.now): CommentStore {
  const folder = join(data, FOLDER)
  const brought = new Map<Sha256, Map<string, MatchComment>>()
  let characters = 0
  let last: Promise<unknown> = Promise.resolve()

  /** Changes run one after the other. */
  function change(head: Sha256, edit: (comments: MatchComment[]) => readonly MatchComment[]): Promise<void> {
    const done = last.then(async () => {
      const comments = edit([...(await keptComments(data, head))])
      const path = fileOf(data, head)
      try {
        if (comments.length === 0) return await rm(path, { force: true })
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeSynced(path, textOf(head, comments))
      } catch (error) {
        throw machineErrorFrom(error, 'write the comments', path)
      }
    })
    last = done.catch(() => undefined)
    return done
  }

  return {
    async list(head) {
      const own = await keptComments(data, head)
      const others = [...(brought.get(head)?.values() ?? [])].filter(({ id }) => own.every((each) => each.id !== id))
      const all = [...own.map((each) => ({ ...each, own: true })), ...others.map((each) => ({ ...each, own: false }))]
      return all.sort((a, b) => a.event - b.event || a.line - b.line || a.written.localeCompare(b.written))
    },
    async add(head, comment) {
      const files = await namesIn(folder)
      await change(head, (comments) => {
        if (comments.length >= COMMENTS_MAX)
          throw full(`A match has at most ${COMMENTS_MAX} comments; delete one first.`)
        if (comments.length === 0 && files.length >= MATCHES_MAX)
          throw full(`At most ${MATCHES_MAX} matches may have comments; delete those of another first.`)
        return [...comments, { id: randomUUID(), ...comment, written: new Date(now()).toISOString() }]
      })
    },
    remove: (head, id) => change(head, (comments) => comments.filter((each) => each.id !== id)),
    bring(bytes) {
      const read = readComments(bytes)
      if (typeof read === 'string') return read
      const size = read.comments.reduce((sum, { text }) => sum + text.length, 0)
      if (characters + size > BROUGHT_CHARACTERS_MAX)
        return 'They were left out: there are too many comments in opened archives.'
      const known = brought.get(read.head) ?? new Map<string, MatchComment>()
      brought.set(read.head, known)
      for (const each of read.comments) {
        if (known.size >= COMMENTS_MAX || known.has(each.id)) continue
        known.set(each.id, each)
        characters += each.text.length
      }
      return null
    },
  }
}

/** Deletes the comments that the class keeps on matches that are deleted. Rejects with MachineError. */
export async function deleteComments(data: string, heads: ReadonlySet<Sha256>): Promise<void> {
  for (const name of await namesIn(join(data, FOLDER))) {
    const path = join(data, FOLDER, name)
    if (!heads.has(name.replace(/\.json$/, ''))) continue
    await rm(path, { force: true }).catch((error: unknown) => {
      throw machineErrorFrom(error, 'delete the comments', path)
    })
  }
}

/** True if the class keeps comments on any match. Rejects with MachineError. */
export async function hasComments(data: string): Promise<boolean> {
  return (await namesIn(join(data, FOLDER))).length > 0
}

/** The files of a folder that need not exist. Rejects with MachineError. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw machineErrorFrom(error, 'read the comments', folder)
  }
}

/** The comments of a match as a file of an archive; null: it has none. Rejects with MachineError. */
export async function exportedComments(data: string, head: Sha256): Promise<string | null> {
  const comments = await keptComments(data, head)
  return comments.length === 0 ? null : textOf(head, comments)
}

/** The path under which the comments on a history lie beside it. */
export function commentsPath(history: string): string {
  return history.replace(/\.jsonl$/, COMMENTS_ENDING)
}
const COMMENTS_ENDING = '.comments.json'

export function isCommentsName(path: string): boolean {
  return path.endsWith(COMMENTS_ENDING)
}

const fileOf = (data: string, head: Sha256): string => join(data, FOLDER, `${head}.json`)
const full = (message: string): ExpectedError => new ExpectedError('usage', 'limit-reached', message)

function textOf(head: Sha256, comments: readonly MatchComment[]): string {
  const file: MatchComments = { format: 'tartaglia-comments/1', head, comments: [...comments] }
  return `${JSON.stringify(file, null, 2)}\n`
}

async function keptComments(data: string, head: Sha256): Promise<readonly MatchComment[]> {
  const path = fileOf(data, head)
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw machineErrorFrom(error, 'read the comments', path)
  }
  const read = readComments(bytes)
  if (typeof read === 'string') throw new ExpectedError('usage', 'json-invalid', `${path}: ${read}`)
  return read.comments
}

/**
 * Comments, or why they cannot be read. They may be hostile and are read in the main process, so a file with more parts than comments
 * have is not parsed.
 */
function readComments(bytes: Uint8Array): MatchComments | string {
  if (bytes.length > COMMENT_FILE_BYTES) return `Comments on a match may have ${COMMENT_FILE_BYTES >> 20} MB.`
  if (partsOf(bytes) > PARTS_MAX) return `These are not comments on a match, or more than ${COMMENTS_MAX}.`
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return 'These are not comments on a match: it is not JSON in UTF-8.'
  }
  const read = matchComments.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = issue?.path.slice(0, 4).map(String).join('.') ?? ''
  return `These are not comments on a match: the field ${JSON.stringify(path.slice(0, 100))} is not valid.`
}

/** The maximum of `partsOf` comments on a match: less than twenty signs for each, and as many for the file. */
const PARTS_MAX = 20 * (COMMENTS_MAX + 1)

/** The number of brackets that open, colons and commas outside of strings in a JSON text. */
function partsOf(bytes: Uint8Array): number {
  let parts = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const sign = bytes[i]
    if (inString && sign === 0x5c) i++
    else if (sign === 0x22) inString = !inString
    else if (!inString && (sign === 0x5b || sign === 0x7b || sign === 0x3a || sign === 0x2c)) parts++
  }
  return parts
}
