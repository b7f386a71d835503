import * as z from 'zod'
import type { Json } from '../../main/contract/json.ts'
import type { TextField } from '../../main/contract/procedures/class-texts.ts'
import { number } from '../words.ts'
import type { Field, NumberField, NumbersField, Problems, Settings } from './field.ts'
import type { GameSettings } from './game.ts'
import { shownText } from './text-names.ts'

/** Facts about a field that a schema does not hold. Without them the label is the name in the config. */
export interface FieldWords {
  readonly label?: string
  readonly hint?: string
  /** For a number: units of the config in one unit as people write it. Default: 1. */
  readonly unit?: number
  /** For an optional number or a list of numbers: the meaning of an empty field. */
  readonly empty?: string
  /** For a list of numbers: why one of them cannot stand in it, beyond the schema's bounds; null: it can. */
  readonly problem?: (number: number) => string | null
  /** For a choice: names and descriptions of its options. */
  readonly options?: Readonly<Record<string, string | readonly [label: string, hint: string]>>
  readonly when?: (settings: Settings) => boolean
  /** For a list of the game's named texts: their kind. */
  readonly of?: TextField
}

/** As much of a schema as a field asks for. */
interface Described {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: Json
  /** The items of a list. */
  readonly items?: Described
  readonly maxItems?: number
  /** The alternatives of a nullable value; the first one is its type. */
  readonly anyOf?: readonly Described[]
}

/**
 * The fields of a config in the order of its schema: one for every number, every choice and every yes or no, so that what a
 * game gains appears by itself, one for every list of numbers, and one for every list of named texts that `words` tells of. `standards`: what is meant where the schema names no default; without one of these, a choice
 * begins at its first option. `newContestSettings`: what the game gives a new contest instead of the schema's default.
 */
export function fieldsOf(
  schema: z.ZodType,
  words: Readonly<Record<string, FieldWords>>,
  standards: Settings = {},
  newContestSettings: Settings = {},
): readonly Field[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties as Readonly<Record<string, Described>>).flatMap(([name, described]) =>
    fieldOf(
      name,
      { ...core(described), default: newContestSettings[name] ?? described.default ?? standards[name] ?? null },
      words[name] ?? {},
    ),
  )
}

/** The type of a nullable value when it is not null. */
function core(described: Described): Described & { readonly nullable: boolean } {
  const [first, second] = described.anyOf ?? []
  return first !== undefined && second?.type === 'null'
    ? { ...first, nullable: true }
    : { ...described, nullable: false }
}

function fieldOf(
  name: string,
  described: Described & { readonly nullable: boolean },
  words: FieldWords,
): readonly Field[] {
  const { type, nullable, minimum = -Infinity, maximum = Infinity, default: standard } = described
  const {
    label = spaced(name),
    hint = '',
    unit = 1,
    empty = 'as usual',
    options = {},
    when = () => true,
    of,
    problem = () => null,
  } = words
  const named = { name, label, hint, when }
  switch (type) {
    case 'integer':
    case 'number':
      return [
        {
          ...named,
          kind: 'number',
          standard: typeof standard === 'number' ? standard / unit : null,
          least: minimum / unit,
          most: maximum / unit,
          whole: type === 'integer' && unit === 1,
          unit,
          empty: nullable ? empty : null,
        },
      ]
    case 'boolean':
      return [{ ...named, kind: 'switch', standard: standard === true }]
    case 'array': {
      const { items = {}, maxItems = Infinity } = described
      if (items.type === 'integer') {
        const { minimum: least = -Infinity, maximum: most = Infinity } = items
        const numbers = Array.isArray(standard) ? standard.map(Number) : []
        return [{ ...named, kind: 'numbers', standard: numbers, length: maxItems, least, most, empty, problem }]
      }
      const texts = Array.isArray(standard) ? standard.filter((text) => typeof text === 'string') : []
      return of === undefined ? [] : [{ ...named, kind: 'texts', standard: texts, of }]
    }
    case 'string': {
      const values = described.enum ?? []
      const first = values[0]
      if (first === undefined) return []
      return [
        {
          ...named,
          kind: 'choice',
          standard: typeof standard === 'string' ? standard : first,
          options: values.map((value) => {
            const [called, meaning = hint] = [options[value] ?? spaced(value)].flat()
            return { value, label: called ?? value, hint: meaning }
          }),
        },
      ]
    }
    default:
      return []
  }
}

