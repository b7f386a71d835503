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

/** `tartaglia dictionary sample DICTIONARY --class TYPE --seed N --count K`: with --json one value per line. */
export function addDictionarySample(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'sample',
    'Generate random values of a class',
    'tartaglia dictionary sample a.cd --class A --seed 7 --count 3',
  )
    .argument('<dictionary>', 'a class dictionary')
    .addOption(classOption())
    .addOption(dialectOption())
    .option('--seed <text>', 'any text; the same seed gives the same values', 'tartaglia')
    .option('--count <number>', 'how many to generate', wholeNumber, 1)
    .option('--size <number>', 'approximate number of objects and lists in each value (default: 100)', wholeNumber)
    .action(async (dictionary: string, options: Options) => {
      for await (const { value, text } of sampleWithDictionary(typeOf(dictionary, options), options)) {
        terminal.result(value)
        if (!terminal.json) terminal.text(text ?? jsonText(value))
      }
    })
}
