import { exportName } from '../../contract/histories/match-link.ts'
import { rm } from 'node:fs/promises'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { openedSeed } from '../../histories/seed-commitment.ts'
import { matchFacts } from '../../contract/histories/history.ts'
import type { ListedComment, NewComment } from '../../contract/histories/comments.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import type {
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
import { ExpectedError } from '../../contract/expected-error.ts'
import { createExporter, type Exporter } from '../../histories/export.ts'
import { keyText } from '../../histories/keys.ts'
import type { EventKind, MatchPlace } from '../../histories/segments/match-place.ts'
import type { FinishedRow } from '../../histories/segments/finished-pages.ts'
import type { FinishedRows } from '../../histories/segments/finished-table.ts'
import { verifyMatch as verifyBytes, type VerifyVerdict } from '../../histories/verify.ts'
import { eventPage } from './match-events.ts'
import type { LocatedMatch, MatchIndex } from './match-index.ts'
import { compareFiles } from './compare-files.ts'
import { fileSummary, bringComments, unpackArchive, verifyListed } from './listed-files.ts'
import { createMatchArchives, type MatchArchives } from './match-archives.ts'
import { createMatchShelf, type MatchShelf } from './match-shelf.ts'
import { COPIES_BYTES_MAX, createOpenedFiles, type OpenedFile, type OpenedFiles } from './opened-files.ts'
import { matchLocation } from './match-location.ts'
import type { MatchReading } from './match-reader.ts'
import { createTasks, type Following, type Tasks } from '../background-tasks.ts'
import { knownSigners } from '../histories/known-signers.ts'
import { verdictInWords } from '../histories/verify-histories.ts'
import { createVerifier, type Series, type Verifier } from '../histories/verifications.ts'
import { createKeptVerdicts, type KeptVerdicts } from '../histories/kept-verdicts.ts'
import { createCommentStore, exportedComments, type CommentStore } from '../histories/match-comments.ts'
import { verifyMany, wantedMatches, type RecordedContests, type WantedMatch } from '../histories/verify-many.ts'

type FileSource = MatchSource & { readonly from: 'file' }

/** A contest's record, as far as it is needed here. */
interface Recorded {
  readonly finished: FinishedRows
}

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
  /** Exports of many matches as one archive. */
  readonly archives: MatchArchives
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

/** The matches of an open classroom. */
interface OpenMatches {
  readonly home: ClassFolder
  readonly contests: RecordedContests
  readonly opened: OpenedFiles
  readonly verifier: Verifier
  readonly shelf: MatchShelf
  /** Matches that are only scanned; they must not displace matches that people look at. */
  readonly passing: MatchShelf
  readonly keptVerdicts: KeptVerdicts
  readonly comments: CommentStore
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
    keptVerdicts: createKeptVerdicts(),
    comments: createCommentStore(home.folder),
  }
  const { shelf, passing, verifier } = state
  const archives = createMatchArchives({
    key: home.key.publicKey,
    contests,
    entries: () => home.content.contests,
    exporter: async (contest) => exporter(state, contest, await contests.record(contest)),
    scratch: () => opened.scratch(),
    comments: (head) => exportedComments(home.folder, head),
  })
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
    only: (contest, match, kind) => eventsOf(state, contest, match, kind),
    exported: (contest, match) => exported(state, contest, match),
    archives,
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
      await archives.close()
      verifications.close()
      manyVerifications.close()
      verifier.close()
      opened.abandon()
      await shelf.close()
      await passing.close()
      await opened.close()
    },
  }
}

/** The facts of an opened file, which need not be read to its end. */
async function look(state: OpenMatches, file: string): Promise<FileSummary> {
  const source = { from: 'file', file } as const
  await state.opened.get(file).whole
  return reading(state, source, async () =>
    fileSummary(await state.passing.index(sourceName(source), await locate(state, source))),
  )
}

/** Verifies opened files in one process, and keeps the verdicts. */
async function verifyFiles(state: OpenMatches, files: readonly string[]): Promise<readonly FileVerification[]> {
  const series = state.verifier.series()
  try {
    return await verifyListed(files, (file) => verifyFile(state, { from: 'file', file }, alone(), series))
  } finally {
    series.close()
  }
}

