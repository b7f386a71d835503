import type { ChoiceShape, ClassShape, Shape } from '../../values/shape.ts'

/**
 * A type of the formula language. `nothing` is the type of the elements of `[]` and of parts with reported problems: it
 * fits every type. Classes are compared by name, which is unique in a dictionary.
 */
export type Type =
  | { readonly kind: 'int' | 'number' | 'boolean' | 'text' | 'nothing' }
  | { readonly kind: 'list' | 'option'; readonly of: Type }
  | ClassShape
  | ChoiceShape

export const INT: Type = { kind: 'int' }
export const NUMBER: Type = { kind: 'number' }
export const BOOLEAN: Type = { kind: 'boolean' }
export const TEXT: Type = { kind: 'text' }
export const NOTHING: Type = { kind: 'nothing' }

/** The type of the values that a shape describes. */
export function typeOf(shape: Shape): Type {
  switch (shape.kind) {
    case 'int':
      return INT
    case 'number':
      return NUMBER
    case 'boolean':
      return BOOLEAN
    case 'char':
    case 'ident':
    case 'string':
    case 'verbatim':
      return TEXT
    case 'list':
    case 'option':
      return { kind: shape.kind, of: typeOf(shape.of) }
    case 'class':
    case 'choice':
      return shape
  }
}

/** A type as named in messages: "list of Constraint". */
export function nameOf(type: Type): string {
  switch (type.kind) {
    case 'list':
    case 'option':
      return type.of.kind === 'nothing' ? type.kind : `${type.kind} of ${nameOf(type.of)}`
    case 'class':
    case 'choice':
      // An object of which a property has made only the first fields.
      return type.name.replace(/^(.*) so far$/, 'unfinished $1')
    case 'nothing':
      return 'any type'
    default:
      return type.kind
  }
}

/** Can a value of type `from` be used as one of type `to`? Every int is a number. */
export function fits(from: Type, to: Type): boolean {
  if (from.kind === 'nothing' || to.kind === 'nothing') return true
  if (from.kind === 'int') return to.kind === 'int' || to.kind === 'number'
  if (from.kind === 'list' || from.kind === 'option') return from.kind === to.kind && fits(from.of, to.of)
  if (from.kind === 'class' || from.kind === 'choice') return from.kind === to.kind && from.name === to.name
  return from.kind === to.kind
}

/** The smaller of two types that both fit, or null. */
export function common(a: Type, b: Type): Type | null {
  if (a.kind === 'list' || a.kind === 'option') {
    if (b.kind !== a.kind) return b.kind === 'nothing' ? a : null
    const of = common(a.of, b.of)
    return of && { kind: a.kind, of }
  }
  if (a.kind === 'nothing') return b
  if (fits(b, a)) return a
  return fits(a, b) ? b : null
}

export function isNumeric(type: Type): boolean {
  return type.kind === 'int' || type.kind === 'number' || type.kind === 'nothing'
}
