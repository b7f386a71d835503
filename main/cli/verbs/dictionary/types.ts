import type { Command } from 'commander'
import { typesOfDictionary } from '../../../services/challenges/dictionary-values.ts'
import { addVerb, type Context } from '../../context.ts'
import { jsonText } from '../../text.ts'
import { classOption, dialectOption, typeOf, type TypeOptions } from './options.ts'

interface Options extends TypeOptions {
  readonly schema?: true
}

/** `tartaglia dictionary types DICTIONARY --class TYPE [--schema]` */
export function addTypes(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'types',
    'Print TypeScript declarations or a JSON Schema for the JSON form of a class',
    'tartaglia dictionary types a.cd --class A > a.ts',
  )
    .argument('<dictionary>', 'a class dictionary')
    .addOption(classOption())
    .addOption(dialectOption())
    .option('--schema', 'print a JSON Schema (draft 2020-12) instead of TypeScript')
    .action(async (dictionary: string, options: Options) => {
      const { typescript, schema } = await typesOfDictionary(typeOf(dictionary, options))
      if (options.schema === true) {
        terminal.result(schema)
        if (!terminal.json) terminal.text(jsonText(schema, 2))
      } else {
        terminal.result({ text: typescript })
        terminal.text(typescript)
      }
    })
}
