import { exportName } from '../../contract/histories/match-link.ts'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { passingFolder } from '../../administrator/classroom/scratch.ts'
import { openedSeed } from '../../histories/seed-commitment.ts'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { HistoryFilter } from '../../contract/procedures/procedures.ts'
import { writeFileDurably } from '../../histories/durable.ts'
import { createExporter, type Consoles, type ExportSource } from '../../histories/export.ts'
import { readKeys } from '../../histories/key-files.ts'
import { keyText, type SigningKey } from '../../histories/keys.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { KEY_FILE, openExportFolder } from '../files/export-folder.ts'
import { checkNewFile } from '../files/output-file.ts'
import { existingClass } from '../machine/existing-class.ts'
import { exportedComments } from './match-comments.ts'
import { archivePieces, type ArchivedMatch } from './history-archive.ts'
import { scanHistories } from './list-histories.ts'
import { wantedMatches } from './verify-many.ts'
import { renamed } from '../../histories/put-in-place.ts'

/**
 * The maximum number of files in the list of exported matches; a complete list could be too long for programs that read
 * it.
 */
export const LISTED_MAX = 100_000

/** The result of an export. */
export interface ExportedMatches {
  readonly count: number
  /** The files of the first `LISTED_MAX` matches. */
  readonly files: ReadonlyMap<MatchNumber, string>
}

/**
 * Writes finished matches as separate files into a folder, with the public key. `matches`: all if absent. Replaces
 * files of the same contest. Throws before anything is written: ExpectedError 'usage' if a match is not finished,
 * 'conflict' if a file of another contest is in the way, and MachineError.
 */
export async function writeExports(
  source: ExportSource,
  key: SigningKey,
  to: string,
  consoles: Consoles,
  matches?: readonly MatchNumber[],
): Promise<ExportedMatches> {
  const missing = matches?.find((match) => !source.finished.has(match))
  if (missing !== undefined) throw unfinished(source.contest, missing)
  const wanted = matches === undefined ? source.finished : new Set(matches)
  const owner = { contest: source.contest, key: key.publicKey }
  const target = openExportFolder(to, owner, (match) => wanted.has(match))
  const exporter = await createExporter(source, key)
  const files = new Map<MatchNumber, string>()
  let count = 0
  for (const match of matches ?? source.finished.keys()) {
    const file = join(target, exportName({ match }))
    await exporter.write(match, consoles, file)
    count++
    if (files.size < LISTED_MAX) files.set(match, file)
  }
  const keyFile = join(target, KEY_FILE)
  try {
    // The file is replaced, not overwritten, because the name may be a link that somebody planted.
    writeFileDurably(keyFile, `${keyText(key.publicKey)}\n`, 0o644)
  } catch (error) {
    throw machineErrorFrom(error, 'write', keyFile)
  }
  return { count, files }
}

export interface ExportOptions {
  /** The data folder, which is only read; a contest may be running in it. */
  readonly data: string
  readonly contest: ContestId
  /** All finished matches if absent. */
  readonly matches?: readonly MatchNumber[]
  /** The folder for the exported files. */
  readonly to: string
}

/** Exports matches of a contest in a data folder. Throws ExpectedError and MachineError. */
export async function exportContest(options: ExportOptions): Promise<ExportedMatches> {
  const { data, contest, to } = options
  const scan = await scanHistories(data, contest)
  const entry = (await existingClass(data)).contests.find(({ id }) => id === contest)
  const reveal = entry === undefined ? undefined : openedSeed(entry)
  return writeExports({ ...scan, reveal }, readKeys(join(data, 'keys')), to, 'none', options.matches)
}

/** The matches of a data folder that go into an archive. */
export interface ArchiveOptions {
  /** The data folder, which is only read; a contest may be running in it. */
  readonly data: string
  /** A contest or a recording; absent: all contests that `filter` wants. */
  readonly contest?: ContestId
  /** Matches of the contest; absent: all that `filter` wants. */
  readonly matches?: readonly MatchNumber[]
  readonly filter: HistoryFilter
  /** The archive to write; it must not exist. */
  readonly archive: string
}

