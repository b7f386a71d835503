import type { Challenge } from '../../../../grammars/challenges/index.ts'
import { readDictionary } from '../../../../grammars/class-dictionary/index.ts'
import { compileValues, type ClassShape, type Shape, type Values } from '../../../../grammars/values/index.ts'
import type { Json } from '../../../contract/json.ts'
import { jsonObject, quoted, type JsonObject } from '../../json-lines.ts'
import { DICTIONARY } from './dictionary.ts'

/** A representation of messages as lines, in both directions. */
export interface Language {
  /** Prints an administrator's message of messages.ts, with `question` and `limitMs` if it is a question. */
  tell(message: JsonObject): string
  /** Parses a player's line to a bundle with `question`; a string says in one sentence why it is not valid. */
  hear(line: string): JsonObject | string
}

/** JSON lines. */
export const json: Language = { tell: (message) => JSON.stringify(message), hear: jsonObject }

/** The text of specker.cd in both directions, also for the player's side. */
export interface Text extends Language {
  /** Prints a player's bundle with `question`. */
  say(bundle: JsonObject): string
  /** Parses an administrator's line. */
  listen(line: string): JsonObject | string
}

/**
 * JSON and text correspond: the dictionary's fields have the names of the JSON members, an alternative's name is the
 * `type`, and absent members are left out. Predicates, raw material and solutions are printed with the challenge's own
 * dictionary.
 */
export function textOf({ values }: Pick<Challenge, 'values'>): Text {
  const dictionary = readOnce()
  const print = (value: Json, type: 'Told' | 'Said'): string =>
    dictionary.print(toTree(value, shapeOf(dictionary, type), '', values), type)
  const parse = (line: string, type: 'Told' | 'Said'): JsonObject | string => {
    const parsed = dictionary.parse(line, type)
    if (!parsed.ok) return `The line ${quoted(line)} is not of the language: column ${columnOf(parsed.problem)}.`
    try {
      return fromTree(parsed.value, shapeOf(dictionary, type), '', values) as JsonObject
    } catch (error) {
      if (error instanceof Foreign) return error.message
      throw error
    }
  }
  return {
    tell: (message) => print(asked(message), 'Told'),
    listen(line) {
      const told = parse(line, 'Told')
      return typeof told === 'string' ? told : flat(told)
    },
    say: (bundle) => print({ ...bundle, type: typeOfBundle(bundle) }, 'Said'),
    hear(line) {
      const said = parse(line, 'Said')
      if (typeof said === 'string') return said
      const { type, ...bundle } = said
      if (type === 'ready') return { ...bundle, ready: true }
      return type === 'unasked' ? { ...bundle, question: null } : bundle
    },
  }
}

/** A player's text does not belong to the challenge's own language. */
class Foreign extends Error {}

let known: Values | null = null

/** Cached, because reading takes some milliseconds and every player has a wire. */
function readOnce(): Values {
  if (known !== null) return known
  const { dictionary, problems } = readDictionary(DICTIONARY)
  if (dictionary === null) throw new Error(`specker.cd: ${problems[0]?.message ?? 'no dictionary'}`)
  known = compileValues(dictionary)
  return known
}

function shapeOf(dictionary: Values, type: string): Shape {
  const found = dictionary.shape(type)
  if (!found.ok) throw new Error(`specker.cd: ${found.problem.message}`)
  return found.shape
}

function columnOf({ at, message }: { readonly at: { readonly column: number }; readonly message: string }): string {
  return `${at.column}: ${message.replace(/\.$/, '')}`
}

function typeOfBundle({ question, ready }: JsonObject): string {
  if (ready === true) return 'ready'
  return question === null ? 'unasked' : 'answer'
}

/** Puts a message and its question side by side, as in the dictionary. */
function asked(message: JsonObject): JsonObject {
  const { question, limitMs, ...rest } = message
  if (message['type'] === 'refused' || question === undefined) return { message }
  return { question: { number: question, limitMs: limitMs! }, message: rest }
}

function flat({ question, message }: JsonObject): JsonObject {
  const { number, limitMs } = (question ?? {}) as JsonObject
  return { ...(message as JsonObject), ...(number === undefined ? {} : { question: number, limitMs: limitMs! }) }
}

