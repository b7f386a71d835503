import type { Command } from 'commander'
import { exportDocs } from '../../services/machine/docs-pages.ts'
import { addVerb, folderName, type Context } from '../context.ts'
import { count, safeLine } from '../text.ts'

/** `tartaglia docs`: the documentation as a folder of pages. */
export function addDocs(program: Command, { terminal }: Context): void {
  addVerb(
    program,
    'docs',
    'Write the documentation as a folder of web pages with a search, for any web server or to open from disk',
    'tartaglia docs --export docs',
  )
    .requiredOption('--export <folder>', 'an empty or new folder, or that of an earlier export', folderName)
    .action(({ export: to }: { export: string }) => {
      const written = exportDocs(to)
      terminal.output('docs', written)
      terminal.print(
        `${safeLine(to)}: ${count(written.pages, 'page', 'pages')}, ${(written.bytes / 1e6).toFixed(1)} MB; open index.html in it.`,
      )
    })
}