/** The result of an export as an archive. `leftOut`: a sentence for each contest whose histories are damaged. */
export interface WrittenArchive {
  readonly count: number
  readonly bytes: number
  readonly leftOut: readonly string[]
}

/**
 * Exports matches as one archive, with the public key of the class. Throws ExpectedError 'usage' if no match is wanted or one is
 * not finished, 'conflict' if the file exists, and MachineError; nothing is left of the file then.
 */
export async function exportArchive(options: ArchiveOptions): Promise<WrittenArchive> {
  const { data, archive } = options
  checkNewFile(archive)
  const folder = passingFolder('export')
  const temporary = `${archive}.${process.pid}.tmp`
  try {
    const key = readKeys(join(data, 'keys'))
    const { matches, leftOut, scanOf } = await chosenMatches(options)
    let count = 0
    const pieces = archivePieces(
      matches,
      {
        key: key.publicKey,
        exporter: async (contest) => createExporter(await scanOf(contest), key),
        scratch: async () => join(folder, 'match.jsonl'),
        comments: (head) => exportedComments(data, head),
      },
      () => count++,
    )
    await writeFile(temporary, pieces, { flag: 'wx' }).catch((error: unknown) => {
      throw error instanceof ExpectedError ? error : machineErrorFrom(error, 'write', archive)
    })
    const { size: bytes } = await stat(temporary)
    await renamed(temporary, archive)
    return { count, bytes, leftOut }
  } finally {
    await rm(temporary, { force: true })
    await rm(folder, { recursive: true, force: true })
  }
}

/** The matches that the options want, and the histories of their contests. */
async function chosenMatches({ data, contest, matches, filter }: ArchiveOptions): Promise<{
  readonly matches: AsyncIterable<ArchivedMatch> | Iterable<ArchivedMatch>
  readonly leftOut: readonly string[]
  readonly scanOf: (contest: ContestId) => Promise<ExportSource>
}> {
  const { contests } = await existingClass(data)
  const scan = async (id: ContestId): Promise<ExportSource> => {
    const entry = contests.find((each) => each.id === id)
    return { ...(await scanHistories(data, id)), reveal: entry === undefined ? undefined : openedSeed(entry) }
  }
  const scans = new Map<ContestId, Promise<ExportSource>>()
  const scanOf = (id: ContestId): Promise<ExportSource> => {
    const known = scans.get(id) ?? scan(id)
    scans.set(id, known)
    return known
  }
  const entries = contests.filter(({ id }) => contest === undefined || id === contest)
  if (contest !== undefined && (matches !== undefined || entries.length === 0)) {
    const { finished } = await scanOf(contest)
    if (isFiltered(filter)) throw unfiltered(contest)
    const missing = matches?.find((match) => !finished.has(match))
    if (missing !== undefined) throw unfinished(contest, missing)
    const numbers = matches?.toSorted((a, b) => a - b) ?? [...finished.keys()]
    return { matches: numbers.map((match) => ({ contest, match })), leftOut: [], scanOf }
  }
  const found = await wantedMatches({ record: scanOf }, entries, filter)
  const leftOut = found.unreadable.map(({ message }) => message)
  if (found.total === 0) {
    const why = leftOut[0] ?? 'No finished match is wanted by these options.'
    throw new ExpectedError('usage', 'match-unknown', why)
  }
  async function* wanted(): AsyncGenerator<ArchivedMatch> {
    for await (const { contest: of, row } of found.matches) if (row !== null) yield { contest: of.id, match: row.match }
  }
  return { matches: wanted(), leftOut, scanOf }
}

function isFiltered({ search, game, subject, agents, faults }: HistoryFilter): boolean {
  return faults || agents.length > 0 || [search, game, subject].some((text) => text !== '')
}

function unfiltered(contest: ContestId): ExpectedError {
  return new ExpectedError(
    'usage',
    'options-conflict',
    `${contest} is not a contest of the class, or its matches are given by number: it is exported without --search, --game, --subject, --player and --faults.`,
  )
}

function unfinished(contest: ContestId, match: MatchNumber): ExpectedError {
  return new ExpectedError('usage', 'match-unknown', `Match ${match} of ${contest} is not finished or does not exist.`)
}
