import type { Command } from 'commander'
import { sampleWithDictionary } from '../../../services/challenges/dictionary-values.ts'
import { addVerb, wholeNumber, type Context } from '../../context.ts'
import { jsonText } from '../../text.ts'
import { classOption, dialectOption, typeOf, type TypeOptions } from './options.ts'

interface Options extends TypeOptions {
  readonly seed: string
  readonly count: number
  readonly size?: number
}

/** `tartaglia dictionary sample DICTIONARY --class TYPE --seed N --count K`: with --json a value a line. */
export function addDictionarySample(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'sample',
    'Random values of a class, made by its structure',
    'tartaglia dictionary sample a.cd --class A --seed 7 --count 3',
  )
    .argument('<dictionary>', 'a class dictionary')
    .addOption(classOption())
    .addOption(dialectOption())
    .option('--seed <text>', 'any text; equal seeds give equal values', 'tartaglia')
    .option('--count <number>', 'how many', wholeNumber, 1)
    .option('--size <number>', 'about how many objects and lists each has (default: 100)', wholeNumber)
    .action(async (dictionary: string, options: Options) => {
      for await (const { value, text } of sampleWithDictionary(typeOf(dictionary, options), options)) {
        terminal.result(value)
        if (!terminal.json) terminal.text(text ?? jsonText(value))
      }
    })
}
