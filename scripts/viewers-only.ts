import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** The module in place of a part that is left out; the file does not exist. */
const LEFT_OUT = fileURLToPath(new URL('../renderer/replay/left-out', import.meta.url))
/** The parts of a game that show a match; the others are its settings and what a person plays with. */
const shown = /\/story\.ts$|-rules\.md$/

/** A Vite plugin: of the parts that games load when they are needed, those alone that show a match. */
export function viewersOnly(): Plugin {
  return {
    name: 'viewers-only',
    enforce: 'pre',
    resolveId(part, importer = '', { kind }) {
      const isOfGame = /\/renderer\/games\/([^/]+)\/\1\.ts$/.test(importer.replaceAll('\\', '/'))
      return kind === 'dynamic-import' && isOfGame && !shown.test(part) ? LEFT_OUT : null
    },
    load: (id) => (id === LEFT_OUT ? 'export default null' : null),
  }
}
