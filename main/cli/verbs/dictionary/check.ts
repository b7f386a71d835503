import type { Command } from 'commander'
import { checkDictionaryFile } from '../../../services/challenges/dictionary-files.ts'
import { addVerb, type Context } from '../../context.ts'
import { checkFiles } from '../../check-files.ts'
import { dialectOption, type TypeOptions } from './options.ts'

/** `tartaglia dictionary check FILE... [--dialect A|B|C]`: exit code 0 if all are accepted, else 1. */
export function addDictionaryCheck(group: Command, context: Context): void {
  addVerb(
    group,
    'check',
    'Check class dictionaries and the files that they include',
    'tartaglia dictionary check expressions.cd',
  )
    .argument('<files...>', 'class dictionaries')
    .addOption(dialectOption())
    .action((files: string[], { dialect }: Pick<TypeOptions, 'dialect'>) =>
      checkFiles(context, files, (file) => checkDictionaryFile(file, dialect)),
    )
}
