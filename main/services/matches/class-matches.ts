import { rm } from 'node:fs/promises'
import { exportName } from '../../contract/histories/match-link.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { matchFacts } from '../../contract/histories/history.ts'
import type { ListedComment, NewComment } from '../../contract/histories/comments.ts'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import type {
  ArchiveWish,
  FileDifference,
  FileSummary,
  FileVerification,
  HistoryFilter,
  HistoryVerdict,
  MatchDetail,
  MatchEvent,
  OutlinePage,
  Page,
  UnpackedFile,
  VerifiedMany,
} from '../../contract/procedures/procedures.ts'
import { sourceName, type MatchSource } from '../../contract/histories/match-source.ts'
import { keyText } from '../../histories/keys.ts'
import type { EventKind } from '../../histories/segments/match-place.ts'
import type { FinishedRow } from '../../histories/segments/finished-pages.ts'
import { eventPage } from './match-events.ts'
import { indexMatch, type LocatedMatch, type MatchIndex } from './match-index.ts'
import { compareFiles } from './compare-files.ts'
import { fileSummary, bringComments, unpackArchive } from './listed-files.ts'
import { openMatchArchive, type ArchivedClass, type MatchArchive } from './match-archives.ts'
import { createMatchShelf } from './match-shelf.ts'
import { COPIES_BYTES_MAX, createOpenedFiles } from './opened-files.ts'
import { matchPage } from './match-page.ts'
import type { MatchReading } from './match-reader.ts'
import { createSwingReader } from './swing-reader.ts'
import { createTasks, type Tasks } from '../background-tasks.ts'
import { createVerifier } from '../histories/verifications.ts'
import { createKeptVerdicts } from '../histories/kept-verdicts.ts'
import { createCommentStore, exportedComments } from '../histories/match-comments.ts'
import type { RecordedContests } from '../histories/verify-many.ts'
import type { SwingOfMatch } from '../../worker/protocol.ts'
import {
  type OpenMatches,
  finished,
  locate,
  reading,
  headOf,
  indexOf,
  readingOf,
  exporter,
  placeIn,
} from './open-matches.ts'
import { alone, verifyFiles, verifyFile, verifyMatch, verifyWanted } from './match-verification.ts'

interface Paging {
  readonly offset: number
  readonly limit: number
}

/** The finished matches of an open classroom and of opened files, read from their histories. */
export interface Matches {
  detail(source: MatchSource): Promise<MatchDetail>
  events(source: MatchSource, page: Paging): Promise<Page<MatchEvent>>
  /** See the procedures of these names. */
  outline(source: MatchSource, from: number): Promise<OutlinePage>
  state(source: MatchSource, position: number): ReturnType<MatchReading['state']>
  /** Reads a match for another purpose. If a file changed while it was read in place, that is the error. */
  within<T>(source: MatchSource, read: (located: LocatedMatch, index: MatchIndex) => Promise<T>): Promise<T>
  /** The swings of a finished match that are among the largest up to their event, in order. It is replayed, and not kept. */
  swings(contest: ContestId, match: MatchNumber): Promise<readonly SwingOfMatch[]>
  /** All events of a kind that is rare: faults or console lines. Limited to the bytes of a page. */
  only(contest: ContestId, match: MatchNumber, kind: EventKind): Promise<readonly MatchEvent[]>
  readonly verifications: Tasks<MatchSource, HistoryVerdict>
  /** Verifications of all matches that a filter wants; one runs at a time. */
  readonly manyVerifications: Tasks<HistoryFilter, VerifiedMany>
  /** True if a match of the class was found genuine; null: it was not verified, or has changed since. */
  genuine(contest: ContestId, row: FinishedRow): Promise<boolean | null>
  /** Stores a copy of a history file; see OpenedFiles. `expected`: its handle if it was announced. */
  take(fileName: string, content: AsyncIterable<Uint8Array>, expected?: string): Promise<string>
  /** Opens a local history file in place; see OpenedFiles. Returns its handle. */
  open(path: string): Promise<string>
  /** Announces a history file that will be taken and starts reading it. Returns its handle. */
  expect(fileName: string, bytes: number, end: Uint8Array): Promise<string>
  exported(
    contest: ContestId,
    match: MatchNumber,
  ): Promise<{ readonly fileName: string; readonly content: string; readonly publicKey: string }>
  /** A page that shows the match without Tartaglia, with its verdict; see `matchPage`. */
  page(contest: ContestId, match: MatchNumber): Promise<{ readonly fileName: string; readonly content: string }>
  /** Exports a match, signed by the class, into a temporary file that is removed when `use` is done. Rejects like it. */
  withExport<T>(contest: ContestId, match: MatchNumber, use: (file: string) => Promise<T>): Promise<T>
  /** Reads an opened file that is not a history. If it changed while it was read in place, that is the error. */
  withFile<T>(file: string, use: (path: string, name: string) => Promise<T>): Promise<T>
  /** See `openMatchArchive`. */
  archive(wish: ArchiveWish): Promise<MatchArchive>
  /** Comments on matches, kept apart from histories: by the head of the match's chain. */
  readonly comments: {
    list(source: MatchSource): Promise<readonly ListedComment[]>
    add(source: MatchSource, comment: NewComment): Promise<void>
    remove(source: MatchSource, id: string): Promise<void>
  }
  /** See the procedures `histories.unpack`, `bringComments`, `look`, `compare` and `verifyFiles`. */
  unpack(file: string): Promise<readonly UnpackedFile[] | null>
  bringComments(file: string): Promise<string | null>
  look(file: string): Promise<FileSummary>
  compare(first: string, second: string): Promise<FileDifference>
  verifyFiles(files: readonly string[]): Promise<readonly FileVerification[]>
  close(): Promise<void>
}

