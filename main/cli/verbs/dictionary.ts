import { type Command, Option } from 'commander'
import { addGroup, type Context, addVerb, wholeNumber } from '../context.ts'
import {
  checkDictionaryFile,
  printDictionaryFile,
  type DictionaryOptions,
} from '../../services/challenges/dictionary-files.ts'
import { checkFiles } from '../check-files.ts'
import {
  parseWithDictionary,
  printWithDictionary,
  sampleWithDictionary,
  typesOfDictionary,
  type TypeOf,
} from '../../services/challenges/dictionary-values.ts'
import { problemLine } from '../../services/files/placed-problems.ts'
import type { ValueRead } from '../../services/challenges/value-files.ts'
import { jsonText, safeLine } from '../text.ts'
import { ExpectedError } from '../../contract/expected-error.ts'

/** `tartaglia dictionary check|parse|print|sample|types`. */
export function addDictionary(program: Command, context: Context): void {
  const group = addGroup(program, 'dictionary', 'Class dictionaries: check, parse, print, sample, types')
  addDictionaryCheck(group, context)
  addParse(group, context)
  addDictionaryPrint(group, context)
  addDictionarySample(group, context)
  addTypes(group, context)
}

/** `tartaglia dictionary check FILE... [--dialect A|B|C] [--root FOLDER...]`: exit code 0 if all are accepted, else 1. */
function addDictionaryCheck(group: Command, context: Context): void {
  addVerb(
    group,
    'check',
    'Check class dictionaries and the files that they include',
    'tartaglia dictionary check expressions.cd',
  )
    .argument('<files...>', 'class dictionaries')
    .addOption(dialectOption())
    .addOption(rootOption())
    .action((files: string[], options: ReadOptions) =>
      checkFiles(
        context,
        files,
        (file) => checkDictionaryFile(file, optionsOf(options)),
        (verdict) => context.terminal.output('dictionary check', verdict),
      ),
    )
}

/** `tartaglia dictionary parse DICTIONARY VALUE --class TYPE` */
function addParse(group: Command, context: Context): void {
  const { terminal } = context
  addVerb(group, 'parse', 'Parse a value and print it as JSON', 'tartaglia dictionary parse a.cd a.txt --class A')
    .argument('<dictionary>', 'a class dictionary')
    .argument('<value>', 'a file with one value, as text, or as JSON if its name ends with .json; - for standard input')
    .addOption(classOption())
    .addOption(dialectOption())
    .addOption(rootOption())
    .action(async (dictionary: string, file: string, options: TypeOptions) => {
      const read = await parseWithDictionary(typeOf(dictionary, options), file)
      if (!read.ok) {
        wrongValue(context, 'dictionary parse', read)
        return
      }
      terminal.output('dictionary parse', read.value)
      if (!terminal.json) terminal.print(jsonText(read.value, 2))
    })
}

/** Reports what is wrong with a value and where; with --json as `{"error": {"line", "column", "message"}}`. Exit code 1. */
function wrongValue(
  { terminal, done }: Context,
  verb: 'dictionary parse' | 'dictionary print',
  wrong: Extract<ValueRead, { ok: false }>,
): void {
  const { line, column, message, hint } = wrong
  terminal.output(verb, { error: { line, column, message } })
  terminal.note(problemLine(wrong))
  if (hint !== undefined) terminal.note(`    ${safeLine(hint)}`)
  done(1)
}

/** `tartaglia dictionary print DICTIONARY [JSONFILE --class TYPE]` */
function addDictionaryPrint(group: Command, context: Context): void {
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
    .addOption(rootOption())
    .action(async (dictionary: string, file: string | undefined, options: Partial<TypeOptions>) => {
      if (file === undefined) {
        const text = await printDictionaryFile(dictionary, optionsOf(options))
        terminal.text(text)
        terminal.output('dictionary print', { text })
        return
      }
      if (options.class === undefined)
        throw new ExpectedError('usage', 'option-missing', 'To print a value, name its class with --class.')
      const printed = await printWithDictionary(typeOf(dictionary, { ...options, class: options.class }), file)
      if (!printed.ok) {
        wrongValue(context, 'dictionary print', printed)
        return
      }
      terminal.text(printed.text)
      terminal.output('dictionary print', { text: printed.text })
    })
}

interface SampleOptions extends TypeOptions {
  readonly seed: string
  readonly count: number
  readonly size?: number
}

/** `tartaglia dictionary sample DICTIONARY --class TYPE --seed N --count K`: with --json one value per line. */
function addDictionarySample(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'sample',
    'Generate random values of a class',
    'tartaglia dictionary sample a.cd --class A --seed 7 --count 3',
  )
    .argument('<dictionary>', 'a class dictionary')
    .addOption(classOption())
    .addOption(dialectOption())
    .addOption(rootOption())
    .option('--seed <text>', 'any text; the same seed gives the same values', 'tartaglia')
    .option('--count <number>', 'how many to generate', wholeNumber, 1)
    .option('--size <number>', 'approximate number of objects and lists in each value (default: 100)', wholeNumber)
    .action(async (dictionary: string, options: SampleOptions) => {
      for await (const { value, text } of sampleWithDictionary(typeOf(dictionary, options), options)) {
        terminal.output('dictionary sample', value)
        if (!terminal.json) terminal.text(text ?? jsonText(value))
      }
    })
}

interface PrintedTypes extends TypeOptions {
  readonly schema?: true
}

/** `tartaglia dictionary types DICTIONARY --class TYPE [--schema]` */
function addTypes(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'types',
    'Print TypeScript declarations or a JSON Schema for the JSON form of a class',
    'tartaglia dictionary types a.cd --class A > a.ts',
  )
    .argument('<dictionary>', 'a class dictionary')
    .addOption(classOption())
    .addOption(dialectOption())
    .addOption(rootOption())
    .option('--schema', 'print a JSON Schema (draft 2020-12) instead of TypeScript')
    .action(async (dictionary: string, options: PrintedTypes) => {
      const { typescript, schema } = await typesOfDictionary(typeOf(dictionary, options))
      if (options.schema === true) {
        terminal.output('dictionary types', schema)
        if (!terminal.json) terminal.text(jsonText(schema, 2))
      } else {
        terminal.output('dictionary types', { text: typescript })
        terminal.text(typescript)
      }
    })
}

/** The options of all verbs. */
interface ReadOptions {
  readonly dialect?: NonNullable<TypeOf['dialect']>
  readonly root?: readonly string[]
}

/** The options of verbs that work with values. */
interface TypeOptions extends ReadOptions {
  readonly class: string
}

function classOption(): Option {
  return new Option('--class <type>', 'the class of the value, such as Instance or List(int)').makeOptionMandatory()
}

function dialectOption(): Option {
  const help = 'the dialect of the dictionary (default: as its first line states, otherwise detected from the text)'
  return new Option('--dialect <letter>', help).choices(['A', 'B', 'C'])
}

function rootOption(): Option {
  const help =
    'a folder above the dictionary: includes that are not beside it are looked up in the folders above, up to this one (may be repeated)'
  return new Option('--root <folder>', help).argParser((folder: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    folder,
  ])
}

function optionsOf({ dialect, root: roots }: ReadOptions): DictionaryOptions {
  return { ...(dialect === undefined ? {} : { dialect }), ...(roots === undefined ? {} : { roots }) }
}

function typeOf(dictionary: string, options: TypeOptions): TypeOf {
  return { dictionary, type: options.class, ...optionsOf(options) }
}
