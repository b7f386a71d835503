import type { Command } from 'commander'
import { parseWithDictionary } from '../../../services/challenges/dictionary-values.ts'
import { problemLine } from '../../../services/files/placed-problems.ts'
import type { ValueRead } from '../../../services/challenges/value-files.ts'
import { addVerb, type Context } from '../../context.ts'
import { jsonText, safeLine } from '../../text.ts'
import { classOption, dialectOption, typeOf, type TypeOptions } from './options.ts'

/** `tartaglia dictionary parse DICTIONARY VALUE --class TYPE` */
export function addParse(group: Command, context: Context): void {
  const { terminal } = context
  addVerb(group, 'parse', 'Parse a value and print it as JSON', 'tartaglia dictionary parse a.cd a.txt --class A')
    .argument('<dictionary>', 'a class dictionary')
    .argument('<value>', 'a file with one value, as text, or as JSON if its name ends with .json; - for standard input')
    .addOption(classOption())
    .addOption(dialectOption())
    .action(async (dictionary: string, file: string, options: TypeOptions) => {
      const read = await parseWithDictionary(typeOf(dictionary, options), file)
      if (!read.ok) {
        wrongValue(context, read)
        return
      }
      terminal.result(read.value)
      if (!terminal.json) terminal.print(jsonText(read.value, 2))
    })
}

/** Reports what is wrong with a value and where; with --json as `{"error": {"line", "column", "message"}}`. Exit code 1. */
export function wrongValue({ terminal, done }: Context, wrong: Extract<ValueRead, { ok: false }>): void {
  const { line, column, message, hint } = wrong
  terminal.result({ error: { line, column, message } })
  terminal.note(problemLine(wrong))
  if (hint !== undefined) terminal.note(`    ${safeLine(hint)}`)
  done(1)
}
