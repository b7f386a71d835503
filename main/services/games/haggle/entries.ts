import { scriptText } from '../../../players/script-source.ts'
import { readBytes } from '../../files/read-file.ts'
import type { Entry } from './sessions.ts'

/** The original took scripts of this size. */
const ENTRY_BYTES_MAX = 64 * 1024 * 1024

/** Reads entries' files as the original did: bytes that are no UTF-8 become U+FFFD. Throws ExpectedError 'usage'. */
export async function readEntries(files: readonly string[]): Promise<readonly Entry[]> {
  return Promise.all(
    files.map(async (file) => ({ name: file, source: scriptText(await readBytes(file, ENTRY_BYTES_MAX)) })),
  )
}