/** A name of a config as people write it: `profitFactor` is `Profit factor`, `maxConstraints` is `Max. constraints`. */
export function spaced(name: string): string {
  const apart = name.replace(/[-_]/g, ' ').replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const words = apart.replace(/\b(max|min)(?= )/g, '$1.')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The initial contents of the fields. */
export function initialOf(fields: readonly Field[]): Settings {
  return Object.fromEntries(fields.map(({ name, standard }) => [name, standard]))
}

/** Settings that are those of the fields and nothing else. A game replaces the members that know more. */
export function settingsOf(fields: readonly Field[]) {
  return {
    initial: initialOf(fields),
    fields,
    problems: (given) => problemsOf(fields, given),
    config: (given) => configOf(fields, given),
    words: (config) => wordsOf(fields, settingsIn(config)),
  } satisfies GameSettings
}

/** The settings in a config; none where it is not an object. */
export function settingsIn(config: Json): Settings {
  return typeof config === 'object' && config !== null && !Array.isArray(config) ? (config as Settings) : {}
}

/** The problems of the fields' contents. */
export function problemsOf(fields: readonly Field[], settings: Settings): Problems {
  const wrong = fields.flatMap((field) => {
    const problem = field.when(settings) ? problemOf(field, settings[field.name]) : null
    return problem === null ? [] : [[field.name, problem] as const]
  })
  return Object.fromEntries(wrong)
}

function problemOf(field: Field, value: Json | undefined): string | null {
  if (field.kind === 'texts') return Array.isArray(value) && value.length > 0 ? null : 'Choose at least one.'
  if (field.kind === 'numbers') return numbersProblem(field, value)
  return field.kind === 'number' ? numberProblem(field, value) : null
}

function numbersProblem({ length, least, most, problem }: NumbersField, value: Json | undefined): string | null {
  const numbers = Array.isArray(value) ? value : []
  if (numbers.length > length) return `At most ${length} numbers.`
  for (const each of numbers) {
    if (typeof each !== 'number' || !Number.isInteger(each)) return `${String(each)} is not a whole number.`
    if (each < least || each > most) return `Only numbers from ${least} to ${most}.`
    const why = problem(each)
    if (why !== null) return why
  }
  return null
}

function numberProblem({ least, most, whole, empty }: NumberField, value: Json | undefined): string | null {
  if (typeof value !== 'number') return empty === null ? 'A number is missing.' : null
  if (value < least) return `At least ${number(least, 9)}.`
  if (value > most) return `At most ${number(most, 9)}.`
  return whole && !Number.isInteger(value) ? 'A whole number is needed.' : null
}

/** The config that the fields describe. */
export function configOf(fields: readonly Field[], settings: Settings): { readonly [name: string]: Json } {
  const meant = fields.filter((field) => field.when(settings) && !isLeftOut(field, settings[field.name]))
  return Object.fromEntries(
    meant.map((field) => {
      const value = settings[field.name] ?? null
      return [field.name, field.kind === 'number' && typeof value === 'number' ? inUnits(field, value) : value]
    }),
  )
}

/** An empty list of numbers means the same as none, and a config says neither more nor less than it must. */
const isLeftOut = ({ kind }: Field, value: Json | undefined): boolean =>
  kind === 'numbers' && (!Array.isArray(value) || value.length === 0)

/** The fields' contents for an existing config; the inverse of `configOf`. */
export function settingsFrom(fields: readonly Field[], config: Json): Settings {
  const given = settingsIn(config)
  return Object.fromEntries(
    fields.map(({ name, standard, ...field }) => {
      const value = given[name] ?? standard
      return [name, field.kind === 'number' && typeof value === 'number' && name in given ? value / field.unit : value]
    }),
  )
}

/** A config with what differs in the fields; all else stays. */
export function changedConfig(fields: readonly Field[], settings: Settings, config: Json): Settings {
  const before = settingsFrom(fields, config)
  const differs = (name: string): boolean => JSON.stringify(settings[name]) !== JSON.stringify(before[name])
  const changes = Object.entries(configOf(fields, settings)).filter(([name]) => differs(name))
  const emptied = fields.filter((field) => differs(field.name) && isLeftOut(field, settings[field.name]))
  const kept = Object.entries(settingsIn(config)).filter(([name]) => !emptied.some((field) => field.name === name))
  return Object.fromEntries([...kept, ...changes])
}

/** 0.01 energy is 10,000,000 of its parts, and not one of them less. */
function inUnits({ unit }: NumberField, value: number): number {
  return unit === 1 ? value : Math.round(value * unit)
}

/** A config's fields in words. Missing fields have their defaults. */
export function wordsOf(
  fields: readonly Field[],
  config: Settings,
): readonly (readonly [label: string, value: string])[] {
  return fields.filter((field) => field.when(config)).map((field) => [field.label, valueOf(field, config[field.name])])
}

function valueOf(field: Field, value: Json | undefined): string {
  switch (field.kind) {
    case 'number': {
      const written = typeof value === 'number' ? value / field.unit : field.standard
      return written === null ? (field.empty ?? '') : number(written, 9)
    }
    case 'choice': {
      const chosen = typeof value === 'string' ? value : field.standard
      return field.options.find((option) => option.value === chosen)?.label ?? chosen
    }
    case 'texts':
      return (Array.isArray(value) ? value : field.standard).map(shownText).join(', ')
    case 'numbers': {
      const numbers = Array.isArray(value) ? value : field.standard
      return numbers.length === 0 ? field.empty : numbers.join(', ')
    }
    case 'switch':
      return (value ?? field.standard) === true ? 'yes' : 'no'
  }
}
