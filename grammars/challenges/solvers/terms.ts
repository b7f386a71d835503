/**
 * A whole number, or a condition (0 or 1, `condition` true), that depends on the variables of a solution; low..high are all values that
 * it can have.
 */
export type Term = { readonly low: number; readonly high: number; readonly condition: boolean } & (
  | { readonly kind: 'constant' }
  | { readonly kind: 'variable'; readonly variable: SolutionVariable }
  | { readonly kind: Operation; readonly parts: readonly Term[] }
)

/** element: the first part is a place in the others, from 1. if: condition, yes, no. */
export type Operation =
  'sum' | 'product' | 'min' | 'max' | 'abs' | 'div' | 'mod' | 'equal' | 'less' | 'and' | 'or' | 'not' | 'if' | 'element'

/** A number of the solution that is to be found. `label`: the field; `place`: the element, or the number that is chosen or not. */
export interface SolutionVariable {
  readonly index: number
  readonly label: string
  readonly place: number | null
  /** `chosen`: 1 if the list has the number `place`. */
  readonly role: 'value' | 'chosen'
  readonly low: number
  readonly high: number
}

/** Thrown and caught in this folder: one sentence says why no model can be made. */
export class NoModel extends Error {}

/** The largest size of a number in a model: solvers compute with 32 bits, and Gecode keeps the last one for itself. */
const LARGEST = 2 ** 31 - 2
/** The largest number of terms of one model. */
const MOST_TERMS = 400_000

let made = 0
/** Starts counting terms for another model. */
export function countTerms(): void {
  made = 0
}

function counted(term: Term): Term {
  if (++made > MOST_TERMS) throw new NoModel('The model would be too large.')
  if (!(Math.abs(term.low) <= LARGEST && Math.abs(term.high) <= LARGEST))
    throw new NoModel(`A number of the model would be larger than ${LARGEST}.`)
  return term
}

export function constant(value: number, condition = false): Term {
  return counted({ kind: 'constant', low: value, high: value, condition })
}

export const TRUE: Term = { kind: 'constant', low: 1, high: 1, condition: true }
export const FALSE: Term = { kind: 'constant', low: 0, high: 0, condition: true }

export function isConstant(term: Term): boolean {
  return term.low === term.high && term.kind !== 'element'
}

export function variableTerm(variable: SolutionVariable): Term {
  return counted({ kind: 'variable', variable, low: variable.low, high: variable.high, condition: false })
}

export function sum(parts: readonly Term[]): Term {
  const flat = parts.flatMap((part) => (part.kind === 'sum' ? part.parts : [part]))
  const open = flat.filter((part) => !isConstant(part))
  const fixed = flat.reduce((total, part) => (isConstant(part) ? total + part.low : total), 0)
  const all = fixed === 0 ? open : [...open, constant(fixed)]
  if (all.length === 0) return constant(0)
  if (all.length === 1 && !all[0]!.condition) return all[0]!
  const low = all.reduce((total, part) => total + part.low, 0)
  const high = all.reduce((total, part) => total + part.high, 0)
  return counted({ kind: 'sum', parts: all, low, high, condition: false })
}

export function product(a: Term, b: Term): Term {
  if (isConstant(a) && isConstant(b)) return constant(a.low * b.low)
  if (isConstant(b)) return product(b, a)
  if (isConstant(a)) {
    if (a.low === 0) return constant(0)
    if (a.low === 1 && !b.condition) return b
    if (b.kind === 'sum') return sum(b.parts.map((part) => product(a, part)))
    if (b.kind === 'product' && isConstant(b.parts[0]!)) return product(constant(a.low * b.parts[0]!.low), b.parts[1]!)
  }
  const ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high].map((end) => end + 0)
  return counted({ kind: 'product', parts: [a, b], low: Math.min(...ends), high: Math.max(...ends), condition: false })
}

export function minus(a: Term, b: Term): Term {
  return sum([a, product(constant(-1), b)])
}

export function least(kind: 'min' | 'max', parts: readonly Term[]): Term {
  const better = kind === 'min' ? Math.min : Math.max
  const low = parts.reduce((end, part) => better(end, part.low), parts[0]!.low)
  const high = parts.reduce((end, part) => better(end, part.high), parts[0]!.high)
  if (low === high) return constant(low)
  return parts.length === 1 ? parts[0]! : counted({ kind, parts, low, high, condition: false })
}

export function absolute(a: Term): Term {
  if (a.low >= 0) return a
  if (a.high <= 0) return product(constant(-1), a)
  return counted({ kind: 'abs', parts: [a], low: 0, high: Math.max(-a.low, a.high), condition: false })
}

/** Rounded down, and what is left; the divisor is a constant. */
export function divided(kind: 'div' | 'mod', a: Term, by: number): Term {
  if (by === 0) throw new NoModel('A formula divides by 0.')
  const floor = (value: number): number => Math.floor(value / by)
  if (isConstant(a)) return constant(kind === 'div' ? floor(a.low) : a.low - by * floor(a.low) + 0)
  // Programs round negative numbers in other ways.
  if (by < 0 || a.low < 0) throw new NoModel('A formula divides a number of the solution that may be negative.')
  const low = kind === 'div' ? floor(a.low) : 0
  return counted({
    kind,
    parts: [a, constant(by)],
    low,
    high: kind === 'div' ? floor(a.high) : by - 1,
    condition: false,
  })
}