/** Fields that contain text of the challenge's own language, with their types. */
const foreign: Readonly<Record<string, string>> = {
  predicate: 'Predicate',
  instance: 'Instance',
  solution: 'Solution',
}

/** Classes whose absent members are null in JSON; elsewhere they are left out. */
const nulls: ReadonlySet<string> = new Set(['Choices', 'Refused'])
/** Their members that are left out nevertheless, because recorded messages do not have them. */
const leftOut: ReadonlySet<string> = new Set(['falseSecrets', 'judgement'])

/** The `type` of a class, such as `accepted` of `AcceptedEvent`. */
function typeOf(name: string): string {
  return name.replace(/Event$/, '').toLowerCase()
}

/** An option with a keyword needs a class; a class whose only field has its own name is not an object in JSON. */
function isWrapper({ fields }: ClassShape, label: string): boolean {
  return fields.length === 1 && fields[0]!.label === label
}

function toTree(value: Json | undefined, shape: Shape, label: string, own: Values): Json {
  switch (shape.kind) {
    case 'option':
      return value === undefined || value === null ? null : toTree(value, shape.of, label, own)
    case 'list':
      return settingsOrList(value!, label).map((item) => toTree(item, shape.of, '', own))
    case 'class':
      return treeOf(isWrapper(shape, label) ? { [label]: value! } : (value as JsonObject), shape, own)
    case 'choice': {
      const { type } = value as JsonObject
      const chosen = shape.alternatives.find(({ name }) => typeOf(name) === type)
      if (chosen === undefined) throw new TypeError(`specker.cd has no ${JSON.stringify(type)}`)
      return { $: chosen.name, ...treeOf(value as JsonObject, chosen, own) }
    }
    default:
      return Object.hasOwn(foreign, label) ? own.print(value!, foreign[label]!) : value!
  }
}

/** A challenge's settings are an object in JSON. */
function settingsOrList(value: Json, label: string): readonly Json[] {
  if (label !== 'config') return value as readonly Json[]
  return Object.entries(value as JsonObject).map(([name, setting]) => ({ name, value: setting }))
}

function treeOf(value: JsonObject, { fields }: ClassShape, own: Values): JsonObject {
  return Object.fromEntries(
    fields.map(({ label, type }) => {
      // The settings that came with protocol 2 are among the others in JSON.
      const member = label === 'more' ? ('mode' in value ? value : null) : value[label]
      return [label, toTree(member, type, label, own)]
    }),
  )
}

function fromTree(tree: Json, shape: Shape, label: string, own: Values): Json {
  switch (shape.kind) {
    case 'option':
      return tree === null ? null : fromTree(tree, shape.of, label, own)
    case 'list': {
      const items = (tree as readonly Json[]).map((item) => fromTree(item, shape.of, '', own))
      if (label !== 'config') return items
      const settings = items as unknown as readonly { readonly name: string; readonly value: Json }[]
      return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
    }
    case 'class':
      return isWrapper(shape, label)
        ? fromTree((tree as JsonObject)[label]!, shape.fields[0]!.type, label, own)
        : objectOf(tree as JsonObject, shape, own)
    case 'choice': {
      const name = (tree as JsonObject)['$']
      const chosen = shape.alternatives.find((alternative) => alternative.name === name)!
      return { type: typeOf(chosen.name), ...objectOf(tree as JsonObject, chosen, own) }
    }
    default:
      return Object.hasOwn(foreign, label) ? ownValue(tree as string, label, own) : tree
  }
}

function objectOf(tree: JsonObject, { name, fields }: ClassShape, own: Values): JsonObject {
  const members = fields.flatMap(({ label, type }): (readonly [string, Json])[] => {
    const value = fromTree(tree[label]!, type, label, own)
    if (label === 'more') return value === null ? [] : Object.entries(value as JsonObject)
    return value === null && (!nulls.has(name) || leftOut.has(label)) ? [] : [[label, value]]
  })
  return Object.fromEntries(members)
}

function ownValue(text: string, label: string, own: Values): Json {
  const parsed = own.parse(text, foreign[label]!)
  if (parsed.ok) return parsed.value
  throw new Foreign(
    `The ${label} ${quoted(text)} is not of the challenge's language: column ${columnOf(parsed.problem)}.`,
  )
}
