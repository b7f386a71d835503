import {
  LISTED_FILES_MAX,
  VERIFIED_AT_ONCE,
  type FileSummary,
  type UnpackedFile,
} from '../../../main/contract/histories/history-procedures.ts'
import { publicKeyText } from '../../../main/contract/histories/trusted-keys.ts'
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

/** A file with a public key. */
export interface GivenKey {
  readonly name: string
  readonly key: string
}

/** The kinds of rows by which the list is filtered. */
export type FileKind = 'good' | 'weak' | 'bad' | 'failed' | 'unverified'

/** Several opened files: uploaded, looked at and verified, each for itself, so that a bad one does not hold up the others. */
export interface FileList {
  readonly files: readonly ListedFile[]
  /** A sentence about files that are not in the list; '': none. */
  readonly leftOut: string
  /** Public keys among the files. They prove nothing by themselves: the maker of the folder has put them in. */
  readonly keys: readonly GivenKey[]
  /** The work in progress and its done part, 0 to 1; null: none. */
  readonly work: { readonly text: string; readonly part: number } | null
  /**
   * Adds files and opens archives among them, then verifies those without a verdict. Comments are shown with their matches; keys and
   * read-me files get no row. Files that are given meanwhile have their turn afterwards.
   */
  add(given: readonly GivenFile[]): Promise<void>
  /** Stops what is being done; files that were not reached stay in the list. */
  stop(): void
  /** Verifies the files again that have no verdict of a known signer. */
  verify(): Promise<void>
  close(): void
}

/** Uploads at a time. */
const AT_ONCE = 3
/** A file with a public key has one line. */
const KEY_BYTES_MAX = 1_000

/** A given file and its row. */
interface Waiting {
  readonly file: GivenFile
  readonly id: number
}
/** How far the files that were given together are: those that are open, and the parts of those that are being opened. */
interface Opening {
  done: number
  readonly total: number
  readonly parts: Map<number, number>
}
/** Called with the progress of one file, 0 to 1, and words about an archive. */
type OnPart = (part: number, words?: string) => void

/** True if the files are opened as a list: several, or an archive. */
export function isList(given: readonly GivenFile[]): boolean {
  return given.length > 1 || given.some(({ path }) => isArchiveName(path) || isKeyName(path) || isCommentsName(path))
}

