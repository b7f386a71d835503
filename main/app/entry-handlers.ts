import type { ClassFolder } from '../administrator/classroom/classroom.ts'
import type { entryProcedures } from '../contract/contests/entry-procedures.ts'
import type { Handlers } from '../contract/procedures/procedures.ts'
import { readEntries } from '../services/entries/entries-file.ts'
import { packEntries } from '../services/entries/export-entries.ts'
import { importEntries, lookAtEntries } from '../services/entries/import-entries.ts'

interface EntryRoom {
  readonly home: ClassFolder
  /** Reports that the class has agents that were not tried yet. */
  readonly onImport: () => void
  /** Reports that the value of a topic has changed. */
  readonly touch: (topic: string) => void
}

/** The procedures of entries. */
export function entryHandlers({ home, onImport, touch }: EntryRoom): Pick<Handlers, keyof typeof entryProcedures> {
  const open = (file: { readonly fileName: string; readonly content: string }) =>
    readEntries(file.fileName, Buffer.from(file.content, 'base64'))
  return {
    'entries.look': async (file) => lookAtEntries(home, open(file)),
    async 'entries.import'({ trust, ...file }) {
      const added = await importEntries(home, open(file), { trust })
      touch('settings')
      onImport()
      return added
    },
    async 'entries.export'(choice) {
      const { bytes, fingerprint } = await packEntries(home, choice)
      if (home.content.settings.school !== choice.school) {
        await home.change(({ settings }) => void (settings.school = choice.school))
        touch('settings')
      }
      return { content: bytes.toString('base64'), fingerprint }
    },
  }
}
