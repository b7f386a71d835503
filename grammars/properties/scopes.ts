import { extended } from '../formulas/checking/scope.ts'
import type { Scope } from '../formulas/checking/scope.ts'
import { partsOf } from '../formulas/checking/extent.ts'
import { INT, typeOf } from '../formulas/index.ts'
import type { Typed, TypedFunction } from '../formulas/checking/typed.ts'
import type { ClassShape, Shape } from '../values/index.ts'
import type { Places, Reach } from './plan.ts'
import type { Subject } from './subject.ts'

/** The scopes of the formulas of each rule. */
export interface Scopes {
  readonly places: Places
  /** Every class that can occur in a value. */
  readonly classes: readonly ClassShape[]
  /** The scope of a rule about the field with index `at` of a class; after its last field: about the whole object. */
  scope(shape: ClassShape, at: number): Scope
}

/** Creates scopes in which only the part of the value before the current field is available. */
export function scopesOf(subject: Subject): Scopes {
  const { program, shape: root } = subject
  const places: Places = {
    root: program.variable(typeOf(root)).slot,
    object: program.variable(typeOf(root)).slot,
    index: program.variable(INT).slot,
    numbered: false,
  }
  const roots = root.kind === 'choice' ? root.alternatives : root.kind === 'class' ? [root] : []
  // The first field of each root through which a class is reached; the fields before it are available.
  const reached = roots.map((one) => reachedFrom(one))
  const classes = [...new Set([...roots, ...reached.flatMap((one) => [...one.keys()])])]
  return {
    places,
    classes,
    scope(shape, at) {
      const soFar = roots.map((one, i) => {
        const through = reached[i]?.get(shape) ?? Infinity
        return upTo(one, Math.min(through, one === shape ? at : Infinity))
      })
      const [only] = soFar
      const value: Shape =
        root.kind === 'choice' || !only ? { kind: 'choice', name: soFarName(root), alternatives: soFar } : only
      const scope = extended(subject.scope, subject.name, { slot: places.root, type: typeOf(value) })
      const numbered = extended(scope, 'index()', { slot: places.index, type: INT })
      return extended(numbered, 'this', { slot: places.object, type: typeOf(upTo(shape, at)) })
    },
  }
}

function reachedFrom(root: ClassShape): ReadonlyMap<ClassShape, number> {
  const through = new Map<ClassShape, number>()
  for (const [i, field] of root.fields.entries()) {
    const open: Shape[] = [field.type]
    for (let shape = open.pop(); shape; shape = open.pop()) {
      if (shape.kind === 'list' || shape.kind === 'option') open.push(shape.of)
      else if (shape.kind === 'choice') open.push(...shape.alternatives)
      else if (shape.kind === 'class' && !through.has(shape)) {
        through.set(shape, i)
        for (const { type } of shape.fields) open.push(type)
      }
    }
  }
  return through
}

function upTo(shape: ClassShape, at: number): ClassShape {
  if (at >= shape.fields.length) return shape
  return { kind: 'class', name: soFarName(shape), fields: shape.fields.slice(0, at) }
}

function soFarName(shape: Shape): string {
  return `${'name' in shape ? shape.name : shape.kind} so far`
}

/** Does a formula depend on the number of the current element? */
export function usesIndex(typed: Typed, { index }: Places): boolean {
  return slotsOf(typed).has(index)
}

/** The reach of a formula; null: it uses no variables and has the same value everywhere. */
export function reachOf(typed: Typed, places: Places, scope: Scope): Reach | null {
  const slots = slotsOf(typed)
  if (slots.has(places.index)) places.numbered = true
  if (slots.has(places.object) || slots.has(places.index)) return 'this'
  if (slots.has(places.root)) return 'root'
  return [...scope.values()].some(({ slot }) => slots.has(slot)) ? 'given' : null
}

/** The slots that a formula reads, also in the functions that it calls. */
function slotsOf(typed: Typed): ReadonlySet<number> {
  const slots = new Set<number>()
  const functions = new Set<TypedFunction>()
  const open: Typed[] = [typed]
  for (let tree = open.pop(); tree; tree = open.pop()) {
    if (tree.kind === 'local') slots.add(tree.slot)
    else if (tree.kind === 'call' && !functions.has(tree.function)) {
      functions.add(tree.function)
      open.push(tree.function.body)
    }
    open.push(...partsOf(tree))
  }
  return slots
}
