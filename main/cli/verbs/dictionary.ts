import type { Command } from 'commander'
import {
  checkDictionaryFile,
  parseWithDictionary,
  printDictionaryFile,
  printWithDictionary,
} from '../../app/dictionaries.ts'
import { Trouble } from '../../contract/trouble.ts'
import { addGroup, addVerb, type Context } from '../context.ts'
import { safe } from '../text.ts'
import { verdicts } from '../verdicts.ts'

/** `tartaglia dictionary check|parse|print`. */
export function addDictionary(program: Command, context: Context): void {
  const { terminal } = context
  const group = addGroup(program, 'dictionary', 'Class dictionaries: check, parse values, print')

  addVerb(group, 'check', 'Check class dictionaries and what they include', 'tartaglia dictionary check expressions.cd')
    .argument('<files...>', 'class dictionaries')
    .action((files: string[]) => verdicts(context, files, checkDictionaryFile))

  addVerb(
    group,
    'parse',
    'Read a value by a dictionary, and print it as JSON',
    'tartaglia dictionary parse a.cd a.txt --class A',
  )
    .argument('<dictionary>', 'a class dictionary')
    .argument('<value>', 'a file that holds one value: text, or JSON where its name ends in .json')
    .requiredOption('--class <type>', 'the class of the value, such as Instance or List(int)')
    .action(async (dictionary: string, file: string, options: { class: string }) => {
      const value = await parseWithDictionary(dictionary, file, options.class)
      try {
        terminal.print(safe(JSON.stringify(value, null, 2)))
        terminal.result(value)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        throw new Trouble('usage', `${file}: the value is nested too deeply, or is too large, to be written as JSON.`)
      }
    })

  addVerb(
    group,
    'print',
    'Print a dictionary in its canonical form, or a value as text',
    'tartaglia dictionary print a.cd',
  )
    .argument('<dictionary>', 'a class dictionary')
    .argument('[value]', 'a JSON file that holds one value')
    .option('--class <type>', 'the class of the value, such as Instance or List(int)')
    .action(async (dictionary: string, value: string | undefined, options: { class?: string }) => {
      const text = await textOf(dictionary, value, options.class)
      terminal.print(safe(text).trimEnd())
      terminal.result({ text })
    })
}

async function textOf(dictionary: string, value: string | undefined, type: string | undefined): Promise<string> {
  if (value === undefined) return printDictionaryFile(dictionary)
  if (type === undefined) throw new Trouble('usage', 'To print a value, say what it is with --class.')
  return printWithDictionary(dictionary, value, type)
}
