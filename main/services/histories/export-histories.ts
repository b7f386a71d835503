import { join } from 'node:path'
import type { ContestId, MatchNumber } from '../../contract/ids.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { writeFileDurably } from '../../histories/durable.ts'
import { createExporter, exportName, type Consoles, type ExportSource } from '../../histories/export.ts'
import { openKeys } from '../../histories/key-files.ts'
import { keyText, type SigningKey } from '../../histories/keys.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { KEY_FILE, openExportFolder } from '../files/export-folder.ts'
import { scanHistories } from './list-histories.ts'

/** This many matches are listed with their files: a list of all of them may be too long for a program that reads it. */
export const LISTED_MAX = 100_000

/** What was exported. */
export interface ExportedMatches {
  readonly count: number
  /** The files of the first matches, `LISTED_MAX` at the most. */
  readonly files: ReadonlyMap<MatchNumber, string>
}

/**
 * Writes finished matches as files of their own into a folder, and the public key beside them. `matches`: default all.
 * Files of the same contest are replaced. Throws, before anything is written, ExpectedError 'usage' where a match is not finished and
 * 'conflict' where another's file is in the way; and MachineError.
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
      `Match ${missing} of ${source.contest} is not finished, or there is none of that number.`,
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
    // Replaced, not written into: the name may be a link that somebody has planted.
    writeFileDurably(keyFile, `${keyText(key.publicKey)}\n`, 0o644)
  } catch (error) {
    throw machineErrorFrom(error, 'write', keyFile)
  }
  return { count, files }
}

export interface ExportOptions {
  /** The data folder. It is only read, also while a contest runs in it. */
  readonly data: string
  readonly contest: ContestId
  /** Default: all that are finished. */
  readonly matches?: readonly MatchNumber[]
  /** The folder that gets the files. */
  readonly to: string
}

/** Exports matches of a contest, or of a recording of an arena, in a data folder, by number. Throws ExpectedError and MachineError, a sentence each. */
export async function exportContest(options: ExportOptions): Promise<ExportedMatches> {
  const { data, contest, to } = options
  const scan = await scanHistories(data, contest)
  return writeExports(scan, openKeys(join(data, 'keys')), to, 'none', options.matches)
}
