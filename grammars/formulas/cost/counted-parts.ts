import type { ChoiceShape, ClassShape, Shape } from '../../values/shape.ts'
import type { Typed, TypedFunction } from '../checking/typed.ts'
import { enterCases, enterLoop, visitorOf, waysOf, type Path, type Ways } from './own-regions.ts'

/** A function whose value tells how many parts of its own class the value of one of its parameters has. */
interface Counter {
  readonly index: number
  /** The most parts of a value for which the function is at most `value`. */
  most(value: number): number
}

/** A value from below: a constant, and the function's values for these parts, of all or (`deepest`) of one of them. */
interface Least {
  readonly constant: number
  readonly of: readonly Path[]
  readonly deepest: boolean
}

const known = new WeakMap<TypedFunction, Counter | null>()

/** null: the function does not count all parts, or that is not seen. */
export function counterOf(called: TypedFunction): Counter | null {
  const found = known.get(called)
  if (found !== undefined) return found
  const counter = findCounter(called)
  known.set(called, counter)
  return counter
}

function findCounter(called: TypedFunction): Counter | null {
  const visitor = visitorOf(called)
  if (visitor === null) return null
  const { index, type } = visitor
  const alternatives = alternativesOf(called, index, type)
  if (alternatives === null) return null
  const all = alternatives.map(({ least, kids }) => ({ ...kids, ...least }))
  const branches = Math.max(0, ...all.map(({ possible }) => possible))
  const counts = (one: (typeof all)[number]): boolean => one.constant >= 1
  const inner = all.filter(({ possible }) => possible > 0)
  if (all.some(({ deepest, possible }) => deepest && possible > 1)) {
    // Each level costs one, and has `branches` times as many parts as the one above.
    if (!inner.every(counts) || branches === Infinity) return null
    return { index, most: (value) => (branches ** (Math.max(0, value) + 1) - 1) / (branches - 1) }
  }
  if (all.every(counts)) return { index, most: (value) => Math.max(0, value) }
  if (inner.every(counts) && branches < Infinity) return { index, most: (value) => 1 + branches * Math.max(0, value) }
  if (all.every((one) => counts(one) || one.certain >= 2)) return { index, most: (value) => Math.max(0, 2 * value - 1) }
  return null
}

/** The children of an object: those that it has for certain, and the most that it may have. */
interface Kids {
  readonly certain: number
  readonly possible: number
  readonly places: readonly string[]
}

function alternativesOf(
  { parameters, body }: TypedFunction,
  index: number,
  type: ClassShape | ChoiceShape,
): readonly { readonly least: Least; readonly kids: Kids }[] | null {
  const slot = parameters[index]!.slot
  const ways: Ways = new Map([[slot, [[]]]])
  const below: Below = { index, ways, names: new Map() }
  const found: { least: Least; kids: Kids }[] = []
  for (const shape of type.kind === 'class' ? [type] : type.alternatives) {
    const kids = kidsOf(shape, type)
    const least = leastOf(bodyFor(body, slot, shape.name, ways), below)
    if (kids === null || least === null) return null
    const places = new Set(least.of.map(placeOf))
    if (!kids.places.every((place) => places.has(place))) return null
    found.push({ least, kids })
  }
  return found
}

/** The formula for one alternative of the parameter. */
function bodyFor(body: Typed, slot: number, alternative: string, ways: Ways): Typed {
  if (body.kind !== 'match' || body.subject.kind !== 'local' || body.subject.slot !== slot) return body
  enterCases(body, ways)
  return body.cases.find((one) => one.alternative === alternative)?.body ?? body.other ?? body
}

/** null: it has parts in places where no function calls itself with all of them. */
function kidsOf({ fields }: ClassShape, type: ClassShape | ChoiceShape): Kids | null {
  let [certain, possible] = [0, 0]
  const places: string[] = []
  for (const { label, type: of } of fields) {
    if (isOf(of, type)) [certain, possible] = [certain + 1, possible + 1]
    else if (of.kind === 'option' && isOf(of.of, type)) possible += 1
    else if (of.kind === 'list' && isOf(of.of, type)) possible = Infinity
    else if (contains(of, type, new Set())) return null
    else continue
    places.push(of.kind === 'list' ? `${label}/*` : label)
  }
  return { certain, possible, places }
}

