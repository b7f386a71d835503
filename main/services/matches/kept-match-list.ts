import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import { KIT_MATCHES_LISTED, type KitMatch, type KitMatches } from '../../contract/procedures/kit-procedures.ts'
import { MachineError } from '../../histories/machine-error.ts'
import { keptMatches, type KeptMatch } from '../agents/kept-matches.ts'
import { fileSummary } from './listed-files.ts'
import { indexMatch } from './match-index.ts'

/**
 * Lists the matches that are kept in the folder of a kit, those that were kept last. A file that cannot be read has a sentence; one that
 * is deleted meanwhile is left out. Rejects with errors of the program.
 */
export async function listKeptMatches(kit: string): Promise<KitMatches> {
  const kept = keptMatches(kit)
  const found: KitMatch[] = []
  // One after the other: a long match takes much memory while it is read.
  for (const match of kept.slice(0, KIT_MATCHES_LISTED)) {
    const row = await rowOf(match)
    if (row !== null) found.push(row)
  }
  return { matches: found, total: kept.length }
}

/** The path of a match that is kept in the folder of a kit. Throws ExpectedError `match-unknown`. */
export function keptMatchPath(kit: string, wanted: number): string {
  const found = keptMatches(kit).find(({ number }) => number === wanted)
  if (found !== undefined) return found.path
  throw new ExpectedError('usage', 'match-unknown', `Match ${wanted} is not kept any more.`)
}

async function rowOf({ number, path }: KeptMatch): Promise<KitMatch | null> {
  const file = await stat(path).catch(() => null)
  if (file === null) return null
  const row = { number, name: basename(path), at: file.mtime.toISOString() }
  try {
    const place = { run: null, stretches: [{ path, from: 0, to: file.size }] }
    const index = await indexMatch({ place, name: row.name })
    // A long match is read on; if that fails, the viewer tells.
    index.whole.catch(() => undefined)
    return { ...row, summary: fileSummary(index), message: null }
  } catch (error) {
    if (!(error instanceof ExpectedError || error instanceof MachineError)) throw error
    return { ...row, summary: null, message: error.message }
  }
}
