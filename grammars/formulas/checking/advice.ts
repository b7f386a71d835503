import { nearest } from '../../class-dictionary/checking/suggest.ts'
import type { FormulaFault } from '../syntax/fault.ts'
import type { Expression } from '../syntax/tree.ts'
import type { Type } from './types.ts'

/** The parts of a fault besides its sentence: the hint, the code and the remedy. */
type Advice = readonly [hint: string | undefined, kind: Pick<FormulaFault, 'code' | 'remedy'>]

/** Replaces the `name` at an offset. */
function instead(name: string, at: number, text: string): { readonly remedy: FormulaFault['remedy'] & object } {
  return { remedy: { from: at, to: at + name.length, text } }
}

const foreignTypes: ReadonlyMap<string, string> = new Map([
  ['integer', 'int'],
  ['long', 'int'],
  ['nat', 'int'],
  ['bool', 'boolean'],
  ['str', 'text'],
  ['string', 'text'],
  ['ident', 'text'],
  ['char', 'text'],
  ['float', 'number'],
  ['double', 'number'],
  ['real', 'number'],
  ['rational', 'number'],
])
const types = ['int', 'number', 'boolean', 'text']

export function typeAdvice(name: string, at: number): Advice {
  const lower = name.toLowerCase()
  const near = foreignTypes.get(lower) ?? nearest(name, types)
  const hint = 'The types are int, number, boolean, text and the classes of the dictionary.'
  if (near === null) return [hint, { code: 'type-unknown' }]
  const code = lower === near ? 'word-case' : 'type-unknown'
  return [`Did you mean "${near}"? ${hint}`, { code, ...instead(name, at, near) }]
}

const foreignFunctions: ReadonlyMap<string, string> = new Map([
  ['len', 'length'],
  ['size', 'length'],
  ['card', 'length'],
  ['cardinality', 'length'],
  ['any', 'exists'],
  ['some', 'exists'],
  ['forall', 'all'],
  ['every', 'all'],
  ['total', 'sum'],
  ['minimum', 'min'],
  ['maximum', 'max'],
  ['alldifferent', 'distinct'],
  ['all_different', 'distinct'],
  ['alldiff', 'distinct'],
  ['unique', 'distinct'],
  ['get', 'lookup'],
  ['contains', 'has'],
  ['haskey', 'has'],
  ['trunc', 'floor'],
  ['int', 'floor'],
  ['sizeof', 'length'],
])

/** `known`: the functions that can be called there. */
export function functionAdvice(name: string, at: number, known: readonly string[]): Advice {
  const near = foreignFunctions.get(name.toLowerCase()) ?? nearest(name, known)
  if (near === null || !known.includes(near)) {
    const hint = `The functions here are ${known.join(', ')}. A function is defined before it is used; one that calls itself states the type of its result.`
    return [hint, { code: 'function-unknown' }]
  }
  return [`Did you mean "${near}"?`, { code: 'function-unknown', ...instead(name, at, near) }]
}

/** `scope`: the names that are known there, with their types. */
export function nameAdvice(name: string, at: number, scope: ReadonlyMap<string, { readonly type: Type }>): Advice {
  const names = [...scope.keys()]
  const all = names.length === 0 ? 'No names are known here.' : `The names here are ${names.join(', ')}.`
  if (/^(none|null|nil|undefined)$/i.test(name)) {
    return ['An option is told apart by: match x { some v: ..., none: ... }', { code: 'word-foreign' }]
  }
  const same = [...names, 'true', 'false'].find((one) => one.toLowerCase() === name.toLowerCase())
  if (same !== undefined) return [`Write "${same}".`, { code: 'word-case', ...instead(name, at, same) }]
  const fields = names.flatMap((one) => {
    const type = scope.get(one)?.type
    return type?.kind === 'class' ? type.fields.map(({ label }) => ({ path: `${one}.${label}`, label })) : []
  })
  const owned = fields.find(({ label }) => label === name)
  const near =
    owned?.path ??
    nearest(name, names) ??
    fields.find(
      ({ label }) =>
        label ===
        nearest(
          name,
          fields.map((one) => one.label),
        ),
    )?.path
  if (near === undefined) return [all, { code: 'name-unknown' }]
  return [`Did you mean "${near}"? ${all}`, { code: 'name-unknown', ...instead(name, at, near) }]
}

