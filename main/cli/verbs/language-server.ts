import type { Command } from 'commander'
import { ExpectedError } from '../../contract/expected-error.ts'

/** `tartaglia language-server --stdio`: serves an editor until it says that it ends. */
export function addLanguageServer(program: Command): void {
  program
    .command('language-server')
    .description(
      'Serve an editor: problems, completion, help, renaming and layout of challenges and class dictionaries',
    )
    .option('--stdio', 'speak the Language Server Protocol on standard input and output')
    .addHelpText('after', '\nExample:\n  tartaglia language-server --stdio')
    .action(async ({ stdio }: { readonly stdio?: true }) => {
      if (stdio !== true)
        throw new ExpectedError(
          'usage',
          'option-missing',
          'The language server needs --stdio, the only way that it speaks.',
        )
      const { serveLanguage } = await import('../../services/challenges/language-server/serve-language.ts')
      serveLanguage(process.stdin, process.stdout)
      // It is the editor that ends the process.
      await new Promise<never>(() => undefined)
    })
}
