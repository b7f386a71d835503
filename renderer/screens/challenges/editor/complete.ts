import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { nameOf } from '../../../../grammars/formulas/checking/types.ts'
import { fieldsOfType, typesBefore, type Knowledge } from './knowledge.ts'
import { builtInClasses, functions, keywords, sectionWords } from './words.ts'

/** Completions at the cursor. `knowledge`: what is known of the text; null: nothing yet. */
export function completer(knowledge: () => Knowledge | null) {
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[A-Za-z_$][\w$]*/)
    const from = word?.from ?? context.pos
    const line = context.state.doc.lineAt(from)
    const before = context.state.sliceDoc(line.from, from)
    const survey = knowledge()?.survey ?? null
    if (/\.\s*$/.test(before) && !/\.\.\s*$/.test(before)) {
      if (survey === null) return null
      const fields = typesBefore(before.replace(/\.\s*$/, ''), survey).flatMap(fieldsOfType)
      return result(from, unique(fields.map(({ label, type }) => ({ label, type: 'property', detail: nameOf(type) }))))
    }
    if (word === null && !context.explicit) return null
    const block = blockAt(context.state.sliceDoc(Math.max(0, from - LOOK_BACK), from))
    const classes = (survey?.classes ?? []).map(({ name }) => ({ label: name, type: 'class' }))
    if (block === 'dictionary')
      return result(from, [...classes, ...builtInClasses.map((label) => ({ label, type: 'type' }))])
    if (block !== null || inText(before)) return null
    if (before.trim() === '' && before === '')
      return result(from, [...asWords(sectionWords, 'keyword'), ...asWords(keywords, 'keyword')])
    const names = [...(survey?.names ?? [])].map(([label, types]) => {
      return { label, type: 'variable', detail: [...new Set(types.map(nameOf))].join(' or ') }
    })
    const definitions = (survey?.definitions ?? []).map(({ name, text }) => {
      return { label: name, type: 'function', detail: text.slice(name.length) }
    })
    const leagues = (survey?.leagues ?? []).map(({ name, text }) => ({ label: name, type: 'constant', detail: text }))
    return result(
      from,
      unique([
        ...names,
        ...definitions,
        ...asWords(functions, 'function'),
        ...classes,
        ...asWords(keywords, 'keyword'),
        ...leagues,
      ]),
    )
  }
}

/** How many characters back the start of a block is searched for. */
const LOOK_BACK = 100_000

/** The word before the block in which a text ends; null if it ends outside of blocks. */
export function blockAt(text: string): string | null {
  const open = text.lastIndexOf('{{')
  if (open < 0 || text.indexOf('}}', open) >= 0) return null
  return /([A-Za-z]+)\s*$/.exec(text.slice(Math.max(0, open - 100), open))?.[1] ?? ''
}

/** True if the start of a line ends within quotes, but not within the braces of a formula in them. */
function inText(before: string): boolean {
  const quotes = before.match(/(?<!\\)"/g)?.length ?? 0
  return quotes % 2 === 1 && before.lastIndexOf('{') <= Math.max(before.lastIndexOf('}'), before.lastIndexOf('"'))
}

function asWords(list: typeof sectionWords, type: string): readonly Completion[] {
  return list.map(({ word, text }) => ({ label: word, type, detail: text }))
}

function unique(list: readonly Completion[]): readonly Completion[] {
  const seen = new Set<string>()
  return list.filter(({ label }) => !seen.has(label) && seen.add(label))
}

function result(from: number, options: readonly Completion[]): CompletionResult {
  return { from, options, validFor: /^[\w$]*$/ }
}
