import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { passingFolder } from '../../administrator/classroom/scratch.ts'
import type { OpenedDossier } from '../../contract/evidence/dossier-procedures.ts'
import type { KnownSigners } from '../histories/known-signers.ts'
import { readText } from '../machine/reading.ts'
import type { Matches } from '../matches/class-matches.ts'
import { dossierJob } from './jobs.ts'

/**
 * Checks a dossier that was opened as a file, and opens the histories in it, so that their matches can be looked at. Rejects with
 * ExpectedError 'usage' if it is not a dossier, and with MachineError.
 */
export async function openedDossier(
  matches: Pick<Matches, 'withFile' | 'take'>,
  file: string,
  known: KnownSigners,
): Promise<OpenedDossier> {
  const into = passingFolder('dossier')
  try {
    const report = await matches.withFile(file, (path, name) =>
      readText(dossierJob, { path, name, known: [...known], into }),
    )
    const files: Record<string, string> = {}
    for (const [index, { path }] of report.histories.entries())
      files[path] = await matches.take(path.slice(-255), createReadStream(join(into, `${index}.jsonl`)))
    return { report, files }
  } finally {
    await rm(into, { recursive: true, force: true })
  }
}
