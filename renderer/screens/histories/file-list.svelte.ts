import {
  LISTED_FILES_MAX,
  VERIFIED_AT_ONCE,
  type FileSummary,
  type UnpackedFile,
} from '../../../main/contract/histories/history-procedures.ts'
import type { HistoryVerdict } from '../../../main/contract/procedures/procedures.ts'
import { call } from '../../connection/client.ts'
import { asFailure } from '../../connection/resource.svelte.ts'
import { takeIn, type Upload } from '../../connection/upload.ts'
import { gameTitle } from '../../games.ts'
import type { GivenFile } from '../../parts/files/given-files.ts'
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
  return new OpenedFiles()
}

class OpenedFiles implements FileList {
  files = $state.raw<readonly ListedFile[]>([])
  leftOut = $state('')
  work = $state.raw<{ readonly text: string; readonly part: number } | null>(null)
  #last = 0
  /** Changes when the current work is stopped. */
  #stopped = 0
  readonly #uploads = new Set<Upload>()

  async add(given: readonly GivenFile[]): Promise<void> {
    const room = Math.max(0, LISTED_FILES_MAX - this.files.length)
    const taken = given.slice(0, room)
    if (given.length >= LISTED_FILES_MAX || taken.length < given.length)
      this.leftOut = `A list has at most ${LISTED_FILES_MAX} files; any others were left out.`
    const rows = taken.map(({ path }) => this.#row(path))
    this.files = [...this.files, ...rows]
    const own = this.#stopped
    let done = 0
    const queue = taken.map((each, at) => ({ each, id: rows[at]!.id }))
    const serve = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined && own === this.#stopped; next = queue.shift()) {
        const { each, id } = next
        this.work = { text: `Opening ${done + 1} of ${taken.length} files…`, part: done / taken.length }
        await this.#attempt(id, () => this.#open(id, each))
        done++
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, serve))
    if (own !== this.#stopped) return
    this.work = null
    await this.verify()
  }

  // Bound, as buttons call them alone.
  readonly verify = async (): Promise<void> => {
    const own = this.#stopped
    const waiting = this.files.filter((each) => each.file !== null && each.summary !== null && kindOf(each) !== 'good')
    for (let at = 0; at < waiting.length && own === this.#stopped; at += VERIFIED_AT_ONCE) {
      this.work = { text: `Verifying ${at + 1} of ${waiting.length} files…`, part: at / waiting.length }
      const some = waiting.slice(at, at + VERIFIED_AT_ONCE)
      try {
        const found = await call('histories.verifyFiles', { files: some.map(({ file }) => file!) })
        for (const [place, { verdict, message }] of found.entries()) this.#put(some[place]!.id, { verdict, message })
      } catch (reason) {
        for (const { id } of some) this.#put(id, { message: asFailure(reason).message })
      }
    }
    if (own === this.#stopped) this.work = null
  }

  readonly stop = (): void => {
    this.#stopped++
    this.work = null
    for (const upload of this.#uploads) upload.stop()
  }

  readonly close = (): void => {
    this.stop()
    this.files = []
    this.leftOut = ''
  }

  /** Opens one given file: a history, or an archive, whose files take its place. */
  async #open(id: number, { file: content, path }: GivenFile): Promise<void> {
    const upload = takeIn(content, () => undefined)
    this.#uploads.add(upload)
    try {
      const file = await upload.taken
      const unpacked = /\.tar$/i.test(path) ? await call('histories.unpack', { file }) : null
      if (unpacked === null) await this.#look(id, file)
      else await this.#replace(id, path, unpacked)
    } finally {
      this.#uploads.delete(upload)
    }
  }

  /** Puts the files of an archive in its place, and looks at each. */
  async #replace(id: number, path: string, unpacked: readonly UnpackedFile[]): Promise<void> {
    const own = this.#stopped
    const rows = unpacked.map(({ name, file, message }) => this.#row(`${path}/${name}`, { file, message }))
    this.files = this.files.flatMap((each) => (each.id === id ? rows : [each]))
    for (const each of rows) {
      if (own !== this.#stopped) return
      if (each.file !== null) await this.#attempt(each.id, () => this.#look(each.id, each.file!))
    }
  }

  async #look(id: number, file: string): Promise<void> {
    this.#put(id, { file, summary: await call('histories.look', { file }) })
  }

  async #attempt(id: number, how: () => Promise<void>): Promise<void> {
    try {
      await how()
    } catch (reason) {
      this.#put(id, { message: asFailure(reason).message })
    }
  }

  #put(id: number, now: Partial<ListedFile>): void {
    this.files = this.files.map((each) => (each.id === id ? { ...each, ...now } : each))
  }

  #row(name: string, now: Partial<ListedFile> = {}): ListedFile {
    return { id: ++this.#last, name, file: null, message: null, summary: null, verdict: null, ...now }
  }
}