function isOf(shape: Shape, type: ClassShape | ChoiceShape): boolean {
  return shape.kind === type.kind && shape.name === type.name
}

function contains(shape: Shape, type: ClassShape | ChoiceShape, seen: Set<Shape>): boolean {
  if (seen.has(shape)) return false
  seen.add(shape)
  if (isOf(shape, type)) return true
  switch (shape.kind) {
    case 'list':
    case 'option':
      return contains(shape.of, type, seen)
    case 'class':
      // An alternative may be a field's class by itself.
      if (type.kind === 'choice' && type.alternatives.some(({ name }) => name === shape.name)) return true
      return shape.fields.some((field) => contains(field.type, type, seen))
    case 'choice':
      return shape.alternatives.some((one) => contains(one, type, seen))
    default:
      return false
  }
}

function placeOf(path: Path): string {
  return path
    .filter((step) => !('narrowed' in step))
    .map((step) => ('field' in step ? step.field : 'every' in step ? '*' : '?'))
    .join('/')
}

const nothing = (constant: number): Least => ({ constant, of: [], deepest: false })

/** `index`: of the parameter whose parts are counted; `names`: the values of names from below. */
interface Below {
  readonly index: number
  readonly ways: Ways
  readonly names: Map<number, Least>
}

/** null: nothing is known, or the value may be negative. */
function leastOf(tree: Typed, below: Below): Least | null {
  const { index, ways, names } = below
  const inner = (part: Typed): Least | null => leastOf(part, below)
  switch (tree.kind) {
    case 'constant':
      return typeof tree.value === 'number' && tree.value >= 0 ? nothing(tree.value) : null
    case 'length':
      return nothing(0)
    case 'local':
      return names.get(tree.slot) ?? null
    case 'let': {
      const value = inner(tree.value)
      if (value !== null) names.set(tree.slot, value)
      const path = waysOf(tree.value, ways)
      if (path !== null) ways.set(tree.slot, path)
      return inner(tree.body)
    }
    case 'call': {
      if (!tree.own) return null
      const called = waysOf(tree.args[index]!, ways)
      return called?.length === 1 ? { constant: 0, of: called, deepest: false } : null
    }
    case 'arithmetic': {
      const parts = tree.args.map(inner)
      if (tree.operator === '+') return parts.reduce(added)
      return tree.operator === 'max' ? parts.reduce(largest) : null
    }
    case 'gather': {
      if (tree.fold === 'count') return nothing(0)
      const [loop, another] = tree.loops
      if (tree.fold !== 'sum' || loop === undefined || another !== undefined || loop.filter !== null) return null
      enterLoop(loop, ways)
      const each = inner(tree.body)
      return each === null || each.deepest ? null : { ...each, constant: 0 }
    }
    case 'match':
      return leastOfOption(tree, below)
    default:
      return null
  }
}

/** The value of an option counts if it is there; an absent one counts nothing. */
function leastOfOption(tree: Extract<Typed, { kind: 'match' }>, below: Below): Least | null {
  const subject = waysOf(tree.subject, below.ways)
  if (tree.subject.type.kind !== 'option' || subject?.length !== 1) return null
  enterCases(tree, below.ways)
  const some = tree.cases.find(({ alternative }) => alternative === 'some')?.body ?? tree.other
  const none = tree.cases.find(({ alternative }) => alternative === 'none')?.body ?? tree.other
  const [present, absent] = [some && leastOf(some, below), none && leastOf(none, below)]
  if (present === null || absent === null || absent.of.length > 0) return null
  const isOfOption = present.of.every((path) => placeOf(path) === placeOf(subject[0]!))
  return isOfOption ? { ...present, constant: Math.min(present.constant, absent.constant) } : null
}

function added(a: Least | null, b: Least | null): Least | null {
  if (a === null || b === null) return null
  if ((a.deepest && b.of.length > 0) || (b.deepest && a.of.length > 0)) return null
  return { constant: a.constant + b.constant, of: [...a.of, ...b.of], deepest: a.deepest || b.deepest }
}

function largest(a: Least | null, b: Least | null): Least | null {
  if (a === null || b === null) return null
  const of = [...a.of, ...b.of]
  return { constant: Math.min(a.constant, b.constant), of, deepest: of.length > 1 }
}
