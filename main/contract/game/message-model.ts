import * as z from 'zod'
import type { Json } from '../json.ts'
import type { ProgramMessages } from './program-messages.ts'

// The messages of a game in a form that belongs to no language, from which types of kits are written.

/** The form of a value. */
export type Form =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'json' }
  /** A whole number; null: no limit but those of a JSON number. */
  | { readonly kind: 'int'; readonly min: number | null; readonly max: number | null }
  /** A field that is always this: a word, true or null. Types need no member for it; writers write it. */
  | { readonly kind: 'constant'; readonly value: string | true | null }
  /** An optional field that is `true` where it is there: a boolean of types. */
  | { readonly kind: 'flag' }
  | { readonly kind: 'list'; readonly of: Form }
  | { readonly kind: 'nullable'; readonly of: Form }
  | { readonly kind: 'named'; readonly name: string }

export interface Field {
  /** As in JSON, such as `max_rounds`. */
  readonly name: string
  readonly doc: string
  readonly form: Form
  /** The field may be absent. */
  readonly optional: boolean
}

export interface RecordDefinition {
  readonly kind: 'record'
  readonly name: string
  readonly doc: string
  readonly fields: readonly Field[]
}

export interface EnumDefinition {
  readonly kind: 'enum'
  readonly name: string
  readonly doc: string
  readonly values: readonly string[]
}

/** One of several records. `field`: the name of the constant that tells them apart; null: by `key`. */
export interface UnionDefinition {
  readonly kind: 'union'
  readonly name: string
  readonly doc: string
  readonly field: string | null
  /** `key`: the constant's value or, without `field`, the name of a field that only this record must have. */
  readonly cases: readonly { readonly record: string; readonly key: string }[]
}

export type Definition = RecordDefinition | EnumDefinition | UnionDefinition

export interface MessageModel {
  readonly game: string
  readonly title: string
  readonly form: 'lines' | 'text'
  /** Lines have `body`. */
  readonly bodies: boolean
  /** The unions of messages to and of a program. */
  readonly told: string
  readonly said: string
  /** By name, each after those that it needs. */
  readonly definitions: readonly Definition[]
}

/** The part of JSON Schema that messages use. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  /** The description of the type itself, where a field has its own. */
  readonly $comment?: string
  readonly const?: Json
  readonly enum?: readonly Json[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
}

/** The model of a game's messages. Throws an Error that names the part that it cannot express. */
export function messageModel(game: string, title: string, messages: ProgramMessages): MessageModel {
  const known = new Map<string, Definition>()
  const nameOf = (type: z.ZodType): string => {
    const form = formOf(z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema, game, known)
    if (form.kind !== 'named') throw new Error(`${game}: the messages must be a union with a name`)
    return form.name
  }
  const [told, said] = [nameOf(messages.told), nameOf(messages.said)]
  const { form, bodies = false } = messages
  return { game, title, form, bodies, told, said, definitions: [...known.values()] }
}

type Known = Map<string, Definition>

function formOf(schema: Schema, at: string, known: Known): Form {
  const members = schema.anyOf ?? schema.oneOf
  if (members !== undefined) return unionOf(schema, members, at, known)
  if (Array.isArray(schema.type)) {
    const types = schema.type as readonly string[]
    return unionOf(
      schema,
      types.map((type) => ({ ...schema, type })),
      at,
      known,
    )
  }
  if (schema.const !== undefined) {
    if (typeof schema.const !== 'string' && schema.const !== true) throw new Error(`${at}: no form for a constant`)
    return { kind: 'constant', value: schema.const }
  }
  if (schema.enum !== undefined) {
    const values = schema.enum.map(String)
    refuseAlike(values, at)
    return add({ kind: 'enum', name: nameOf(schema, at), doc: docOf(schema), values }, known)
  }
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { kind: schema.type }
    case 'integer':
      return { kind: 'int', min: limit(schema.minimum), max: limit(schema.maximum) }
    case 'null':
      return { kind: 'constant', value: null }
    case 'array':
      return { kind: 'list', of: formOf(schema.items ?? {}, `${at}[]`, known) }
    case 'object':
      return recordOf(schema, at, known)
    case undefined:
      return { kind: 'json' }
    default:
      throw new Error(`${at}: no form for the type ${String(schema.type)}`)
  }
}

