import { join } from 'node:path'
import { openedSeed } from '../../histories/seed-commitment.ts'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { writeFileDurably } from '../../histories/durable.ts'
import { createExporter, exportName, type Consoles, type ExportSource } from '../../histories/export.ts'
import { openKeys } from '../../histories/key-files.ts'
import { keyText, type SigningKey } from '../../histories/keys.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { KEY_FILE, openExportFolder } from '../files/export-folder.ts'
import { existingClass } from '../machine/existing-class.ts'
import { scanHistories } from './list-histories.ts'

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
  if (missing !== undefined) {
    throw new ExpectedError(
      'usage',
      'match-unknown',
      `Match ${missing} of ${source.contest} is not finished or does not exist.`,
    )
  }
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
  return writeExports({ ...scan, reveal }, openKeys(join(data, 'keys')), to, 'none', options.matches)
}
