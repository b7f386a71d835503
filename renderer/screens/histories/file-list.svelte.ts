import {
  LISTED_FILES_MAX,
  VERIFIED_AT_ONCE,
  type FileSummary,
} from '../../../main/contract/histories/history-procedures.ts'
import type { HistoryVerdict } from '../../../main/contract/procedures/procedures.ts'
import { call } from '../../connection/client.ts'
import { asFailure } from '../../connection/resource.svelte.ts'
import { takeIn, type Upload } from '../../connection/upload.ts'
import { gameTitle } from '../../games.ts'
import type { GivenFile } from '../../parts/given-files.ts'
import { verdictWords } from './verdict-words.ts'

/** A file in the list of opened files. */
export interface ListedFile {
  readonly id: number
  readonly name: string
  /** Its handle; null: it is not open. */
  readonly file: string | null
  /** Why it cannot be opened, read or verified; null: it can. */
  readonly message: string | null
  /** null: not known yet. */
  readonly summary: FileSummary | null
  readonly verdict: HistoryVerdict | null
}

/** The kinds of rows by which the list is filtered. */
export type FileKind = 'good' | 'weak' | 'bad' | 'failed' | 'unverified'

/** Several opened files: uploaded, looked at and verified, each for itself, so that a bad one does not hold up the others. */
export interface FileList {
  readonly files: readonly ListedFile[]
  /** A sentence about files that are not in the list; '': none. */
  readonly leftOut: string
  /** The work in progress and its done part, 0 to 1; null: none. */
  readonly work: { readonly text: string; readonly part: number } | null
  /** Adds files and opens archives among them, then verifies all. */
  add(given: readonly GivenFile[]): Promise<void>
  /** Stops what is being done; files that were not reached stay in the list. */
  stop(): void
  /** Verifies the files again that have no verdict of a known signer. */
  verify(): Promise<void>
  close(): void
}

/** Uploads at a time. */
const AT_ONCE = 3

/** True if the files are opened as a list: several, or an archive. */
export function isList(given: readonly GivenFile[]): boolean {
  return given.length > 1 || given.some(({ file }) => /\.tar$/i.test(file.name))
}

export function kindOf({ message, verdict }: ListedFile): FileKind {
  if (verdict !== null) return verdictWords(verdict).tone
  return message === null ? 'unverified' : 'failed'
}

/** The files that contain a text, in their names, contests or players, and are of a kind; '': any. */
export function filesWanted(files: readonly ListedFile[], text: string, kind: FileKind | ''): readonly ListedFile[] {
  const wanted = text.trim().toLowerCase()
  return files.filter((each) => {
    if (kind !== '' && kindOf(each) !== kind) return false
    const { summary } = each
    const players = summary?.seats.map(({ name }) => name) ?? []
    const texts = [each.name, ...(summary === null ? [] : [summary.contest, gameTitle(summary.game)]), ...players]
    return texts.some((one) => one.toLowerCase().includes(wanted))
  })
}

export function createFileList(): FileList {
  let files = $state.raw<readonly ListedFile[]>([])
  let leftOut = $state('')
  let work = $state.raw<{ readonly text: string; readonly part: number } | null>(null)
  let last = 0
  /** Changes when the current work is stopped. */
  let stopped = 0
  const uploads = new Set<Upload>()

  const put = (id: number, now: Partial<ListedFile>): void => {
    files = files.map((each) => (each.id === id ? { ...each, ...now } : each))
  }
  const row = (name: string, now: Partial<ListedFile> = {}): ListedFile => {
    return { id: ++last, name, file: null, message: null, summary: null, verdict: null, ...now }
  }

  async function look(id: number, file: string): Promise<void> {
    put(id, { file, summary: await call('histories.look', { file }) })
  }

  /** Opens one given file: a history, or an archive, whose files take its place. */
  async function open(id: number, { file: content, path }: GivenFile): Promise<void> {
    const upload = takeIn(content, () => undefined)
    uploads.add(upload)
    try {
      const file = await upload.taken
      const unpacked = /\.tar$/i.test(path) ? await call('histories.unpack', { file }) : null
      if (unpacked === null) {
        await look(id, file)
        return
      }
      const own = stopped
      const rows = unpacked.map((each) => row(`${path}/${each.name}`, { file: each.file, message: each.message }))
      files = files.flatMap((each) => (each.id === id ? rows : [each]))
      for (const each of rows) {
        if (own !== stopped) return
        if (each.file !== null) await attempt(each.id, () => look(each.id, each.file!))
      }
    } finally {
      uploads.delete(upload)
    }
  }
  async function attempt(id: number, how: () => Promise<void>): Promise<void> {
    try {
      await how()
    } catch (reason) {
      put(id, { message: asFailure(reason).message })
    }
  }

  async function add(given: readonly GivenFile[]): Promise<void> {
    const room = Math.max(0, LISTED_FILES_MAX - files.length)
    const taken = given.slice(0, room)
    if (given.length >= LISTED_FILES_MAX || taken.length < given.length)
      leftOut = `A list has at most ${LISTED_FILES_MAX} files; any others were left out.`
    const rows = taken.map(({ path }) => row(path))
    files = [...files, ...rows]
    const own = stopped
    let done = 0
    const queue = taken.map((each, at) => ({ each, id: rows[at]!.id }))
    const serve = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined && own === stopped; next = queue.shift()) {
        const { each, id } = next
        work = { text: `Opening ${done + 1} of ${taken.length} files…`, part: done / taken.length }
        await attempt(id, () => open(id, each))
        done++
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, serve))
    if (own !== stopped) return
    work = null
    await verify()
  }

  async function verify(): Promise<void> {
    const own = stopped
    const waiting = files.filter((each) => each.file !== null && each.summary !== null && kindOf(each) !== 'good')
    for (let at = 0; at < waiting.length && own === stopped; at += VERIFIED_AT_ONCE) {
      work = { text: `Verifying ${at + 1} of ${waiting.length} files…`, part: at / waiting.length }
      const some = waiting.slice(at, at + VERIFIED_AT_ONCE)
      try {
        const found = await call('histories.verifyFiles', { files: some.map(({ file }) => file!) })
        for (const [place, { verdict, message }] of found.entries()) put(some[place]!.id, { verdict, message })
      } catch (reason) {
        for (const { id } of some) put(id, { message: asFailure(reason).message })
      }
    }
    if (own === stopped) work = null
  }

  function stop(): void {
    stopped++
    work = null
    for (const upload of uploads) upload.stop()
  }

  return {
    get files() {
      return files
    },
    get leftOut() {
      return leftOut
    },
    get work() {
      return work
    },
    add,
    stop,
    verify,
    close() {
      stop()
      files = []
      leftOut = ''
    },
  }
}
