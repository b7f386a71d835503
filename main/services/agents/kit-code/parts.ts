import type { Field, Form, MessageModel, UnionDefinition } from '../../../contract/game/message-model.ts'

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

/** Fields with a value of their own; a constant has none. */
export const membersOf = (fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ form }) => form.kind !== 'constant')

/** The end of an error about a message whose type a union does not have. */
export function expectedOf(field: string | null, cases: UnionDefinition['cases']): string {
  const keys = cases.map(({ key }) => key).join(', ')
  return field === null ? `expected one of the fields ${keys}` : `expected one of these as ${field}: ${keys}`
}

/** The parts of a word between characters that no name may have; never empty, and the first begins with a letter. */
function partsOf(word: string): readonly string[] {
  const parts = word.split(/[^A-Za-z0-9]+/).filter((part) => part !== '')
  return /^[A-Za-z]/.test(parts[0] ?? '') ? parts : ['n', ...parts]
}

/** A word as a name in capitals: `max_rounds`, `cop-foot` become `MaxRounds`, `CopFoot`. */
export const pascalName = (word: string): string =>
  partsOf(word)
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('')

/** A word as a name that begins small: `max_rounds` becomes `maxRounds`. */
export const camelName = (word: string): string => {
  const upper = pascalName(word)
  return `${upper.charAt(0).toLowerCase()}${upper.slice(1)}`
}

/** A word as a name with underscores: `cop-foot` becomes `cop_foot`, `toSolve` becomes `to_solve`. */
export const snakeName = (word: string): string =>
  partsOf(word.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2'))
    .join('_')
    .toLowerCase()

/** A name that is not a keyword of a language. */
export const safeName = (name: string, keywords: ReadonlySet<string>): string =>
  keywords.has(name) ? `${name}_` : name

/** A text between quotation marks, as JSON, Python, Go, Java and C++ write it. */
export const quoted = (text: string): string => JSON.stringify(text.toWellFormed())

/** The same in single quotation marks, as the project's own TypeScript has them. */
export const singleQuoted = (text: string): string =>
  `'${quoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** The marks of a comment before its first line, before the others and behind the last one. */
interface Marks {
  readonly open: string
  readonly next: string
  readonly close: string
}

/** Comments of lines, as of Go, and blocks, as of TypeScript and C++. */
export const lineMarks = (mark: string): Marks => ({ open: `${mark} `, next: `${mark} `, close: '' })
export const blockMarks: Marks = { open: '/** ', next: ' * ', close: ' */' }

/** A comment with an end of line, or nothing for an empty text, which cannot end the comment. Lines have up to `width` characters. */
export function commentOf(text: string, indent: string, { open, next, close }: Marks, width = Infinity): string {
  if (text === '') return ''
  const lines: string[] = []
  let line = ''
  for (const word of text.replaceAll('*/', '* /').split(/[\s\p{Cc}]+/u)) {
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
