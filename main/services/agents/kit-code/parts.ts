import type { Form, MessageModel } from '../../../contract/game/message-model.ts'

/** The names of a definition and of all that its values may hold. */
export function reachedFrom({ definitions }: MessageModel, name: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const visit = (form: Form): void => {
    if (form.kind === 'list' || form.kind === 'nullable') visit(form.of)
    if (form.kind === 'named') visitNamed(form.name)
  }
  const visitNamed = (named: string): void => {
    const definition = definitions.find((each) => each.name === named)
    if (definition === undefined || reached.has(named)) return
    reached.add(named)
    if (definition.kind === 'record') for (const { form } of definition.fields) visit(form)
    if (definition.kind === 'union') for (const { record } of definition.cases) visitNamed(record)
  }
  visitNamed(name)
  return reached
}

/** A word as a name with underscores: `cop-foot` becomes `cop_foot`, `toSolve` becomes `to_solve`. */
export const snakeName = (word: string): string =>
  word
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()

/** A name that is not a keyword of a language. */
export const safeName = (name: string, keywords: ReadonlySet<string>): string =>
  keywords.has(name) ? `${name}_` : name

/** The marks of a comment before its first line, before the others and behind the last one. */
interface Marks {
  readonly open: string
  readonly next: string
  readonly close: string
}

/** A comment with an end of line, or nothing for an empty text. Lines have up to `width` characters. */
export function commentOf(text: string, indent: string, { open, next, close }: Marks, width: number): string {
  if (text === '') return ''
  const lines: string[] = []
  let line = ''
  for (const word of text.replaceAll('*/', '* /').split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (indent.length + next.length + longer.length + close.length > width && line !== '') {
      lines.push(line)
      line = word
    } else line = longer
  }
  lines.push(line)
  return lines
    .map((each, at) => `${indent}${at === 0 ? open : next}${each}${at === lines.length - 1 ? close : ''}\n`)
    .join('')
}
