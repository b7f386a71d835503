import type { ClassFolder } from '../administrator/classroom/classroom.ts'
import type { entryProcedures } from '../contract/contests/entry-procedures.ts'
import type { Handlers } from '../contract/procedures/procedures.ts'
import { readEntries } from '../services/entries/entries-file.ts'
import { packEntries } from '../services/entries/export-entries.ts'
import type { UploadedPackage, UploadedPackages } from '../services/packages/uploaded-packages.ts'
import { importEntries, lookAtEntries } from '../services/entries/import-entries.ts'

interface EntryRoom {
  readonly home: ClassFolder
  readonly uploads: UploadedPackages
  /** Reports that the class has agents that were not tried yet. */
  readonly onImport: () => void
  /** Reports that the value of a topic has changed. */
  readonly touch: (topic: string) => void
}

/** The procedures of entries. */
export function entryHandlers({
  home,
  uploads,
  onImport,
  touch,
}: EntryRoom): Pick<Handlers, keyof typeof entryProcedures> {
  const opened = ({ fileName, content }: UploadedPackage) => readEntries(fileName, content)
  return {
    'entries.look': ({ file }) => uploads.read(file, async (given) => lookAtEntries(home, opened(given))),
    async 'entries.import'({ trust, file }) {
      const added = await uploads.use(file, (given) => importEntries(home, opened(given), { trust }))
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
