import { nameOf } from '../formulas/checking/types.ts'
import { fieldsOfType, typesBefore } from './knowledge.ts'
import type { Knowledge } from './knowledge.ts'
import { builtInClasses, formats, functions, keywords, sectionWords } from './words.ts'

export interface Completion {
  readonly label: string
  readonly kind: 'keyword' | 'function' | 'variable' | 'property' | 'class' | 'type' | 'constant'
  readonly detail?: string
}

/** The completions at a place. `typed`: the length of the word before it, which they replace. */
export interface Completions {
  readonly typed: number
  readonly items: readonly Completion[]
}

/** How many characters before the cursor completion needs at most: the start of a block is searched for in them. */
export const LOOK_BACK = 100_000

/**
 * Completions of a challenge behind the text `before`, or its last `LOOK_BACK` characters. `knowledge`: what is known of the
 * text; null: nothing yet. `asked`: also where no word has been begun. null: nothing can be completed.
 */
export function completionsAfter(before: string, knowledge: Knowledge | null, asked: boolean): Completions | null {
  const typed = /[A-Za-z_$][\w$]*$/.exec(before)?.[0].length ?? 0
  const text = before.slice(0, before.length - typed)
  const line = text.slice(text.lastIndexOf('\n') + 1)
  const survey = knowledge?.survey ?? null
  const named = formatAfter(before)
  if (named !== null) return asked || named.typed > 0 ? named : null
  if (isAfterPoint(line)) {
    if (survey === null) return null
    const fields = typesBefore(line.replace(/\.\s*$/, ''), survey).flatMap(fieldsOfType)
    return result(
      typed,
      fields.map(({ label, type }) => ({ label, kind: 'property', detail: nameOf(type) })),
    )
  }
  if (typed === 0 && !asked) return null
  const block = blockAt(text)
  const classes = (survey?.classes ?? []).map(({ name }): Completion => ({ label: name, kind: 'class' }))
  if (block === 'dictionary') {
    return result(typed, [...classes, ...builtInClasses.map((label): Completion => ({ label, kind: 'type' }))])
  }
  if (block !== null || inText(line)) return null
  if (line === '') return result(typed, [...asWords(sectionWords, 'keyword'), ...asWords(keywords, 'keyword')])
  const names = [...(survey?.names ?? [])].map(([label, types]): Completion => {
    return { label, kind: 'variable', detail: [...new Set(types.map(nameOf))].join(' or ') }
  })
  const definitions = (survey?.definitions ?? []).map(({ name, text: call }): Completion => {
    return { label: name, kind: 'function', detail: call.slice(name.length) }
  })
  const leagues = (survey?.leagues ?? []).map(({ name, text: title }): Completion => {
    return { label: name, kind: 'constant', detail: title }
  })
  const own = [...names, ...definitions]
  return result(typed, [
    ...own,
    ...asWords(functions, 'function'),
    ...classes,
    ...asWords(keywords, 'keyword'),
    ...leagues,
  ])
}

/** The completions of a section "format": a name, which may have hyphens, then perhaps one word. null: the text does not end in one. */
function formatAfter(before: string): Completions | null {
  const [, gap, begun] = /(?:^|\n)format[ \t]+([a-z-]+[ \t]+)?([a-z-]*)$/.exec(before) ?? []
  if (begun === undefined || blockAt(before) !== null) return null
  if (gap === undefined) return result(begun.length, asWords(formats, 'constant'))
  return result(
    begun.length,
    asWords(
      keywords.filter(({ word }) => word === 'best'),
      'keyword',
    ),
  )
}

/** True if a line ends with the point before a field, not with the two of a range. */
function isAfterPoint(line: string): boolean {
  return /\.\s*$/.test(line) && !/\.\.\s*$/.test(line)
}

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

function asWords(list: typeof sectionWords, kind: Completion['kind']): readonly Completion[] {
  return list.map(({ word, text }) => ({ label: word, kind, detail: text }))
}

/** The first of several completions with one label counts. */
function result(typed: number, all: readonly Completion[]): Completions {
  const seen = new Set<string>()
  return { typed, items: all.filter(({ label }) => !seen.has(label) && seen.add(label)) }
}