/**
 * `onVerification`: called with the name of a source when its verification progresses or ends; null: that of many
 * matches.
 */
export function openMatches(
  home: ClassFolder,
  contests: RecordedContests,
  onVerification: (name: string | null) => void,
): Matches {
  const opened = createOpenedFiles(undefined, undefined, COPIES_BYTES_MAX)
  const state: OpenMatches = {
    home,
    contests,
    opened,
    verifier: createVerifier(),
    shelf: createMatchShelf(() => opened.scratch()),
    passing: createMatchShelf(() => opened.scratch()),
    swings: createSwingReader(),
    keptVerdicts: createKeptVerdicts(),
    comments: createCommentStore(home.folder),
  }
  const { shelf, passing, verifier } = state
  const archived: ArchivedClass = {
    key: home.key.publicKey,
    contests,
    entries: () => home.content.contests,
    exporter: async (contest) => exporter(state, contest, await contests.record(contest)),
    scratch: () => opened.scratch(),
    comments: (head) => exportedComments(home.folder, head),
  }
  const verifications = createTasks(
    sourceName,
    (source: MatchSource, following) =>
      source.from === 'file'
        ? verifyFile(state, source, following)
        : verifyMatch(state, source.contest, source.match, following),
    onVerification,
  )
  const manyVerifications = createTasks(
    () => '',
    (filter: HistoryFilter, following) => verifyWanted(state, filter, following),
    () => onVerification(null),
  )
  return {
    verifications,
    manyVerifications,
    genuine: (contest, row) =>
      state.keptVerdicts.get(sourceName({ from: 'contest', contest, match: row.match }), placeIn(state, contest, row)),
    async take(fileName, content, expected) {
      // Not read ahead: it is one of many files in a list, or so short that looking at it takes no time.
      if (expected === undefined) return opened.add(fileName, content)
      try {
        return await opened.arrive(expected, content)
      } catch (error) {
        await shelf.forget(expected)
        throw error
      }
    },
    open: async (path) => readAhead(state, await opened.open(path)),
    expect: async (fileName, bytes, end) => readAhead(state, await opened.expect(fileName, bytes, end)),
    async detail(source) {
      const { header, config, outcome, most } = await reading(state, source, () => indexOf(state, source))
      const facts = matchFacts.strip().parse(header)
      const fileName = source.from === 'file' ? opened.get(source.file).name : null
      return { fileName, facts, config, seed: outcome.seed, outcome: outcome.outcome, events: most }
    },
    async events(source, page) {
      const { place } = await locate(state, source)
      return reading(state, source, async () => eventPage(place, await indexOf(state, source), null, page))
    },
    outline: (source, from) => reading(state, source, async () => (await readingOf(state, source)).outline(from)),
    state: (source, position) => reading(state, source, async () => (await readingOf(state, source)).state(position)),
    within: (source, read) =>
      reading(state, source, async () => read(await locate(state, source), await indexOf(state, source))),
    swings: (contest, match) => swingsOf(state, contest, match),
    only: (contest, match, kind) => eventsOf(state, contest, match, kind),
    exported: (contest, match) => exported(state, contest, match),
    page: (contest, match) => pageOf(state, contest, match),
    withFile: (file, use) => withFile(state, file, use),
    withExport: (contest, match, use) => withExport(state, contest, match, use),
    async archive(wish) {
      // A folder that is only looked at may lack the private key: refused before the first piece is fetched.
      home.key.sign('')
      return openMatchArchive(archived, wish)
    },
    comments: {
      list: async (source) => state.comments.list(await headOf(state, source)),
      add: async (source, comment) => state.comments.add(await headOf(state, source), comment),
      remove: async (source, id) => state.comments.remove(await headOf(state, source), id),
    },
    unpack: (file) => unpackArchive(opened, state.comments, file),
    bringComments: (file) => bringComments(opened, state.comments, file),
    look: (file) => look(state, file),
    compare: (first, second) => compareFiles(opened.get(first), opened.get(second)),
    verifyFiles: (files) => verifyFiles(state, files),
    async close() {
      verifications.close()
      manyVerifications.close()
      verifier.close()
      state.swings.close()
      opened.abandon()
      await shelf.close()
      await passing.close()
      await opened.close()
    },
  }
}

