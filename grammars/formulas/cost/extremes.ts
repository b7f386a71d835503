import { typeOf } from '../checking/types.ts'
import type { Type } from '../checking/types.ts'

/**
 * All values that a part of a formula can have, from above: ranges of numbers, largest lengths. Knowledge about the values of
 * a player is refined in place, so that every formula that reads them profits.
 */
export type Extreme = NumberExtreme | ListExtreme | RecordExtreme | ChoiceExtreme | OptionExtreme | PlainExtreme

/** `bits`: the most binary digits of the denominator; 0 for whole numbers. */
export interface NumberExtreme {
  readonly kind: 'number'
  low: number
  high: number
  bits: number
}
/** `whole`: true if the whole evaluation uses one list, for example a field of the instance; sets of it are made once. */
export interface ListExtreme {
  readonly kind: 'list'
  most: number
  readonly of: Extreme
  readonly whole: boolean
}
/** `parts`: the most values of its own class within it, with itself. */
interface RecordExtreme {
  readonly kind: 'record'
  field(label: string): Extreme
  readonly labels: readonly string[]
  parts: number
}
/** `parts`: as of a record; values of its alternatives count where its own class stands. */
interface ChoiceExtreme {
  readonly kind: 'choice'
  alternative(name: string): RecordExtreme
  readonly names: readonly string[]
  parts: number
}
interface OptionExtreme {
  readonly kind: 'option'
  readonly of: Extreme
}
/** Booleans and texts. `count`: the most different values; `longest`: the most UTF-16 units of a text. */
interface PlainExtreme {
  readonly kind: 'plain'
  count: number
  longest: number
}

/** The most digits of the denominator of a number in JSON: 17 decimal digits, the last at 10^-340. */
const LONGEST_DECIMAL = 1130
/** How deep values are looked into: types may contain themselves. */
export const DEEPEST = 4

export function numberFrom(low: number, high: number, bits = 0): NumberExtreme {
  return { kind: 'number', low, high, bits }
}

export function plain(count = Infinity, longest = Infinity): PlainExtreme {
  return { kind: 'plain', count, longest }
}

export function listOf(of: Extreme, most: number, whole: boolean): ListExtreme {
  return { kind: 'list', most, of, whole }
}

/** All values of a type, as JSON may contain them. */
export function extremeOf(type: Type, whole: boolean): Extreme {
  switch (type.kind) {
    case 'int':
      return numberFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    case 'number':
    case 'nothing':
      return numberFrom(-Number.MAX_VALUE, Number.MAX_VALUE, LONGEST_DECIMAL)
    case 'boolean':
      return plain(2, 0)
    case 'text':
      return plain()
    case 'list':
      return listOf(extremeOf(type.of, false), Infinity, whole)
    case 'option':
      return { kind: 'option', of: extremeOf(type.of, whole) }
    case 'class':
      return record(
        type.fields.map(({ label }) => label),
        (label) => extremeOf(typeOfField(type, label), whole),
      )
    case 'choice': {
      const known = new Map<string, RecordExtreme>()
      return {
        kind: 'choice',
        parts: Infinity,
        names: type.alternatives.map(({ name }) => name),
        alternative: (name) =>
          kept(
            known,
            name,
            () =>
              extremeOf(
                type.alternatives.find((one) => one.name === name)!,
                whole,
              ) as RecordExtreme,
          ),
      }
    }
  }
}

/** A record whose fields are made when they are first asked for, because types may contain themselves. */
function record(labels: readonly string[], make: (label: string) => Extreme, parts = Infinity): RecordExtreme {
  const known = new Map<string, Extreme>()
  return { kind: 'record', labels, parts, field: (label) => kept(known, label, () => make(label)) }
}

function kept<V>(known: Map<string, V>, name: string, make: () => V): V {
  const value = known.get(name) ?? make()
  known.set(name, value)
  return value
}

