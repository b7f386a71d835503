import * as z from 'zod'
import { didYouMean } from './near-miss.ts'

/** A problem of a value, and its position. */
export interface Complaint {
  /** The field. */
  readonly path: readonly PropertyKey[]
  /** The position to show: the field, or an unknown field in it. */
  readonly place: readonly PropertyKey[]
  /** `expected a whole number, found "three"`; without the path. */
  readonly message: string
}

/** The maximum number of fields or values listed in a sentence; if there are more, none is listed. */
const LISTED_MAX = 40
/** The maximum number of further problems. */
const OTHERS_MAX = 20
/** The maximum number of characters quoted in a sentence. */
const QUOTED_MAX = 60

/**
 * Checks a value written by a person against a schema. A problem is described in plain words: what was expected, what
 * was found, and the probable meaning of a misspelt field or value. Messages of the schema itself take precedence.
 * `others`: the further problems, in the order of the schema, at most 20.
 */
export function parsePlainly<T>(
  schema: z.ZodType<T>,
  value: unknown,
):
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly complaint: Complaint; readonly others: readonly Complaint[] } {
  const parsed = schema.safeParse(value, { error: inPlainWords })
  if (parsed.success) return { ok: true, value: parsed.data }
  const { issues } = parsed.error
  const complaint = complaintOf(issues, value)
  return { ok: false, complaint, others: otherComplaints(issues, value, complaint) }
}

/** The complaints besides the first, one for each place; at most `OTHERS_MAX`. */
function otherComplaints(issues: readonly z.core.$ZodIssue[], value: unknown, first: Complaint): readonly Complaint[] {
  const told = new Set([complaintLine(first)])
  const others: Complaint[] = []
  for (const issue of issues) {
    for (const complaint of complaintsAbout(issue, value)) {
      if (others.length === OTHERS_MAX) return others
      const line = complaintLine(complaint)
      if (told.has(line)) continue
      told.add(line)
      others.push(complaint)
    }
  }
  return others
}

/** A complaint for each field of an issue that is about several unknown ones. */
function* complaintsAbout(issue: z.core.$ZodIssue, value: unknown): Generator<Complaint> {
  yield complaintAbout(issue, value)
  if (issue.code !== 'unrecognized_keys') return
  for (const key of issue.keys.slice(1))
    yield { path: issue.path, place: [...issue.path, key], message: `there is no field ${quoted(key)}` }
}