/** For a verification that nobody follows. */
function alone(signal = new AbortController().signal): Following {
  return { signal, onPart: () => undefined }
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

async function finished(state: OpenMatches, contest: ContestId, match: MatchNumber): Promise<[Recorded, FinishedRow]> {
  state.contests.entry(contest)
  const record = await state.contests.record(contest)
  const run = record.finished.get(match)
  if (run !== undefined) return [record, run]
  throw new ExpectedError('usage', 'match-unknown', `Match ${match} of ${contest} is not finished or does not exist.`)
}

async function locate(state: OpenMatches, source: MatchSource): Promise<LocatedMatch> {
  if (source.from === 'file') {
    const { name, path, bytes, coming } = state.opened.get(source.file)
    const place = { run: null, stretches: [{ path, from: 0, to: bytes }] }
    return coming === null ? { place, name } : { place, name, coming }
  }
  const { contest, match } = source
  const [, run] = await finished(state, contest, match)
  return { place: matchLocation(state.contests.folder(contest), run), name: `Match ${match} of ${contest}` }
}

/** Reads a source. If a file changed while it was read in place, that is the error. */
async function reading<T>(state: OpenMatches, source: MatchSource, read: () => Promise<T>): Promise<T> {
  if (source.from !== 'file') return read()
  const file = state.opened.get(source.file)
  const [settled] = await Promise.allSettled([read()])
  try {
    await file.same()
  } catch (error) {
    await state.shelf.forget(source.file)
    throw error
  }
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/** The last hash of a match's chain. If an opened file was not verified, it is only the file's claim. */
async function headOf(state: OpenMatches, source: MatchSource): Promise<Sha256> {
  return reading(state, source, async () => (await indexOf(state, source)).head)
}

async function indexOf(state: OpenMatches, source: MatchSource): Promise<MatchIndex> {
  return state.shelf.index(sourceName(source), await locate(state, source))
}

async function readingOf(state: OpenMatches, source: MatchSource): Promise<MatchReading> {
  return state.shelf.reading(sourceName(source), await locate(state, source))
}

function exporter(state: OpenMatches, contest: ContestId, { finished }: Recorded): Promise<Exporter> {
  return createExporter(
    { contest, dir: state.contests.folder(contest), finished, reveal: openedSeed(state.contests.entry(contest)) },
    state.home.key,
  )
}

/** The signer is looked up at each request, because the class may have come to trust its key meanwhile. */
function inWords(state: OpenMatches, verdict: VerifyVerdict): HistoryVerdict {
  return verdictInWords(verdict, knownSigners(state.home.key.publicKey, state.home.content.settings.trustedKeys))
}

async function verifyFile(
  state: OpenMatches,
  source: FileSource,
  following: Following,
  verifier: Pick<Series, 'verify'> = state.verifier,
): Promise<HistoryVerdict> {
  const file = state.opened.get(source.file)
  // Only after the read is it certain what was verified.
  file.verdict ??= await reading(state, source, () => verifyOpened(verifier, file, following))
  return inWords(state, file.verdict)
}

async function verifyOpened(
  verifier: Pick<Series, 'verify'>,
  file: OpenedFile,
  following: Following,
): Promise<VerifyVerdict> {
  await Promise.race([file.whole, stopped(following.signal)])
  if (file.bytes === 0) return verifyBytes(new Uint8Array())
  return verifier.verify(file.path, null, following)
}

function placeIn(state: OpenMatches, contest: ContestId, row: FinishedRow): MatchPlace {
  return matchLocation(state.contests.folder(contest), row)
}

/** Verifies a match as it would be exported, and keeps the verdict. */
async function verifyExported(
  state: OpenMatches,
  contest: ContestId,
  row: FinishedRow,
  exports: Exporter,
  verify: (file: string) => Promise<VerifyVerdict>,
): Promise<HistoryVerdict> {
  const file = await state.opened.scratch()
  const source = { from: 'contest', contest, match: row.match } as const
  try {
    return await state.keptVerdicts.following(sourceName(source), placeIn(state, contest, row), async () => {
      await exports.write(row.match, 'none', file)
      return inWords(state, await verify(file))
    })
  } finally {
    await rm(file, { force: true })
  }
}

async function verifyMatch(
  state: OpenMatches,
  contest: ContestId,
  match: MatchNumber,
  following: Following,
): Promise<HistoryVerdict> {
  const [record, row] = await finished(state, contest, match)
  return verifyExported(state, contest, row, await exporter(state, contest, record), (file) =>
    state.verifier.verify(file, state.home.key.publicKey, following),
  )
}

async function verifyWanted(state: OpenMatches, filter: HistoryFilter, following: Following): Promise<VerifiedMany> {
  const found = await wantedMatches(state.contests, state.home.content.contests.toReversed(), filter)
  const series = state.verifier.series()
  // Only the current contest's: an exporter holds its whole record, and matches come contest by contest.
  let current: { readonly id: ContestId; readonly exports: Exporter } | null = null
  const verify = async ({ contest: { id }, row }: WantedMatch): Promise<HistoryVerdict> => {
    if (current?.id !== id) current = { id, exports: await exporter(state, id, await state.contests.record(id)) }
    const { exports } = current
    const unseen = alone(following.signal)
    return verifyExported(state, id, row, exports, (file) => series.verify(file, state.home.key.publicKey, unseen))
  }
  try {
    return await verifyMany(found, verify, following)
  } finally {
    series.close()
  }
}

/**
 * Starts the index and the worker early, because a person who opens a file will look at it; errors are reported then.
 */
function readAhead(state: OpenMatches, file: string): string {
  readingOf(state, { from: 'file', file }).catch(() => undefined)
  return file
}

/** Rejects when the signal aborts. */
function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new ExpectedError('stopped', 'stopped', 'The verification was stopped.'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
