import { ExpectedError } from '../../contract/expected-error.ts'
import { exportOpenClass } from '../../services/archive/export-class.ts'
import { nameOfClass, type ClassShelf } from '../class-shelf.ts'
import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'

/** The procedures of the classes that the window shows like documents. */
export function classesHandlers({ home, classes, clock, downloads, archives, ongoing }: Rooms): HandlersOf<'classes'> {
  const shelf = (): ClassShelf => {
    if (classes !== undefined) return classes
    throw new ExpectedError(
      'usage',
      'one-class-only',
      'This program shows one class alone: start it with --data for another.',
    )
  }
  return {
    'classes.get': async () => (classes === undefined ? null : classes.get(home)),
    'classes.open': async ({ folder }) => ({ address: await shelf().open(home, folder) }),
    async 'classes.close'({ folder }) {
      await shelf().close(home, folder)
      return null
    },
    'classes.create': ({ name }) => shelf().create(name),
    async 'classes.newTerm'(choices) {
      const zone = home.content.settings.timeZone || clock.zone()
      return shelf().newTerm(home.folder, { ...choices, zone, now: clock.now() })
    },
    'classes.sampleTerm': async () => shelf().sampleTerm(),
    'classes.import': ({ name, file, identities }) =>
      archives.use(file, ({ path }) => shelf().import(path, name, identities)),
    async 'classes.export'({ recipient }, caller) {
      const day = new Date(clock.now()).toISOString().slice(0, 10)
      const name = nameOfClass(home).replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
      let leftOut: readonly string[] = []
      const download = await ongoing.run('export', (following) =>
        downloads.beginFile(caller, async (path) => {
          ;({ leftOut } = await exportOpenClass(home, { path, overwrite: true }, recipient, following))
        }),
      )
      return { download, leftOut, fileName: `${name}-${day}.${recipient === null ? 'tar.gz' : 'age'}` }
    },
    async 'classes.stopExport'() {
      await ongoing.stop('export')
      return null
    },
  }
}
