import { mkdtemp, rm } from 'node:fs/promises'
import type { KeptDossier } from '../../contract/evidence/dossiers.ts'
import type { SigningKey } from '../../histories/keys.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { readText } from '../machine/reading.ts'
import type { Matches } from '../matches/class-matches.ts'
import { writeDossierFiles } from './dossier-files.ts'
import { createTurns } from './in-turn.ts'
import { zipDossierJob } from './jobs.ts'
import { historyReader } from './kept-evidence.ts'

/**
 * Writes a dossier as a zip to a path. `who`: for whom, each of whom has one written at a time. Rejects with ExpectedError `busy`,
 * `too-large` and `match-unknown`, and with MachineError.
 */
export type DossierWriter = (
  who: string,
  dossier: KeptDossier,
  facts: { readonly by: string; readonly written: string },
  path: string,
) => Promise<void>

/** Writes the dossiers of a class one after the other: a dossier of 60 MB is work for the disk and another process. */
export function dossierWriter(matches: Pick<Matches, 'withExport'>, key: SigningKey): DossierWriter {
  const inTurn = createTurns('Another dossier is still being written for you: wait for it.')
  return (who, dossier, facts, path) => inTurn(who, () => write(dossier, facts, path))

  async function write(dossier: KeptDossier, facts: { by: string; written: string }, path: string): Promise<void> {
    const folder = await mkdtemp(`${path}-`).catch((error: unknown) => {
      throw machineErrorFrom(error, 'make a folder beside', path)
    })
    try {
      const history = historyReader(matches, facts.by)
      const files = await writeDossierFiles(dossier, { ...facts, key, history }, folder)
      await readText(zipDossierJob, { folder, files, into: path }, facts.by)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