export function fieldAdvice(label: string, at: number, labels: readonly string[]): Advice {
  if (labels.length === 0) return ['It has none.', { code: 'field-unknown' }]
  const near = nearest(label, labels)
  const all = `Its fields are ${labels.join(', ')}.`
  if (near === null) return [all, { code: 'field-unknown' }]
  return [`Did you mean "${near}"? ${all}`, { code: 'field-unknown', ...instead(label, at, near) }]
}

export function alternativeAdvice(name: string, at: number, alternatives: readonly string[]): Advice {
  const near = nearest(name, alternatives)
  const all = `The alternatives are ${alternatives.join(', ')}.`
  if (near === null) return [all, { code: 'alternative-unknown' }]
  return [`Did you mean "${near}"? ${all}`, { code: 'alternative-unknown', ...instead(name, at, near) }]
}

const lengths = /^(length|size|len|count|card|cardinality)$/

/** Advice for a field of something that has none, such as `list.length`. */
export function memberAdvice(type: Type, { of, label, at }: Expression & { kind: 'field' }): Advice {
  const path = pathOf(of)
  if (type.kind === 'list' && lengths.test(label)) {
    const hint = 'The number of elements is length(list).'
    if (path === null) return [hint, { code: 'call-form' }]
    const remedy = { from: path.from, to: at + label.length, text: `length(${path.text})` }
    return [hint, { code: 'call-form', remedy }]
  }
  if (type.kind === 'list')
    return ['Name an element, list[i], or go through all: for x in list.', { code: 'field-unknown' }]
  if (type.kind === 'option') return ['Use match to tell some from none.', { code: 'field-unknown' }]
  return [undefined, { code: 'field-unknown' }]
}

/** A path such as `instance.items`, as it is written without spaces. */
function pathOf(tree: Expression): { readonly from: number; readonly text: string } | null {
  if (tree.kind === 'name') return { from: tree.at, text: tree.name }
  if (tree.kind !== 'field') return null
  const of = pathOf(tree.of)
  return of && { from: of.from, text: `${of.text}.${tree.label}` }
}

/** Advice where a value of type `from` stands in place of one of type `to`. */
export function mismatchAdvice(from: Type, to: Type): Advice {
  return [conversion(from, to), { code: 'type-mismatch' }]
}

function conversion(from: Type, to: Type): string | undefined {
  const isNumber = (type: Type): boolean => type.kind === 'int' || type.kind === 'number'
  if (from.kind === 'option') return 'Use match to tell some from none.'
  if (from.kind === 'list' && isNumber(to)) return 'Write length(list), sum(list), or an element list[i].'
  if (isNumber(from) && to.kind === 'boolean') return 'Write a comparison, such as x > 0.'
  if (from.kind === 'boolean' && isNumber(to)) return 'Write "if condition then 1 else 0".'
  if (from.kind === 'number' && to.kind === 'int') return 'floor(x) is a whole number; div divides whole numbers.'
  if (isNumber(from) && to.kind === 'list') return 'The numbers from 1 to n are 1..n.'
  if (from.kind === 'text' && isNumber(to)) return 'A number stands without quotes.'
  return undefined
}

/** Advice for `x in list`, where that is not a list or has other elements. */
export function membershipAdvice(list: Expression, value: Type, type: Type): Advice {
  if (list.kind === 'binary' && list.operator === '-' && type.kind !== 'list') {
    const remedy = { from: list.at, to: list.at + 1, text: '..' }
    return ['A range is written with two dots, low..high.', { code: 'range-sign', remedy }]
  }
  if (type.kind === 'list') return [conversion(value, type.of), { code: 'type-mismatch' }]
  return mismatchAdvice(type, { kind: 'list', of: value })
}