/** Calls `use` with the place and the name of an opened file, once it is there as a whole. */
async function withFile<T>(
  state: OpenMatches,
  file: string,
  use: (path: string, name: string) => Promise<T>,
): Promise<T> {
  const { path, name, whole } = state.opened.get(file)
  await whole
  return reading(state, { from: 'file', file }, () => use(path, name))
}

/** Calls `use` with a temporary file of an exported match. */
async function withExport<T>(
  state: OpenMatches,
  contest: ContestId,
  match: MatchNumber,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const [record] = await finished(state, contest, match)
  const file = await state.opened.scratch()
  try {
    await (await exporter(state, contest, record)).write(match, 'none', file)
    return await use(file)
  } finally {
    await rm(file, { force: true })
  }
}

/** Its verification is not one that staff see and stop. */
async function pageOf(state: OpenMatches, contest: ContestId, match: MatchNumber): ReturnType<Matches['page']> {
  const verdict = await verifyMatch(state, contest, match, alone())
  const content = await withExport(state, contest, match, (file) =>
    matchPage({ file, verdict, scratch: () => state.opened.scratch() }),
  )
  return { fileName: `${contest}-${exportName({ match })}`.replace(/\.jsonl$/, '.html'), content }
}

/** The facts of an opened file, which need not be read to its end. */
async function look(state: OpenMatches, file: string): Promise<FileSummary> {
  const source = { from: 'file', file } as const
  await state.opened.get(file).whole
  return reading(state, source, async () =>
    fileSummary(await state.passing.index(sourceName(source), await locate(state, source))),
  )
}

/** All events of a kind. */
async function eventsOf(
  state: OpenMatches,
  contest: ContestId,
  match: MatchNumber,
  kind: EventKind,
): Promise<readonly MatchEvent[]> {
  const source = { from: 'contest', contest, match } as const
  const located = await locate(state, source)
  const index = await state.passing.index(sourceName(source), located)
  await index.whole
  const chosen: number[] = []
  for (let event = 0; event < index.events; event++) if (index.kind(event) === kind) chosen.push(event)
  return (await eventPage(located.place, index, chosen, { offset: 0, limit: chosen.length })).items
}

/** Swings that are among the largest of the match up to their event. */
async function swingsOf(state: OpenMatches, contest: ContestId, match: MatchNumber): Promise<readonly SwingOfMatch[]> {
  return state.swings.of(async () => {
    const located = await locate(state, { from: 'contest', contest, match })
    const { header, config, outcome } = await indexMatch(located)
    const { game, version, seats } = header
    return { place: located.place, grows: false, game, version, config, seats, seed: outcome.seed }
  })
}

async function exported(
  state: OpenMatches,
  contest: ContestId,
  match: MatchNumber,
): Promise<Awaited<ReturnType<Matches['exported']>>> {
  const [record, run] = await finished(state, contest, match)
  let content = ''
  for await (const piece of (await exporter(state, contest, record)).pieces(match, 'none')) content += piece
  return { fileName: `${contest}-${exportName(run)}`, content, publicKey: keyText(state.home.key.publicKey) }
}

/**
 * Starts the index and the worker early, because a person who opens a file will look at it; errors are reported then.
 */
function readAhead(state: OpenMatches, file: string): string {
  readingOf(state, { from: 'file', file }).catch(() => undefined)
  return file
}
