import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { openedSeed } from '../../histories/seed-commitment.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import { sourceName, type MatchSource } from '../../contract/histories/match-source.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { createExporter, type Exporter } from '../../histories/export.ts'
import type { SigningKey } from '../../histories/keys.ts'
import type { MatchPlace } from '../../histories/segments/match-place.ts'
import type { FinishedRow } from '../../histories/segments/finished-pages.ts'
import type { FinishedRows } from '../../histories/segments/finished-table.ts'
import type { LocatedMatch, MatchIndex } from './match-index.ts'
import type { MatchShelf } from './match-shelf.ts'
import type { OpenedFiles } from './opened-files.ts'
import { matchLocation } from './match-location.ts'
import type { SwingReader } from './swing-reader.ts'
import type { MatchReading } from './match-reader.ts'
import type { Verifier } from '../histories/verifications.ts'
import type { KeptVerdicts } from '../histories/kept-verdicts.ts'
import type { CommentStore } from '../histories/match-comments.ts'
import type { RecordedContests } from '../histories/verify-many.ts'

/** A contest's record, as far as it is needed here. */
interface Recorded {
  readonly finished: FinishedRows
}

/** The matches of an open classroom. */
export interface OpenMatches {
  readonly home: ClassFolder
  readonly contests: RecordedContests
  readonly opened: OpenedFiles
  readonly verifier: Verifier
  readonly shelf: MatchShelf
  /** Matches that are only scanned; they must not displace matches that people look at. */
  readonly passing: MatchShelf
  readonly swings: SwingReader
  readonly keptVerdicts: KeptVerdicts
  readonly comments: CommentStore
}

/** A finished match and its contest's record. Throws ExpectedError 'usage' if there is no such match. */
export async function finished(
  state: OpenMatches,
  contest: ContestId,
  match: MatchNumber,
): Promise<[Recorded, FinishedRow]> {
  state.contests.entry(contest)
  const record = await state.contests.record(contest)
  const run = record.finished.get(match)
  if (run !== undefined) return [record, run]
  throw new ExpectedError('usage', 'match-unknown', `Match ${match} of ${contest} is not finished or does not exist.`)
}

/** The place of a match on disk, and its name in messages. */
export async function locate(state: OpenMatches, source: MatchSource): Promise<LocatedMatch> {
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
export async function reading<T>(state: OpenMatches, source: MatchSource, read: () => Promise<T>): Promise<T> {
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
export async function headOf(state: OpenMatches, source: MatchSource): Promise<Sha256> {
  return reading(state, source, async () => (await indexOf(state, source)).head)
}

/** The index of a match that people look at. */
export async function indexOf(state: OpenMatches, source: MatchSource): Promise<MatchIndex> {
  return state.shelf.index(sourceName(source), await locate(state, source))
}

/** The reader of a match that people look at. */
export async function readingOf(state: OpenMatches, source: MatchSource): Promise<MatchReading> {
  return state.shelf.reading(sourceName(source), await locate(state, source))
}

/** An exporter of a contest's finished matches. `key`: signs their root; by default the class's. */
export function exporter(
  state: OpenMatches,
  contest: ContestId,
  { finished }: Recorded,
  key: SigningKey = state.home.key,
): Promise<Exporter> {
  return createExporter(
    { contest, dir: state.contests.folder(contest), finished, reveal: openedSeed(state.contests.entry(contest)) },
    key,
  )
}

/** The place of a finished match in its contest's segments. */
export function placeIn(state: OpenMatches, contest: ContestId, row: FinishedRow): MatchPlace {
  return matchLocation(state.contests.folder(contest), row)
}
