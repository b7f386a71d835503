import { rm } from 'node:fs/promises'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { openedSeed } from '../../histories/seed-commitment.ts'
import { matchFacts } from '../../contract/histories/history.ts'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import type {
  HistoryFilter,
  HistoryVerdict,
  MatchDetail,
  MatchEvent,
  OutlinePage,
  Page,
  VerifiedMany,
} from '../../contract/procedures/procedures.ts'
import { sourceName, type MatchSource } from '../../contract/histories/match-source.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { createExporter, exportName, type Exporter } from '../../histories/export.ts'
import { keyText } from '../../histories/keys.ts'
import type { EventKind, MatchPlace } from '../../histories/segments/match-place.ts'
import type { FinishedRows } from '../../histories/segments/finished-table.ts'
import type { FinishedRow } from '../../histories/segments/finished-pages.ts'
import { verifyMatch as verifyBytes, type VerifyVerdict } from '../../histories/verify.ts'
import { eventPage } from './match-events.ts'
import type { LocatedMatch, MatchIndex } from './match-index.ts'
import { createMatchShelf } from './match-shelf.ts'
import { createOpenedFiles, type OpenedFile } from './opened-files.ts'
import { matchLocation } from './match-location.ts'
import type { MatchReading } from './match-reader.ts'
import { createTasks, type Following, type Tasks } from '../background-tasks.ts'
import { knownSigners } from '../histories/known-signers.ts'
import { verdictInWords } from '../histories/verdict-in-words.ts'
import { createVerifier } from '../histories/verifications.ts'
import { createKeptVerdicts } from '../histories/kept-verdicts.ts'
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
  /** All events of a kind that is rare: faults or console lines. Limited to the bytes of a page. */
  only(contest: ContestId, match: MatchNumber, kind: EventKind): Promise<readonly MatchEvent[]>
  readonly verifications: Tasks<MatchSource, HistoryVerdict>
  /** Verifications of all matches that a filter wants; one runs at a time. */
  readonly manyVerifications: Tasks<HistoryFilter, VerifiedMany>
  /** Whether a match of the class was found genuine; null: it was not verified, or has changed since. */
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
  const opened = createOpenedFiles()
  const verifier = createVerifier()
  const shelf = createMatchShelf(() => opened.scratch())
  /** Matches that are only scanned; they must not displace matches that people look at. */
  const passing = createMatchShelf(() => opened.scratch())

  const finished = async (contest: ContestId, match: MatchNumber): Promise<[Recorded, FinishedRow]> => {
    contests.entry(contest)
    const record = await contests.record(contest)
    const run = record.finished.get(match)
    if (run !== undefined) return [record, run]
    throw new ExpectedError('usage', 'match-unknown', `Match ${match} of ${contest} is not finished or does not exist.`)
  }

  const locate = async (source: MatchSource): Promise<LocatedMatch> => {
    if (source.from === 'file') {
      const { name, path, bytes, coming } = opened.get(source.file)
      const place = { run: null, stretches: [{ path, from: 0, to: bytes }] }
      return coming === null ? { place, name } : { place, name, coming }
    }
    const { contest, match } = source
    const [, run] = await finished(contest, match)
    return { place: matchLocation(contests.folder(contest), run), name: `Match ${match} of ${contest}` }
  }

  /** Reads a source. If a file changed while it was read in place, that is the error. */
  const reading = async <T>(source: MatchSource, read: () => Promise<T>): Promise<T> => {
    if (source.from !== 'file') return read()
    const file = opened.get(source.file)
    const [settled] = await Promise.allSettled([read()])
    try {
      await file.same()
    } catch (error) {
      await shelf.forget(source.file)
      throw error
    }
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }

  const indexOf = async (source: MatchSource): Promise<MatchIndex> =>
    shelf.index(sourceName(source), await locate(source))
  const readingOf = async (source: MatchSource): Promise<MatchReading> =>
    shelf.reading(sourceName(source), await locate(source))

  const exporter = (contest: ContestId, { finished }: Recorded): Promise<Exporter> =>
    createExporter(
      { contest, dir: contests.folder(contest), finished, reveal: openedSeed(contests.entry(contest)) },
      home.key,
    )

  /** The signer is looked up at each request, because the class may have come to trust its key meanwhile. */
  const inWords = (verdict: VerifyVerdict): HistoryVerdict =>
    verdictInWords(verdict, knownSigners(home.key.publicKey, home.content.settings.trustedKeys))

  const verifyFile = async (source: FileSource, following: Following): Promise<HistoryVerdict> => {
    const file = opened.get(source.file)
    // Only after the read is it certain what was verified.
    file.verdict ??= await reading(source, () => verifyOpened(file, following))
    return inWords(file.verdict)
  }

  const verifyOpened = async (file: OpenedFile, following: Following): Promise<VerifyVerdict> => {
    await Promise.race([file.whole, stopped(following.signal)])
    if (file.bytes === 0) return verifyBytes(new Uint8Array())
    return verifier.verify(file.path, null, following)
  }

  const keptVerdicts = createKeptVerdicts()
  const placeIn = (contest: ContestId, row: FinishedRow): MatchPlace => matchLocation(contests.folder(contest), row)

  /** Verifies a match as it would be exported, and keeps the verdict. */
  const verifyExported = async (
    contest: ContestId,
    row: FinishedRow,
    exports: Exporter,
    verify: (file: string) => Promise<VerifyVerdict>,
  ): Promise<HistoryVerdict> => {
    const file = await opened.scratch()
    const source = { from: 'contest', contest, match: row.match } as const
    try {
      return await keptVerdicts.following(sourceName(source), placeIn(contest, row), async () => {
        await exports.write(row.match, 'none', file)
        return inWords(await verify(file))
      })
    } finally {
      await rm(file, { force: true })
    }
  }

  const verifyMatch = async (contest: ContestId, match: MatchNumber, following: Following): Promise<HistoryVerdict> => {
    const [record, row] = await finished(contest, match)
    return verifyExported(contest, row, await exporter(contest, record), (file) =>
      verifier.verify(file, home.key.publicKey, following),
    )
  }

  const verifyWanted = async (filter: HistoryFilter, following: Following): Promise<VerifiedMany> => {
    const found = await wantedMatches(contests, home.content.contests.toReversed(), filter)
    const series = verifier.series()
    // Only the current contest's: an exporter holds its whole record, and matches come contest by contest.
    let current: { readonly id: ContestId; readonly exports: Exporter } | null = null
    const verify = async ({ contest: { id }, row }: WantedMatch): Promise<HistoryVerdict> => {
      if (current?.id !== id) current = { id, exports: await exporter(id, await contests.record(id)) }
      const { exports } = current
      const alone = { signal: following.signal, onPart: () => undefined }
      return verifyExported(id, row, exports, (file) => series.verify(file, home.key.publicKey, alone))
    }
    try {
      return await verifyMany(found, verify, following)
    } finally {
      series.close()
    }
  }

  const verifications = createTasks(
    sourceName,
    (source, following) =>
      source.from === 'file' ? verifyFile(source, following) : verifyMatch(source.contest, source.match, following),
    onVerification,
  )

  const manyVerifications = createTasks(
    () => '',
    verifyWanted,
    () => onVerification(null),
  )

  /**
   * Starts the index and the worker early, because a person who opens a file will look at it; errors are reported then.
   */
  const readAhead = (file: string): string => {
    readingOf({ from: 'file', file }).catch(() => undefined)
    return file
  }

  return {
    verifications,
    manyVerifications,
    genuine: (contest, row) =>
      keptVerdicts.get(sourceName({ from: 'contest', contest, match: row.match }), placeIn(contest, row)),
    async take(fileName, content, expected) {
      if (expected === undefined) return readAhead(await opened.add(fileName, content))
      try {
        return await opened.arrive(expected, content)
      } catch (error) {
        await shelf.forget(expected)
        throw error
      }
    },

    open: async (path) => readAhead(await opened.open(path)),
    expect: async (fileName, bytes, end) => readAhead(await opened.expect(fileName, bytes, end)),

    async detail(source) {
      const { header, config, outcome, most } = await reading(source, () => indexOf(source))
      const facts = matchFacts.strip().parse(header)
      const fileName = source.from === 'file' ? opened.get(source.file).name : null
      return { fileName, facts, config, seed: outcome.seed, outcome: outcome.outcome, events: most }
    },

    async events(source, page) {
      const { place } = await locate(source)
      return reading(source, async () => eventPage(place, await indexOf(source), null, page))
    },

    outline: (source, from) => reading(source, async () => (await readingOf(source)).outline(from)),
    state: (source, position) => reading(source, async () => (await readingOf(source)).state(position)),

    async only(contest, match, kind) {
      const source = { from: 'contest', contest, match } as const
      const located = await locate(source)
      const index = await passing.index(sourceName(source), located)
      await index.whole
      const chosen: number[] = []
      for (let event = 0; event < index.events; event++) if (index.kind(event) === kind) chosen.push(event)
      return (await eventPage(located.place, index, chosen, { offset: 0, limit: chosen.length })).items
    },

    async exported(contest, match) {
      const [record, run] = await finished(contest, match)
      let content = ''
      for await (const piece of (await exporter(contest, record)).pieces(match, 'none')) content += piece
      return { fileName: `${contest}-${exportName(run)}`, content, publicKey: keyText(home.key.publicKey) }
    },

    async close() {
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

/** Rejects when the signal aborts. */
function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new ExpectedError('stopped', 'stopped', 'The verification was stopped.'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