const isArchiveName = (path: string): boolean => /\.tar$/i.test(path)
const isKeyName = (path: string): boolean => /\.pub$/i.test(path)
const isCommentsName = (path: string): boolean => path.endsWith('.comments.json')
/** Files of an exported folder that say nothing about a match. */
const isReadMe = (path: string): boolean => /\/README[^/]*$/i.test(path)

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
  keys = $state.raw<readonly GivenKey[]>([])
  work = $state.raw<{ readonly text: string; readonly part: number } | null>(null)
  #last = 0
  /** The work on the files that were given last; those that come later wait for it. */
  #turn: Promise<void> = Promise.resolve()
  /** Changes when the current work is stopped. */
  #stopped = 0
  readonly #uploads = new Set<Upload>()

  async add(given: readonly GivenFile[]): Promise<void> {
    const own = this.#stopped
    const listed = given.filter(({ path }) => !isKeyName(path) && !isCommentsName(path) && !isReadMe(path))
    const taken = listed.slice(0, this.#room())
    if (taken.length < listed.length) this.#leaveOut()
    const rows = taken.map(({ path }) => this.#row(path))
    this.files = [...this.files, ...rows]
    const before = this.#turn
    this.#turn = this.#serve(
      before,
      own,
      taken.map((file, at) => ({ file, id: rows[at]!.id })),
      given,
    )
    await this.#turn
  }

  /** Opens and verifies the files that were given together, once those `before` are done. */
  async #serve(before: Promise<void>, own: number, taken: readonly Waiting[], given: readonly GivenFile[]) {
    await this.#addKeys(given.filter(({ path }) => isKeyName(path)))
    await before
    const opening = { done: 0, total: taken.length, parts: new Map<number, number>() }
    const queue = [...taken]
    const open = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined && own === this.#stopped; next = queue.shift()) {
        const { file, id } = next
        this.#tell(opening, id, 0)
        await this.#attempt(id, () => this.#open(id, file, (part, words) => this.#tell(opening, id, part, words)))
        opening.parts.delete(id)
        opening.done++
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, open))
    for (const each of given.filter(({ path }) => isCommentsName(path)))
      if (own === this.#stopped) await this.#bringComments(each)
    if (own === this.#stopped) await this.#verify(({ verdict }) => verdict === null)
  }

  /** Shows how far the opening is. `words`: about an archive. */
  #tell({ done, total, parts }: Opening, id: number, part: number, words = ''): void {
    parts.set(id, part)
    const sum = [...parts.values()].reduce((all, each) => all + each, done)
    const text = `Opening ${Math.min(done + 1, total)} of ${total} files…`
    this.work = { text: words === '' ? text : `${text} ${words}`, part: sum / total }
  }

  // Bound, as buttons call them alone.
  readonly verify = (): Promise<void> => this.#verify((each) => kindOf(each) !== 'good')

  async #verify(wanted: (file: ListedFile) => boolean): Promise<void> {
    const own = this.#stopped
    const waiting = this.files.filter((each) => each.file !== null && each.summary !== null && wanted(each))
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
    this.keys = []
    this.leftOut = ''
  }

  /** Opens one given file: a history, or an archive, whose files take its place. */
  async #open(id: number, { file: content, path }: GivenFile, onPart: OnPart): Promise<void> {
    const archive = isArchiveName(path)
    await this.#uploaded(
      content,
      (part) => onPart(archive ? part / 2 : part),
      async (file) => {
        const unpacked = archive ? await call('histories.unpack', { file }) : null
        if (unpacked === null) await this.#look(id, file)
        else await this.#replace(id, path, unpacked, onPart)
      },
    )
  }

  /** Uploads a file and works with its handle; `stop` ends the upload. */
  async #uploaded<T>(content: File, onPart: (part: number) => void, work: (file: string) => Promise<T>): Promise<T> {
    const upload = takeIn(content, onPart)
    this.#uploads.add(upload)
    try {
      return await work(await upload.taken)
    } finally {
      this.#uploads.delete(upload)
    }
  }

  /** Puts the files of an archive in its place, and looks at each. */
  async #replace(id: number, path: string, unpacked: readonly UnpackedFile[], onPart: OnPart): Promise<void> {
    const own = this.#stopped
    // The archive gives its own place away.
    const taken = unpacked.slice(0, this.#room() + 1)
    if (taken.length < unpacked.length) this.#leaveOut()
    const rows = taken.map(({ name, file, message }) => this.#row(`${path}/${name}`, { file, message }))
    this.files = this.files.flatMap((each) => (each.id === id ? rows : [each]))
    for (const [at, each] of rows.entries()) {
      if (own !== this.#stopped) return
      onPart(0.5 + at / rows.length / 2, `${path}: ${at + 1} of ${rows.length} files`)
      if (each.file !== null) await this.#attempt(each.id, () => this.#look(each.id, each.file!))
    }
  }

  /** A file of comments gets a row only if it cannot be shown. */
  async #bringComments({ file: content, path }: GivenFile): Promise<void> {
    const bring = (file: string): Promise<string | null> => call('histories.bringComments', { file })
    const message = await this.#uploaded(content, () => undefined, bring).catch(
      (reason: unknown) => asFailure(reason).message,
    )
    if (message !== null) this.files = [...this.files, this.#row(path, { message })]
  }

  async #addKeys(files: readonly GivenFile[]): Promise<void> {
    for (const { file, path } of files) {
      const text = file.size > KEY_BYTES_MAX ? '' : (await file.text().catch(() => '')).trim()
      if (!publicKeyText.safeParse(text).success)
        this.files = [...this.files, this.#row(path, { message: 'It is neither a history nor a public key.' })]
      else if (this.keys.every(({ key }) => key !== text)) this.keys = [...this.keys, { name: path, key: text }]
    }
  }

  #room(): number {
    return Math.max(0, LISTED_FILES_MAX - this.files.length)
  }
  #leaveOut(): void {
    this.leftOut = `A list has at most ${LISTED_FILES_MAX} files; the others were left out.`
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
