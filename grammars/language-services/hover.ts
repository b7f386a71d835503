import type { Survey } from '../challenges/index.ts'
import { nameOf, typeOf } from '../formulas/checking/types.ts'
import { fieldsOfType, typesBefore } from './knowledge.ts'
import type { Knowledge } from './knowledge.ts'
import { functions, keywords, sectionWords } from './words.ts'

type ClassShape = NonNullable<Survey['classes']>[number]

/** Help for a part of a text, from offset `from` to `to`. The first line is code, the others are prose. */
export interface Hover {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

const sign = /[A-Za-z_$][\w$]*|<=|>=|!=|\.\.|[-+*/<>=[]/g

/** Help for the word or sign of a challenge at an offset; null: nothing is known of it. */
export function hoverAt(text: string, at: number, knowledge: Knowledge): Hover | null {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(start, end === -1 ? text.length : end)
  for (const found of line.matchAll(sign)) {
    const from = start + found.index
    const to = from + found[0].length
    if (at < from || at > to) continue
    const lines = describe(found[0], from, line.slice(0, found.index), knowledge, text)
    if (lines !== null) return { from, to, lines }
  }
  return null
}

/** `before`: the line up to the word. `now`: the text, which may have changed since it was surveyed. */
function describe(
  word: string,
  at: number,
  before: string,
  { survey, source }: Knowledge,
  now: string,
): readonly string[] | null {
  const { settings, definitions, classes, types, names } = survey
  const lines: string[] = []
  const isField = /\.\s*$/.test(before) && !/\.\.\s*$/.test(before)
  // Offsets are valid only for the text that was parsed.
  const exact = source === now ? types.get(at) : undefined
  const owners = isField ? typesBefore(before.replace(/\.\s*$/, ''), survey) : []
  const setting = owners.some((type) => type.kind === 'class' && type.name === 'config')
    ? settings.find(({ name }) => name === word)
    : undefined
  const definition = isField ? undefined : definitions.find(({ name }) => name === word)
  const shape = isField ? undefined : classes?.find(({ name }) => name === word)
  if (setting) {
    lines.push(`${word}: ${setting.type}`, `${setting.standard} by default, ${setting.low} to ${setting.high}`)
  } else if (definition) lines.push(definition.text)
  else if (shape) lines.push(classText(shape))
  else if (exact && exact.kind !== 'nothing') lines.push(`${word}: ${nameOf(exact)}`)
  else {
    const fields = owners.flatMap(fieldsOfType).filter(({ label }) => label === word)
    const found = isField ? fields.map(({ type }) => type) : (names.get(word) ?? [])
    if (found.length > 0) lines.push(`${word}: ${[...new Set(found.map(nameOf))].join(' or ')}`)
  }
  const help = [...functions, ...sectionWords, ...keywords].find((one) => one.word === word)
  if (help && !isField && !definition) lines.push(help.text)
  return lines.length > 0 ? lines : null
}

function classText(shape: ClassShape): string {
  if (shape.kind === 'choice') return `${shape.name}: ${shape.alternatives.map(({ name }) => name).join(' or ')}`
  const fields = shape.fields.map(({ label, type }) => `${label}: ${nameOf(typeOf(type))}`)
  return `${shape.name} { ${fields.join(', ')} }`
}