/** `config.maxTurns: expected a whole number, found "three"` */
export function complaintLine({ path, message }: Complaint): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`
}

/** The same as a sentence. */
export function complaintSentence(complaint: Complaint): string {
  const line = complaintLine(complaint)
  return /[.?]$/.test(line) ? line : `${line}.`
}

/** The first complaint; if a field is missing and there is an unknown one, the unknown one. */
function complaintOf(issues: readonly z.core.$ZodIssue[], value: unknown): Complaint {
  const [first] = issues
  if (first === undefined) return { path: [], place: [], message: 'not valid' }
  const missing = first.path.length > 0 && valueAt(value, first.path) === undefined
  const unknown = issues.find(
    (each) => each.code === 'unrecognized_keys' && isEqual(each.path, first.path.slice(0, -1)),
  )
  return complaintAbout(missing && unknown !== undefined ? unknown : first, value)
}

function complaintAbout(issue: z.core.$ZodIssue, value: unknown): Complaint {
  const { path, message } = issue
  if (issue.code === 'unrecognized_keys') return { path, place: [...path, issue.keys[0] ?? ''], message }
  // The schema's message states only what is expected.
  if (issue.code === 'invalid_format')
    return { path, place: path, message: `${message}, found ${shown(valueAt(value, path))}` }
  const branches = issue.code === 'invalid_union' ? branchesMeant(issue.errors, valueAt(value, path)) : []
  const further = furthest(branches)
  const [one] = further
  if (one === undefined) return { path, place: path, message }
  const below = (inside: z.core.$ZodIssue): z.core.$ZodIssue => ({ ...inside, path: [...path, ...inside.path] })
  if (one.code !== 'invalid_value') return complaintOf(branches.find(([first]) => first === one)!.map(below), value)
  const options = further.flatMap((each) => (each.code === 'invalid_value' ? each.values : []))
  const field = below(one).path
  return { path: field, place: field, message: oneOf([...new Set(options)], valueAt(value, field)) }
}

type Branch = readonly z.core.$ZodIssue[]

/**
 * For a value that matches no schema of a union: the issues of those schemas for which the value was probably meant.
 * Fields that distinguish the schemas (tags) decide, then missing and unknown fields; schemas of another type are left
 * out.
 */
function branchesMeant(errors: readonly Branch[], value: unknown): readonly Branch[] {
  const fitting = errors.filter(([first]) => first !== undefined && !isWrongType(first))
  const isTag = (issue: z.core.$ZodIssue): boolean =>
    isWrongWord(issue) && !errors.some((each) => lacks(each, issue.path))
  // zod does not check the items of a list of the wrong length, so it is unknown whether its tag matches.
  const told = least(fitting, (branch) => branch.filter((issue) => isTag(issue) || isWrongLength(issue)).length)
  if (told.some((branch) => branch.some(isTag))) return told
  return least(told, (branch) => branch.reduce((sum, issue) => sum + strayFields(issue, value), 0))
}

function least<T>(all: readonly T[], count: (one: T) => number): readonly T[] {
  const counts = all.map(count)
  const fewest = Math.min(...counts)
  return all.filter((_, at) => counts[at] === fewest)
}

const isWrongLength = ({ code, path, ...issue }: z.core.$ZodIssue): boolean =>
  (code === 'too_small' || code === 'too_big') && path.length === 0 && 'origin' in issue && issue.origin === 'array'

/** True if the value differs from the only one allowed. */
const isWrongWord = ({ code, path, ...issue }: z.core.$ZodIssue): boolean =>
  code === 'invalid_value' && 'values' in issue && issue.values.length === 1 && path.length <= 1

/** True if a schema lacks the field, so that the field's value does not distinguish the schemas. */
const lacks = (branch: Branch, [field]: readonly PropertyKey[]): boolean =>
  branch.some(
    (issue) => issue.code === 'unrecognized_keys' && issue.path.length === 0 && issue.keys.some((key) => key === field),
  )

/** The number of missing or unknown fields that an issue reports. */
function strayFields(issue: z.core.$ZodIssue, value: unknown): number {
  if (issue.path.length > 1) return 0
  if (issue.code === 'unrecognized_keys') return issue.path.length === 0 ? issue.keys.length : 0
  return issue.path.length === 1 && valueAt(value, issue.path) === undefined ? 1 : 0
}

/** The first issues of the schemas whose first issue comes latest in the value. */
function furthest(branches: readonly Branch[]): readonly z.core.$ZodIssue[] {
  const firsts = branches.flatMap(([first]) => (first === undefined ? [] : [first]))
  const last = firsts.reduce<readonly PropertyKey[]>((far, { path }) => (isFurther(path, far) ? path : far), [])
  return firsts.filter(({ path }) => isEqual(path, last))
}

/** True if one path comes after another in reading order. */
function isFurther(path: readonly PropertyKey[], other: readonly PropertyKey[]): boolean {
  const at = path.findIndex((key, index) => key !== other[index])
  if (at === -1) return path.length > other.length
  const [key, than] = [path[at], other[at]]
  return than === undefined || (typeof key === 'number' && typeof than === 'number' && key > than)
}

const isWrongType = ({ code, path }: z.core.$ZodIssue): boolean => code === 'invalid_type' && path.length === 0

/** Replaces zod's messages; undefined keeps zod's own. */
function inPlainWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return wanted(issue.inst instanceof z.ZodNumberFormat ? nameOf('int') : nameOf(issue.expected), issue.input)
    case 'invalid_value':
      return oneOf(issue.values, issue.input)
    case 'invalid_union': {
      const { discriminator, options, errors } = issue
      if (typeof discriminator !== 'string') return ofUnion(errors, issue.input)
      return oneOf(Array.isArray(options) ? options : [], valueAt(issue.input, [discriminator]))
    }
    case 'unrecognized_keys':
      return unknownFields(issue.keys, fieldsOf(issue.inst))
    case 'too_small':
      return ofSize(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'too_big':
      return ofSize(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
    case 'invalid_format':
      return 'expected text in a different format'
    case 'not_multiple_of':
      return wanted(`a multiple of ${issue.divisor}`, issue.input)
    default:
      return undefined
  }
}

function wanted(expected: string, found: unknown): string {
  return found === undefined ? `it is missing; expected ${expected}` : `expected ${expected}, found ${shown(found)}`
}

/** `expected "a" or "b", found "c"`, with the one that is probably meant. */
export function oneOf(options: readonly unknown[], found: unknown): string {
  const expected = options.length > LISTED_MAX ? 'another value' : listed(options.map(shown), 'or')
  const hint = typeof found === 'string' ? didYouMean(found, options.filter(isText)) : ''
  return `${wanted(expected, found)}${hint === '' ? '' : `.${hint}`}`
}

/** The message for a value whose type matches no schema of a union. */
function ofUnion(errors: readonly (readonly z.core.$ZodIssue[])[], found: unknown): string | undefined {
  const expected = errors.flatMap(([first]) => (first?.code === 'invalid_type' ? [nameOf(first.expected)] : []))
  return expected.length === 0 ? undefined : wanted(listed([...new Set(expected)], 'or'), found)
}

function unknownFields(keys: readonly string[], known: readonly string[]): string {
  const [key = ''] = keys
  const sentence = `there is no field ${quoted(key)}`
  const hint = didYouMean(key, known)
  if (hint !== '') return `${sentence}.${hint}`
  if (known.length === 0 || known.length > LISTED_MAX) return sentence
  return `${sentence}; the only ${known.length === 1 ? 'field is' : 'fields are'} ${listed(known, 'and')}`
}

const things: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', object: 'field' }

function ofSize(
  { origin, input, exact }: { readonly origin: string; readonly input?: unknown; readonly exact?: boolean },
  bound: string,
  size: number | bigint,
): string {
  const thing = things[origin]
  const much = `${exact === true ? 'exactly' : bound} ${size}`
  if (thing === undefined) return wanted(`a number of ${much}`, input)
  return `expected ${much} ${thing}${Number(size) === 1 ? '' : 's'}, found ${sizeOf(input)}`
}

function sizeOf(value: unknown): string {
  if (typeof value === 'string' || Array.isArray(value)) return String(value.length)
  return typeof value === 'object' && value !== null ? String(Object.keys(value).length) : shown(value)
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function nameOf(type: string): string {
  return typeNames[type] ?? type
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

function quoted(text: string): string {
  return JSON.stringify(text.length <= QUOTED_MAX ? text : `${text.slice(0, QUOTED_MAX)}...`)
}

function listed(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)!}`
}

/** The field names of an object's schema. */
function fieldsOf(schema: z.core.$ZodRawIssue['inst']): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inside, key) => {
    return typeof inside === 'object' && inside !== null && Object.hasOwn(inside, key)
      ? (inside as Readonly<Record<PropertyKey, unknown>>)[key]
      : undefined
  }, value)
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isEqual = (a: readonly PropertyKey[], b: readonly PropertyKey[]): boolean =>
  a.length === b.length && a.every((key, at) => key === b[at])