const condition = (kind: 'equal' | 'less' | 'and' | 'or' | 'not', parts: readonly Term[]): Term =>
  counted({ kind, parts, low: 0, high: 1, condition: true })

export function equal(a: Term, b: Term): Term {
  if (isConstant(a) && isConstant(b)) return a.low === b.low ? TRUE : FALSE
  if (a.high < b.low || b.high < a.low) return FALSE
  return condition('equal', [a, b])
}

export function less(a: Term, b: Term): Term {
  if (a.high < b.low) return TRUE
  if (a.low >= b.high) return FALSE
  return condition('less', [a, b])
}

export function not(a: Term): Term {
  if (isConstant(a)) return a.low === 1 ? FALSE : TRUE
  return a.kind === 'not' ? a.parts[0]! : condition('not', [a])
}

export function and(parts: readonly Term[]): Term {
  const open = parts.flatMap((part) => (part.kind === 'and' ? part.parts : [part])).filter((part) => part.low === 0)
  if (open.some(({ high }) => high === 0)) return FALSE
  if (open.length === 0) return TRUE
  return open.length === 1 ? open[0]! : condition('and', open)
}

export function or(parts: readonly Term[]): Term {
  const open = parts.flatMap((part) => (part.kind === 'or' ? part.parts : [part])).filter((part) => part.high === 1)
  if (open.some(({ low }) => low === 1)) return TRUE
  if (open.length === 0) return FALSE
  return open.length === 1 ? open[0]! : condition('or', open)
}

export function choice(when: Term, yes: Term, no: Term): Term {
  if (isConstant(when)) return when.low === 1 ? yes : no
  if (yes.condition) return and([or([not(when), yes]), or([when, no])])
  const [low, high] = [Math.min(yes.low, no.low), Math.max(yes.high, no.high)]
  return low === high ? constant(low) : counted({ kind: 'if', parts: [when, yes, no], low, high, condition: false })
}

/** `list[place]`, counted from 1. A place that is not there makes the condition around it false, as in MiniZinc. */
export function elementAt(list: readonly Term[], place: Term): Term {
  if (isConstant(place)) {
    const found = list[place.low - 1]
    if (found === undefined) throw new NoModel('A formula looks for an element that is not there.')
    return found
  }
  const reached = list.slice(Math.max(0, place.low - 1), Math.max(0, place.high))
  if (reached.length === 0) throw new NoModel('A formula looks for an element that is not there.')
  const low = reached.reduce((end, part) => Math.min(end, part.low), Infinity)
  const high = reached.reduce((end, part) => Math.max(end, part.high), -Infinity)
  if (low === high && place.low >= 1 && place.high <= list.length) return reached[0]!
  const { condition: decides } = reached[0]!
  return counted({ kind: 'element', parts: [place, ...list], low, high, condition: decides })
}

/** The value of a term for one value of each variable; NaN where an element is not there. */
export function valueOf(term: Term, values: ReadonlyMap<number, number>): number {
  if (term.kind === 'constant') return term.low
  if (term.kind === 'variable') return values.get(term.variable.index) ?? NaN
  const at = (index: number): number => valueOf(term.parts[index]!, values)
  switch (term.kind) {
    case 'sum':
      return term.parts.reduce((total, part) => total + valueOf(part, values), 0)
    case 'product':
      return at(0) * at(1)
    case 'min':
      return Math.min(...term.parts.map((part) => valueOf(part, values)))
    case 'max':
      return Math.max(...term.parts.map((part) => valueOf(part, values)))
    case 'abs':
      return Math.abs(at(0))
    case 'div':
      return Math.floor(at(0) / at(1))
    case 'mod':
      return at(0) % at(1)
    case 'equal':
      return at(0) === at(1) ? 1 : 0
    case 'less':
      return at(0) < at(1) ? 1 : 0
    case 'and':
      return term.parts.every((part) => valueOf(part, values) === 1) ? 1 : 0
    case 'or':
      return term.parts.some((part) => valueOf(part, values) === 1) ? 1 : 0
    case 'not':
      return 1 - at(0)
    case 'if':
      return at(0) === 1 ? at(1) : at(2)
    case 'element': {
      const part = term.parts[at(0)]
      return part === undefined ? NaN : valueOf(part, values)
    }
  }
}

/** The variables that a term depends on, by their number. */
export function variablesOf(
  term: Term,
  found: Map<number, SolutionVariable> = new Map(),
): Map<number, SolutionVariable> {
  if (term.kind === 'variable') found.set(term.variable.index, term.variable)
  else if (term.kind !== 'constant') for (const part of term.parts) variablesOf(part, found)
  return found
}
