import { readFileSync } from 'node:fs'
import type { Dictionary } from '../../../grammars/class-dictionary/index.ts'
import { readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { compileValues } from '../../../grammars/values/index.ts'

const file = new URL('../../../grammars/challenges/class-dictionary.cd', import.meta.url)
export const description = readFileSync(file, 'utf8')
const values = compileValues(readDictionary(description).dictionary!)

type JsonObject = { readonly [key: string]: Json }
const nowhere = { line: 1, column: 1, offset: 0 }

/** A text parsed by the dictionary of dictionaries, as a model with all places at the beginning; null: refused. */
export function describedTree(text: string): unknown {
  const parsed = values.parse(text, 'Dictionary')
  return parsed.ok ? dictionary(parsed.value as JsonObject) : null
}

/** The text of the value that a text stands for. */
export function describedPrint(text: string): string {
  const parsed = values.parse(text, 'Dictionary')
  if (!parsed.ok) throw new Error(parsed.problem.message)
  return values.print(parsed.value, 'Dictionary')
}

/** Positions set to the beginning. */
export function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'at' ? nowhere : inner)))
}

function dictionary(value: JsonObject): Dictionary {
  const at = nowhere
  const { used, packaged, look } = value
  return withoutPlaces({
    dialect: 'C',
    includes: list(value['includes']).map(({ flag, name }) => ({ flag: word(flag), name, at })),
    using: used === null ? [] : parameters((used as JsonObject)['names']),
    package: packaged === null ? null : qualified((packaged as JsonObject)['name']),
    lookahead: look === null ? null : { value: number((look as JsonObject)['tokens'] as JsonObject), at },
    imports: list(value['imports']).map(({ name }) => qualified(name)),
    definitions: list(value['classes']).map(definition),
    included: [],
  }) as Dictionary
}

function definition(value: JsonObject): unknown {
  const { $, flag, name, alternatives } = value
  const formals = value['parameters'] as JsonObject | null
  const supers = value['supers'] as JsonObject | null | undefined
  const bar = (alternatives as JsonObject | null)?.['bar'] as JsonObject | undefined
  return {
    flag: word(flag),
    isInterface: $ === 'Interface',
    name,
    at: nowhere,
    parameters: formals === null ? [] : parameters(formals['names']),
    alternatives: bar === undefined ? [] : [bar['first'], ...list(bar['rest']).map(({ type }) => type)].map(typeUse),
    parts: list(value['parts'] ?? []).map(part),
    implements: supers === null || supers === undefined ? [] : types(supers['types']),
  }
}

const commands: { readonly [name: string]: string } = {
  Space: '*s',
  Tab: '*t',
  Line: '*l',
  Return: '*r',
  Indent: '+',
  Unindent: '-',
}

function part({ $, label, type, text }: JsonObject): unknown {
  const at = nowhere
  if ($ === 'Field') return { kind: 'field', label, at, type: typeUse(type) }
  if ($ === 'Literal') return { kind: 'literal', text, at }
  if ($ === 'End') return { kind: 'end', at }
  return { kind: 'print', command: commands[$ as string], at }
}

function typeUse(value: Json | undefined): unknown {
  const { name, arguments: inner } = value as JsonObject
  return { name, at: nowhere, arguments: inner === null ? [] : types((inner as JsonObject)['types']) }
}

function types(value: Json | undefined): unknown[] {
  const { first, rest } = value as JsonObject
  return [first, ...list(rest).map(({ type }) => type)].map(typeUse)
}

function parameters(value: Json | undefined): unknown[] {
  const { first, rest } = value as JsonObject
  return [first as JsonObject, ...list(rest).map(({ parameter }) => parameter as JsonObject)].map(
    ({ name, bound }) => ({
      name,
      at: nowhere,
      bound: bound === null ? null : typeUse((bound as JsonObject)['type']),
    }),
  )
}

function qualified(value: Json | undefined): unknown {
  const { first, rest, all } = value as JsonObject
  return { name: [first, ...list(rest).map(({ name }) => name)].join('.'), all: all !== null, at: nowhere }
}

function number({ digits, hexadecimal }: JsonObject): Json {
  return hexadecimal === null ? digits! : Number(`${digits as number}${hexadecimal as string}`)
}

function word(flag: Json | undefined): string | null {
  return flag === null ? null : ((flag as JsonObject)['$'] as string).toLowerCase()
}

function list(value: Json | undefined): readonly JsonObject[] {
  return value as readonly JsonObject[]
}