/** Limits of the language's own whole numbers are not limits of messages. */
const limit = (value: number | undefined): number | null =>
  value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER ? null : value

function unionOf(schema: Schema, members: readonly Schema[], at: string, known: Known): Form {
  const others = members.filter(({ type }) => type !== 'null')
  if (others.length < members.length) {
    const [only, ...more] = others
    if (only === undefined || more.length > 0) throw new Error(`${at}: null or one form`)
    return { kind: 'nullable', of: formOf(only, at, known) }
  }
  const numbers = members.map((each) => each.const)
  if (numbers.every((each) => typeof each === 'number'))
    return { kind: 'int', min: Math.min(...numbers), max: Math.max(...numbers) }
  const records = members.map((each) => ({ record: recordOf(each, at, known).name, schema: each }))
  const field = Object.keys(members[0]?.properties ?? {}).find((name) =>
    members.every((each) => typeof each.properties?.[name]?.const === 'string'),
  )
  const cases = records.map(({ record, schema: own }) => ({
    record,
    key: field === undefined ? keyOf(own, members, at) : (own.properties![field]!.const as string),
  }))
  const doc = docOf(schema)
  return add({ kind: 'union', name: nameOf(schema, at), doc, field: field ?? null, cases }, known)
}

/** A field that only this member must have. */
function keyOf(own: Schema, members: readonly Schema[], at: string): string {
  const key = own.required?.find((name) => members.every((each) => each === own || !(name in (each.properties ?? {}))))
  if (key === undefined) throw new Error(`${at}: nothing tells ${own.title ?? 'a member'} from the others`)
  return key
}

function recordOf(schema: Schema, at: string, known: Known): { readonly kind: 'named'; readonly name: string } {
  const name = nameOf(schema, at)
  refuseAlike(Object.keys(schema.properties ?? {}), at)
  const fields = Object.entries(schema.properties ?? {}).map(([field, part]): Field => {
    const optional = schema.required?.includes(field) !== true
    const form = formOf(part, `${at}.${field}`, known)
    const isFlag = optional && form.kind === 'constant' && form.value === true
    return { name: field, doc: part.description ?? '', form: isFlag ? { kind: 'flag' } : form, optional }
  })
  return add({ kind: 'record', name, doc: docOf(schema), fields }, known)
}

/** Languages have names of letters and digits, in capitals or not: `max_rounds` and `maxRounds` would be one. */
function refuseAlike(names: readonly string[], at: string): void {
  const known = new Map<string, string>()
  for (const name of names) {
    // A name that begins otherwise than with a letter gets an n in front of it.
    const letters = name
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .toLowerCase()
      .replace(/^(?![a-z])/, 'n')
    const other = known.get(letters)
    if (other !== undefined) throw new Error(`${at}: ${other} and ${name} would have one name in code`)
    known.set(letters, name)
  }
}

const docOf = ({ $comment, description }: Schema): string => $comment ?? description ?? ''

function add(definition: Definition, known: Known): { readonly kind: 'named'; readonly name: string } {
  const { name } = definition
  const former = known.get(name)
  if (former === undefined) known.set(name, definition)
  else if (shapeOf(former) !== shapeOf(definition)) throw new Error(`${name} has two forms`)
  return { kind: 'named', name }
}

const shapeOf = (definition: Definition): string =>
  JSON.stringify(definition, (key, value: unknown) => (key === 'doc' ? undefined : value))

function nameOf({ title }: Schema, at: string): string {
  if (title === undefined) throw new Error(`${at}: an object, a union and a list of words need a name`)
  return title
}
