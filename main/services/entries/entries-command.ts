import { openClassFolder, readClass } from '../../administrator/classroom/classroom.ts'
import { keyText } from '../../histories/keys.ts'
import { readBytes } from '../files/read-file.ts'
import type { EntryStatement, EntrySchool, LookedAtEntries } from '../../contract/contests/entries.ts'
import { ENTRIES_BYTES_MAX, readEntries, type OpenedEntries } from './entries-file.ts'
import { importEntries } from './import-entries.ts'
import { schoolWithKey } from '../../administrator/classroom/schools.ts'

// Reads and imports entries files for the command line.

/** Imports the entries of a file into a data folder. Throws like `readEntries` and `importEntries`. */
export async function importEntriesFile(data: string, file: string, trust: string | null): Promise<LookedAtEntries> {
  const opened = await openedFile(file)
  const home = await openClassFolder(data)
  try {
    return await importEntries(home, opened, { trust })
  } finally {
    await home.close()
  }
}

/** The contents of an entries file, which is genuine as far as its own key goes. */
export interface ShownEntries {
  readonly school: EntrySchool
  /** As in `publicKeyText`. */
  readonly key: string
  readonly entries: readonly EntryStatement[]
}

/** Reads and checks an entries file. `data`: a data folder whose class may trust the key. Throws like `readEntries`. */
export async function showEntriesFile(data: string, file: string): Promise<ShownEntries> {
  const opened = await openedFile(file)
  return {
    school: schoolWithKey(opened, await readClass(data)),
    key: keyText(opened.key),
    entries: opened.entries.map(({ entry }) => entry.statement),
  }
}

const openedFile = async (file: string): Promise<OpenedEntries> =>
  readEntries(file, await readBytes(file, ENTRIES_BYTES_MAX))
