import { partsOf } from '../checking/extent.ts'
import type { Typed, TypedFunction, TypedLoop } from '../checking/typed.ts'
import type { ChoiceShape, ClassShape } from '../../values/shape.ts'

/**
 * The way from a parameter to a part of its value: labels of fields, and elements, each by its number, by the slot of the
 * loop that visits it ("every"), or unknown. "narrowed": the value of an option, or an alternative, which may be absent.
 */
export type Path = readonly PathStep[]
type PathStep =
  | { readonly field: string }
  | { readonly element: number }
  | { readonly every: number }
  | { readonly element: 'some' }
  | { readonly narrowed: true }

/** A function that calls itself only with parts of one parameter, in each run with different ones. */
export interface Visitor {
  /** The parameter's place, and its class. */
  readonly index: number
  readonly type: ClassShape | ChoiceShape
  /** The slots of loops whose elements, or one field's value of each, are parts that it is called with. */
  readonly loops: ReadonlySet<number>
}

/**
 * A function that never visits a part of a value twice, so that it runs once at most for each part of its parameter's class.
 * null: it may visit one again, or that is not seen.
 */
export function visitorOf({ parameters, body }: TypedFunction): Visitor | null {
  for (const [index, { slot, type }] of parameters.entries()) {
    if (type.kind !== 'class' && type.kind !== 'choice') continue
    const loops = new Set<number>()
    const regions = new Regions(index, new Map([[slot, [[]]]]), loops).of(body, [])
    if (regions !== null) return { index, type, loops }
  }
  return null
}

/** The ways of each name that holds a part; several if an `if` decides. */
export type Ways = Map<number, readonly Path[]>

/** The ways to the part of a parameter that a formula gives; null: it may give anything. */
export function waysOf(tree: Typed, known: Ways): readonly Path[] | null {
  const further = (of: Typed, ...steps: readonly PathStep[]): readonly Path[] | null =>
    waysOf(of, known)?.map((path) => [...path, ...steps]) ?? null
  switch (tree.kind) {
    case 'local':
      return known.get(tree.slot) ?? null
    case 'field':
      return further(tree.of, { field: tree.label })
    case 'element':
      return further(tree.of, { element: numberOf(tree.index) ?? 'some' })
    case 'lookup':
      return further(tree.entries, { element: 'some' }, { field: 'val' })
    case 'if': {
      const [yes, no] = [waysOf(tree.yes, known), waysOf(tree.no, known)]
      return yes && no && [...yes, ...no]
    }
    case 'let':
      // Its name is known where the formula around is walked through.
      return waysOf(tree.body, known)
    default:
      return null
  }
}

function numberOf(tree: Typed): number | null {
  return tree.kind === 'constant' && typeof tree.value === 'number' ? tree.value : null
}

/** Notes the ways of a loop's element. */
export function enterLoop({ slot, source }: TypedLoop, known: Ways): void {
  const ways = waysOf(source, known)?.map((path): Path => [...path, { every: slot }])
  if (ways !== undefined) known.set(slot, ways)
}

/** Notes the ways of the names of a match. */
export function enterCases({ subject, cases }: Extract<Typed, { kind: 'match' }>, known: Ways): void {
  const ways = waysOf(subject, known)?.map((path): Path => [...path, { narrowed: true }])
  if (ways === undefined) return
  for (const { slot } of cases) if (slot !== null) known.set(slot, ways)
}

/** The parts with which a function calls itself in one run. */
class Regions {
  private readonly index: number
  private readonly known: Ways
  private readonly loops: Set<number>

  constructor(index: number, known: Ways, loops: Set<number>) {
    this.index = index
    this.known = known
    this.loops = loops
  }

  /** null: two of them may be the same part, or one within another. `around`: the slots of the loops around. */
  of(tree: Typed, around: readonly number[]): readonly Path[] | null {
    switch (tree.kind) {
      case 'call': {
        const args = this.together(tree.args, around)
        if (!tree.own) return args
        const called = waysOf(tree.args[this.index]!, this.known)
        // In each round of a loop it must be called with a part of this round's element.
        const differs = (path: Path): boolean =>
          around.every((slot) => path.some((step) => 'every' in step && step.every === slot))
        if (args === null || called === null || !called.every((path) => !isWhole(path) && differs(path))) return null
        for (const path of called) this.noteLoop(path)
        return disjoint(args, called) ? [...args, ...called] : null
      }
      case 'if':
        return this.oneOf(tree.condition, [tree.yes, tree.no], around)
      case 'match': {
        enterCases(tree, this.known)
        const bodies = tree.cases.map(({ body }) => body)
        return this.oneOf(tree.subject, tree.other === null ? bodies : [...bodies, tree.other], around)
      }
      case 'let': {
        const ways = waysOf(tree.value, this.known)
        if (ways !== null) this.known.set(tree.slot, ways)
        return this.together([tree.value, tree.body], around)
      }
      case 'gather':
        return this.inLoops(tree.loops, [], tree.body, around)
      case 'fold':
        return this.inLoops(tree.loops, [tree.start], tree.body, around)
      default:
        return this.together(partsOf(tree), around)
    }
  }

  private inLoops(
    loops: readonly TypedLoop[],
    before: readonly Typed[],
    body: Typed,
    around: readonly number[],
  ): readonly Path[] | null {
    let within = around
    let all = this.together(before, around)
    const add = (more: readonly Path[] | null): void => {
      all = all && more && disjoint(all, more) ? [...all, ...more] : null
    }
    for (const loop of loops) {
      add(this.of(loop.source, within))
      enterLoop(loop, this.known)
      within = [...within, loop.slot]
      if (loop.filter !== null) add(this.of(loop.filter, within))
    }
    add(this.of(body, within))
    return all
  }

  /** All of these are evaluated. */
  private together(trees: readonly Typed[], around: readonly number[]): readonly Path[] | null {
    let all: readonly Path[] = []
    for (const tree of trees) {
      const more = this.of(tree, around)
      if (more === null || !disjoint(all, more)) return null
      all = [...all, ...more]
    }
    return all
  }

  /** The first is evaluated, and then one of the others. */
  private oneOf(first: Typed, others: readonly Typed[], around: readonly number[]): readonly Path[] | null {
    const before = this.of(first, around)
    const after: Path[] = []
    for (const other of others) {
      const more = this.of(other, around)
      if (more === null) return null
      after.push(...more)
    }
    return before && disjoint(before, after) ? [...before, ...after] : null
  }

  /** Notes the loop all of whose elements have such a part in one of their fields, or are one. */
  private noteLoop(path: Path): void {
    const last = path.findLastIndex((step) => !('field' in step))
    const step = path[last]
    if (step !== undefined && 'every' in step) this.loops.add(step.every)
  }
}

function isWhole(path: Path): boolean {
  return path.every((step) => 'narrowed' in step)
}

/** Are the values at the ends of all these ways different, and none of them within another? */
function disjoint(some: readonly Path[], others: readonly Path[]): boolean {
  return some.every((one) => others.every((other) => areApart(one, other)))
}

function areApart(one: Path, other: Path): boolean {
  const [mine, theirs] = [one, other].map((path) => path.filter((step) => !('narrowed' in step)))
  for (const [i, a] of mine!.entries()) {
    const b = theirs![i]
    if (b === undefined) return false
    if ('field' in a && 'field' in b && a.field !== b.field) return true
    if ('element' in a && 'element' in b && a.element !== 'some' && b.element !== 'some' && a.element !== b.element)
      return true
  }
  return false
}
