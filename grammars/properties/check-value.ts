import { FormulaError } from '../formulas/numbers/formula-error.ts'
import type { Frame } from '../formulas/running/frame.ts'
import type { Value } from '../formulas/index.ts'
import { contains } from '../formulas/running/search.ts'
import type { Json } from '../json.ts'
import { keyOf } from './canonical.ts'
import { pathText } from './path.ts'
import type { Path } from './path.ts'
import { isNumbered } from './plan.ts'
import type { ClassPlan, ListPlan, Places, Plan } from './plan.ts'
import type { Misfit } from './property.ts'
import { testOf } from './test-lexical.ts'

type Fields = { readonly [label: string]: Json }

/** A part of the value that is yet to be checked, or an object whose fields have been checked. */
interface Open {
  readonly plan: Plan
  readonly value: Json
  readonly path: Path
  /** The enclosing object. */
  readonly object: Value
  /** The number of the element that this is or is a part of, in the innermost list around; 0: there is none. */
  readonly index: Value
}

/**
 * The first rule that a valid value does not meet, in the order of the text. Does not recur, however deep the value.
 * Throws a FormulaError if the budget of steps is used up.
 */
export function misfitOf(root: Plan, value: Json, frame: Frame, places: Places): Misfit | null {
  const index = frame.slots[places.index] ?? 0
  const open: Open[] = [{ plan: root, value, path: null, object: frame.slots[places.object] ?? null, index }]
  for (let next = open.pop(); next; next = open.pop()) {
    frame.slots[places.object] = next.object
    frame.slots[places.index] = next.index
    let message: string | null
    try {
      message = look(next, open, frame, places)
    } catch (error) {
      if (!(error instanceof FormulaError) || frame.steps < 0) throw error
      message = `a rule cannot be evaluated here: ${error.message}`
    }
    if (message !== null) return { path: pathText(next.path), message }
  }
  return null
}

function look({ plan, value, path, object, index }: Open, open: Open[], frame: Frame, places: Places): string | null {
  switch (plan.kind) {
    case 'lexical':
      return plan.limits.length === 0 ? null : testOf(plan.limits, frame)(value)
    case 'option':
      if (value === null) return plan.none > 0 ? null : 'expected a value, found none'
      if (plan.some === 0) return 'expected none, found a value'
      if (plan.of.ruled) open.push({ plan: plan.of, value, path, object, index })
      return null
    case 'given': {
      for (const limit of plan.limits) {
        if (!contains(frame, limit.list(frame) as readonly Value[], value))
          return 'the value is not one of those allowed'
      }
      if (plan.of.ruled) open.push({ plan: plan.of, value, path, object, index })
      return null
    }
    case 'choice': {
      const name = (value as Fields).$ as string
      const chosen = plan.alternatives.find((one) => one.plan.shape.name === name)
      if (!chosen || chosen.weight === 0) return `a ${name} is not allowed here`
      return chosen.plan.ruled ? checkObject(chosen.plan, value as Fields, path, open, frame, places) : null
    }
    case 'class':
      return checkObject(plan, value as Fields, path, open, frame, places)
    case 'list':
      return checkList(plan, value as readonly Json[], path, object, open, frame)
  }
}

/** Checks an object, its conditions first, because they concern the whole object. */
function checkObject(
  plan: ClassPlan,
  value: Fields,
  path: Path,
  open: Open[],
  frame: Frame,
  places: Places,
): string | null {
  frame.slots[places.object] = value
  for (const { code } of plan.conditions) {
    if (!(code(frame) as boolean)) return `this ${plan.shape.name} does not meet the condition of its class`
  }
  for (let i = plan.fields.length - 1; i >= 0; i--) {
    const { label, plan: field } = plan.fields[i] as ClassPlan['fields'][number]
    if (field.ruled) {
      const index = frame.slots[places.index] ?? 0
      open.push({ plan: field, value: value[label] as Json, path: { inside: path, step: label }, object: value, index })
    }
  }
  return null
}

function checkList(
  plan: ListPlan,
  list: readonly Json[],
  path: Path,
  object: Value,
  open: Open[],
  frame: Frame,
): string | null {
  if (plan.lengths.length > 0) {
    const wrong = testOf(plan.lengths, frame)(list.length)
    if (wrong !== null) return `the length: ${wrong}`
  }
  if (plan.distinct !== null) {
    const wrong = equalElements(list, plan, frame)
    if (wrong !== null) return wrong
  }
  if (list.length === 0 || !plan.of.ruled) return null
  if (plan.of.kind === 'lexical' && !isNumbered(plan.of)) {
    frame.steps -= list.length
    const test = testOf(plan.of.limits, frame)
    for (let i = 0; i < list.length; i++) {
      const wrong = test(list[i] as Json)
      if (wrong !== null) return `element ${i + 1}: ${wrong}`
    }
    return null
  }
  for (let i = list.length - 1; i >= 0; i--) {
    open.push({ plan: plan.of, value: list[i] as Json, path: { inside: path, step: i }, object, index: i + 1 })
  }
  return null
}

function equalElements(list: readonly Json[], plan: ListPlan, frame: Frame): string | null {
  frame.steps -= list.length
  const places = new Map<unknown, number>()
  for (const [i, element] of list.entries()) {
    const key = keyOf(element, plan.shape)
    if (key === null) return 'the elements are nested too deeply to be compared'
    const earlier = places.get(key)
    if (earlier !== undefined) return `expected different elements, but elements ${earlier + 1} and ${i + 1} are equal`
    places.set(key, i)
  }
  return null
}
