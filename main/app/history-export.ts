import { join } from 'node:path'
import type { ContestId, MatchNumber } from '../contract/ids.ts'
import { Trouble } from '../contract/trouble.ts'
import { writeFileDurably } from '../histories/durable.ts'
import { createExporter, exportName, type Consoles, type ExportSource } from '../histories/export.ts'
import { openKeys } from '../histories/key-files.ts'
import { keyText, type SigningKey } from '../histories/keys.ts'
import { scanContest } from '../histories/scan.ts'
import { troubleOf } from '../histories/trouble.ts'
import { contestFolder } from './classroom-service/contests.ts'
import { requireContest } from './existing-class.ts'
import { KEY_FILE, openExportFolder } from './export-folder.ts'

/**
 * Writes finished matches as files of their own into a folder, and the public key beside them. `matches`: default all.
 * Files of the same contest are replaced. Throws, before anything is written, Trouble 'usage' where a match is not finished and
 * 'conflict' where another's file is in the way; and HostTrouble.
 */
export async function writeExports(
  source: ExportSource,
  key: SigningKey,
  to: string,
  consoles: Consoles,
  matches: readonly MatchNumber[] = [...source.finished.keys()],
): Promise<ReadonlyMap<MatchNumber, string>> {
  const runs = matches.map((match) => {
    const run = source.finished.get(match)
    if (run !== undefined) return run
    throw new Trouble('usage', `Match ${match} of ${source.contest} is not finished, or there is none of that number.`)
  })
  const wanted = new Set(matches)
  const owner = { contest: source.contest, key: key.publicKey }
  const target = openExportFolder(to, owner, (match) => wanted.has(match))
  const exporter = await createExporter(source, key)
  const files = new Map<MatchNumber, string>()
  for (const run of runs) {
    const file = join(target, exportName(run))
    await exporter.write(run.match, consoles, file)
    files.set(run.match, file)
  }
  const keyFile = join(target, KEY_FILE)
  try {
    // Replaced, not written into: the name may be a link that somebody has planted.
    writeFileDurably(keyFile, `${keyText(key.publicKey)}\n`, 0o644)
  } catch (error) {
    throw troubleOf(error, 'write', keyFile)
  }
  return files
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

/** Exports matches of a contest in a data folder, by number. Throws Trouble and HostTrouble, a sentence each. */
export async function exportContest(options: ExportOptions): Promise<ReadonlyMap<MatchNumber, string>> {
  const { data, contest, to } = options
  await requireContest(data, contest)
  const key = openKeys(join(data, 'keys'))
  const scan = await scanContest({ dir: contestFolder(data, contest), contest, key: key.publicKey })
  if (!scan.ok) throw new Trouble('verdict', scan.damage.message)
  return writeExports(scan, key, to, 'none', options.matches)
}
