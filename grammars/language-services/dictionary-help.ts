import { builtInArity, builtInNames, lexicalNames } from '../class-dictionary/built-in.ts'
import { printDictionary, readDictionary } from '../class-dictionary/index.ts'
import type { Completion, Completions } from './complete.ts'
import { dictionaryThings } from './dictionary-things.ts'
import type { ReadFile } from './dictionary-things.ts'
import type { Hover } from './hover.ts'
import { thingAt } from './occurrences.ts'

/** Help for the name at an offset of a class dictionary: the class as its printer prints it. null: nothing is known of it. */
export function dictionaryHoverAt(read: ReadFile, offset: number): Hover | null {
  const text = read(null) ?? ''
  const found = thingAt(dictionaryThings(read), offset)
  const { dictionary, dialect } = readDictionary(text, { resolve: read })
  if (found === null || dictionary === null) return null
  const { thing, at } = found
  const shown = (lines: readonly string[]): Hover => ({ from: at.from, to: at.to, lines })
  if (thing.kind !== 'class') return shown([`${thing.name}: ${thing.kind}`])
  const files = [dictionary, ...dictionary.included.map(({ dictionary: included }) => included)]
  for (const file of files) {
    const definition = file.definitions.find(({ name }) => name === thing.name)
    if (definition === undefined) continue
    const alone = { ...file, includes: [], using: [], package: null, lookahead: null, imports: [], included: [] }
    const printed = printDictionary({ ...alone, definitions: [definition], terminalSets: [] })
    return shown([printed.split('\n').find((line) => !line.startsWith('//') && line !== '') ?? thing.name])
  }
  const lexical = lexicalNames.get(thing.name)
  const arity = builtInArity(thing.name, dialect)
  if (arity === undefined) return null
  return shown([
    lexical === undefined ? `${thing.name}(${'X, Y'.slice(0, arity * 3 - 2)})` : thing.name,
    'a built-in class',
  ])
}

const words = [
  'include',
  'using',
  'package',
  'import',
  'lookahead',
  'nogen',
  'noparse',
  'extern',
  'interface',
  'implements',
]

/** Completions of a class dictionary behind the text `before`: classes of the text, built-in classes and words. */
export function dictionaryCompletions(text: string, before: string): Completions | null {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const typed = /[A-Za-z_$][\w$]*$/.exec(line)?.[0].length ?? 0
  if (/\/\//.test(line) || (line.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1) return null
  // Also while the text has mistakes: whatever is defined at the beginning of a line or behind a class.
  const defined = [...text.matchAll(/(?:^|\.)[ \t]*(?:[a-z]+[ \t]+){0,4}([A-Za-z_$][\w$]*)(?:\([^()\n]*\))?\s*[=:~]/gm)]
  const own = defined.map(([, label]): Completion => ({ label: label!, kind: 'class' }))
  const { dialect } = readDictionary(text.slice(0, LONGEST))
  const builtIn = [...builtInNames(dialect)].map((label): Completion => ({ label, kind: 'type' }))
  const all = [...own, ...builtIn, ...words.map((label): Completion => ({ label, kind: 'keyword' }))]
  return { typed, items: [...new Map(all.toReversed().map((one) => [one.label, one])).values()].toReversed() }
}

/** The part of a text by which its dialect is detected. */
const LONGEST = 100_000
