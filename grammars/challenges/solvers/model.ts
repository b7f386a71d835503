import type { Typed, TypedDemand, Value } from '../../formulas/index.ts'
import type { Shape } from '../../values/index.ts'
import type { Goal } from '../tree.ts'
import * as t from './terms.ts'
import { NoModel, type SolutionVariable, type Term } from './terms.ts'
import { conditionOf, eachOf, numberOf, unfold, type Known, type Unfolded } from './unfold.ts'

/** The problem of finding the best solution of one instance, without any loop or list. */
export interface Model {
  readonly name: string
  readonly goal: Goal
  readonly variables: readonly SolutionVariable[]
  /** All must hold. */
  readonly conditions: readonly Term[]
  /** The measure is over / under. */
  readonly over: Term
  readonly under: number
}

/** `error`: one sentence that says why the declaration has no such model. */
export type Modelled = { readonly ok: true; readonly model: Model } | { readonly ok: false; readonly error: string }

/** The checked formulas of a challenge, and the slots of their names. */
export interface Declaration {
  readonly name: string
  readonly goal: Goal
  readonly solution: Shape
  readonly slots: { readonly config: number; readonly instance: number; readonly solution: number }
  readonly demands: readonly TypedDemand[]
  readonly measure: Typed
}

/** The largest number of values of a variable. */
const MOST_VALUES = 100_000
/** The longest list of a solution. */
const LONGEST = 10_000

/** The model of a legal instance. Never throws. */
export function modelOf(declaration: Declaration, config: Value, instance: Value): Modelled {
  try {
    t.countTerms()
    return { ok: true, model: made(declaration, config, instance) }
  } catch (error) {
    if (error instanceof NoModel) return { ok: false, error: error.message }
    throw error
  }
}

function made({ name, goal, solution, slots, demands, measure }: Declaration, config: Value, instance: Value): Model {
  const given: Known = new Map<number, Unfolded>([
    [slots.config, { kind: 'known', value: config }],
    [slots.instance, { kind: 'known', value: instance }],
  ])
  if (solution.kind !== 'class') throw new NoModel('The solutions of this challenge are of several classes.')
  const variables: SolutionVariable[] = []
  const fields = solution.fields.map(({ label, type }): [string, Unfolded] => [
    label,
    fieldOf(label, type, { demands, given, slot: slots.solution, variables }),
  ])
  const known = new Map(given).set(slots.solution, { kind: 'solution' as const, fields: new Map(fields) })
  const conditions = demands.flatMap((demand) => holding(demand, known, t.TRUE))
  if (conditions.some(({ high }) => high === 0)) throw new NoModel('The raw material has no feasible solution.')
  const { over, under } = numberOf(unfold(measure, known))
  return { name, goal, variables, conditions: conditions.filter(({ low }) => low === 0), over, under }
}

function holding(demand: TypedDemand, known: Known, when: Term): readonly Term[] {
  if (demand.kind === 'require') return partsOf(t.or([t.not(when), conditionOf(unfold(demand.condition, known))]))
  const found: Term[] = []
  eachOf(demand.loop, known, (inner, passes) => {
    for (const each of demand.demands) found.push(...holding(each, inner, t.and([when, passes])))
  })
  return found
}

function partsOf(term: Term): readonly Term[] {
  return term.kind === 'and' ? term.parts : [term]
}

interface Surroundings {
  readonly demands: readonly TypedDemand[]
  readonly given: Known
  readonly slot: number
  /** The variables so far; those of the field are added. */
  readonly variables: SolutionVariable[]
}

/**
 * A whole number, with the ends that a demand gives it; or a list of whole numbers. Demands give their ends, and either the length of
 * the list or that its elements differ, so that each possible one is there or is not.
 */
