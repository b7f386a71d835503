import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** A new folder, named after its use. It is removed at the end of the test file (test/remove-folders.ts). */
export function temporaryFolder(use: string): string {
  const folder = mkdtempSync(join(tmpdir(), `tartaglia-${use}-`))
  folders.push(folder)
  return folder
}

/** Removes the folders of all calls before. A process that is ending may still write into one of them. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
