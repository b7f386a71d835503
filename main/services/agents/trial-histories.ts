import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { makeFolder } from '../../histories/durable.ts'
import type { OutFile } from '../files/output-file.ts'

type Trial = Pick<StoredAgentVersion, 'hash' | 'manifest'>

const folderOf = (data: string): string => join(data, 'trials')
// A verdict belongs to a package in a game, whatever the agent's name.
const pathOf = (data: string, { hash, manifest }: Trial): string =>
  join(folderOf(data), `${hash}-${manifest.game}.jsonl`)

/** The file for the history of a version's trial match, which replaces that of its last one. */
export function trialHistoryFile(data: string, version: Trial): OutFile {
  makeFolder(folderOf(data), 0o700)
  return { path: pathOf(data, version), overwrite: true, mode: 0o600 }
}

/** The history of a version's last trial match. Throws ExpectedError 'usage' if there is none. */
export function trialHistory(data: string, version: Trial): string {
  const path = pathOf(data, version)
  if (existsSync(path)) return path
  throw new ExpectedError(
    'usage',
    'match-unknown',
    'The history of this trial match was not kept: run the trial match again.',
  )
}

/** Deletes the history of a version's trial match, if there is one. */
export function removeTrialHistory(data: string, version: Trial): void {
  rmSync(pathOf(data, version), { force: true })
}
