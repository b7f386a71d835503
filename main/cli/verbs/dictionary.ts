import type { Command } from 'commander'
import { checkDictionaryFile, printDictionaryFile } from '../../app/dictionaries.ts'
import { addGroup, addVerb, type Context } from '../context.ts'
import { safe } from '../text.ts'
import { verdicts } from '../verdicts.ts'

/** `tartaglia dictionary check|print`. */
export function addDictionary(program: Command, context: Context): void {
  const { terminal } = context
  const group = addGroup(program, 'dictionary', 'Class dictionaries: check, parse values, print')

  addVerb(group, 'check', 'Check class dictionaries and what they include', 'tartaglia dictionary check expressions.cd')
    .argument('<files...>', 'class dictionaries')
    .action((files: string[]) => verdicts(context, files, checkDictionaryFile))

  addVerb(group, 'print', 'Print a class dictionary in its canonical form', 'tartaglia dictionary print expressions.cd')
    .argument('<dictionary>', 'a class dictionary')
    .action(async (file: string) => {
      const text = await printDictionaryFile(file)
      terminal.print(safe(text).trimEnd())
      terminal.result({ file, text })
    })
}
