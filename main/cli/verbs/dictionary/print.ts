import type { Command } from 'commander'
import { printDictionaryFile } from '../../../services/challenges/dictionary-files.ts'
import { printWithDictionary } from '../../../services/challenges/dictionary-values.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { addVerb, type Context } from '../../context.ts'
import { classOption, dialectOption, typeOf, type TypeOptions } from './options.ts'
import { wrongValue } from './parse.ts'

/** `tartaglia dictionary print DICTIONARY [JSONFILE --class TYPE]` */
export function addDictionaryPrint(group: Command, context: Context): void {
  const { terminal } = context
  addVerb(
    group,
    'print',
    'Print a dictionary in its canonical form, or a value as text',
    'tartaglia dictionary print a.cd',
  )
    .argument('<dictionary>', 'a class dictionary')
    .argument('[value]', 'a JSON file with one value; - for standard input')
    .addOption(classOption().makeOptionMandatory(false))
    .addOption(dialectOption())
    .action(async (dictionary: string, file: string | undefined, options: Partial<TypeOptions>) => {
      if (file === undefined) {
        const text = await printDictionaryFile(dictionary, options.dialect)
        terminal.text(text)
        terminal.result({ text })
        return
      }
      if (options.class === undefined)
        throw new ExpectedError('usage', 'option-missing', 'To print a value, name its class with --class.')
      const printed = await printWithDictionary(typeOf(dictionary, { ...options, class: options.class }), file)
      if (!printed.ok) {
        wrongValue(context, printed)
        return
      }
      terminal.text(printed.text)
      terminal.result({ text: printed.text })
    })
}