/** A copy, for a value of which something holds that does not hold of all values of the original. */
export function copyOf(extreme: Extreme): Extreme {
  switch (extreme.kind) {
    case 'number':
    case 'plain':
      return { ...extreme }
    case 'list':
      return listOf(copyOf(extreme.of), extreme.most, extreme.whole)
    case 'option':
      return { kind: 'option', of: copyOf(extreme.of) }
    case 'record':
      return record(extreme.labels, (label) => copyOf(extreme.field(label)), extreme.parts)
    case 'choice': {
      const known = new Map<string, RecordExtreme>()
      const alternative = (name: string): RecordExtreme => copyOf(extreme.alternative(name)) as RecordExtreme
      return {
        kind: 'choice',
        parts: extreme.parts,
        names: extreme.names,
        alternative: (name) => kept(known, name, () => alternative(name)),
      }
    }
  }
}

/** One of two values. */
export function either(a: Extreme, b: Extreme): Extreme {
  if (a.kind === 'number' && b.kind === 'number') {
    return numberFrom(Math.min(a.low, b.low), Math.max(a.high, b.high), Math.max(a.bits, b.bits))
  }
  if (a.kind === 'list' && b.kind === 'list') {
    return listOf(a.most === 0 ? b.of : b.most === 0 ? a.of : either(a.of, b.of), Math.max(a.most, b.most), false)
  }
  if (a.kind === 'plain' && b.kind === 'plain') return plain(a.count + b.count, Math.max(a.longest, b.longest))
  if (a.kind === 'option' && b.kind === 'option') return { kind: 'option', of: either(a.of, b.of) }
  if (a.kind === 'record' && b.kind === 'record') {
    return record(a.labels, (label) => either(a.field(label), b.field(label)), Math.max(a.parts, b.parts))
  }
  if (a.kind === 'choice' && b.kind === 'choice') {
    const one = (name: string): RecordExtreme => either(a.alternative(name), b.alternative(name)) as RecordExtreme
    return { kind: 'choice', parts: Math.max(a.parts, b.parts), names: a.names, alternative: one }
  }
  return a
}

/** Refines `a` in place, of which it is known that it is also one of the values of `b`. */
export function within(a: Extreme, b: Extreme, depth = 0): void {
  if (depth > DEEPEST) return
  if (a.kind === 'number' && b.kind === 'number') {
    a.low = Math.max(a.low, b.low)
    a.high = Math.min(a.high, b.high)
    a.bits = Math.min(a.bits, b.bits)
  } else if (a.kind === 'plain' && b.kind === 'plain') {
    a.count = Math.min(a.count, b.count)
    a.longest = Math.min(a.longest, b.longest)
  } else if (a.kind === 'list' && b.kind === 'list') {
    a.most = Math.min(a.most, b.most)
    within(a.of, b.of, depth + 1)
  } else if (a.kind === 'option' && b.kind === 'option') within(a.of, b.of, depth + 1)
  else if (a.kind === 'record' && b.kind === 'record') {
    a.parts = Math.min(a.parts, b.parts)
    for (const label of a.labels) within(a.field(label), b.field(label), depth + 1)
  } else if (a.kind === 'choice' && b.kind === 'choice') {
    a.parts = Math.min(a.parts, b.parts)
    for (const name of a.names) within(a.alternative(name), b.alternative(name), depth + 1)
  }
}

/** The most different values. */
export function countOf(extreme: Extreme, depth = 0): number {
  if (depth > DEEPEST) return Infinity
  switch (extreme.kind) {
    case 'number':
      return extreme.bits > 0 ? Infinity : Math.max(0, Math.floor(extreme.high) - Math.ceil(extreme.low) + 1)
    case 'plain':
      return extreme.count
    case 'list':
      return extreme.most === 0 ? 1 : Infinity
    case 'option':
      return 1 + countOf(extreme.of, depth + 1)
    case 'record':
      return extreme.labels.reduce((product, label) => product * countOf(extreme.field(label), depth + 1), 1)
    case 'choice':
      return extreme.names.reduce((sum, name) => sum + countOf(extreme.alternative(name), depth + 1), 0)
  }
}

function typeOfField(type: Extract<Type, { kind: 'class' }>, label: string): Type {
  return typeOf(type.fields.find((field) => field.label === label)!.type)
}