function fieldOf(label: string, type: Shape, surroundings: Surroundings): Unfolded {
  const { demands, given, slot, variables } = surroundings
  const isField = (tree: Typed): boolean =>
    tree.kind === 'field' && tree.label === label && tree.of.kind === 'local' && tree.of.slot === slot
  const added = (
    role: SolutionVariable['role'],
    place: number | null,
    [low, high]: readonly [number, number],
  ): Term => {
    if (high - low >= MOST_VALUES) throw new NoModel(`solution.${label} may have too many values.`)
    const variable = { index: variables.length, label, place, role, low, high }
    variables.push(variable)
    return t.variableTerm(variable)
  }
  if (type.kind === 'int') {
    const ends = endsOf(demands.flatMap(requiredParts), isField, given)
    if (ends === null) throw new NoModel(`No demand says from where to where solution.${label} may be.`)
    return { kind: 'number', over: added('value', null, ends), under: 1 }
  }
  if (type.kind !== 'list' || type.of.kind !== 'int')
    throw new NoModel(`solution.${label} is neither a whole number nor a list of whole numbers.`)
  const own = demands.filter(
    (demand) => demand.kind === 'each' && isField(demand.loop.source) && demand.loop.filter === null,
  )
  const ends = own
    .map((demand) => {
      if (demand.kind !== 'each') return null
      const isElement = (tree: Typed): boolean => tree.kind === 'local' && tree.slot === demand.loop.slot
      return endsOf(demand.demands.flatMap(requiredParts), isElement, given)
    })
    .find((found) => found !== null)
  const required = demands.flatMap(requiredParts)
  const length = lengthOf(required, isField, given)
  if (length === 0) return { kind: 'list', items: [], places: true }
  if (!ends) throw new NoModel(`No demand says from where to where the elements of solution.${label} may be.`)
  const [low, high] = ends
  if (length !== null) {
    if (length > LONGEST) throw new NoModel(`solution.${label} is too long for a model.`)
    const items = Array.from({ length }, (_, at) => {
      return { value: { kind: 'number' as const, over: added('value', at + 1, ends), under: 1 }, when: t.TRUE }
    })
    return { kind: 'list', items, places: true }
  }
  if (!required.some((part) => part.kind === 'distinct' && isField(part.of)))
    throw new NoModel(`No demand gives solution.${label} a length, or says that its elements differ.`)
  if (high - low >= LONGEST) throw new NoModel(`solution.${label} may have too many elements.`)
  const items = Array.from({ length: Math.max(0, high - low + 1) }, (_, at) => {
    const when = t.equal(added('chosen', low + at, [0, 1]), t.constant(1))
    return { value: { kind: 'known' as const, value: low + at }, when }
  })
  return { kind: 'list', items, places: false }
}

/** The conditions that a demand outside loops makes, those between "and" one by one. */
function requiredParts(demand: TypedDemand): readonly Typed[] {
  const split = (tree: Typed): readonly Typed[] =>
    tree.kind === 'both' ? [...split(tree.left), ...split(tree.right)] : [tree]
  return demand.kind === 'require' ? split(demand.condition) : []
}

/** The ends in `x in low..high` that depend on the instance alone. */
function endsOf(
  parts: readonly Typed[],
  isSubject: (tree: Typed) => boolean,
  given: Known,
): readonly [number, number] | null {
  for (const part of parts) {
    if (part.kind !== 'between' || !isSubject(part.value)) continue
    const [low, high] = [wholeOf(part.low, given), wholeOf(part.high, given)]
    if (low !== null && high !== null) return [low, high]
  }
  return null
}

function lengthOf(parts: readonly Typed[], isField: (tree: Typed) => boolean, given: Known): number | null {
  for (const part of parts) {
    if (part.kind !== 'equal' || part.negated) continue
    for (const [side, other] of [
      [part.left, part.right],
      [part.right, part.left],
    ] as const) {
      if (side.kind === 'length' && isField(side.of)) {
        const length = wholeOf(other, given)
        if (length !== null) return length
      }
    }
  }
  return null
}

/** The value of a formula that does not need the solution; null: it does. */
function wholeOf(tree: Typed, given: Known): number | null {
  try {
    const { over, under } = numberOf(unfold(tree, given))
    return t.isConstant(over) && under === 1 ? over.low : null
  } catch (error) {
    if (error instanceof NoModel) return null
    throw error
  }
}
