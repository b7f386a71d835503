import { extentOf } from '../../../grammars/formulas/checking/extent.ts'
import type { Folded, Gathered, Typed, TypedFunction, TypedLoop } from '../../../grammars/formulas/checking/typed.ts'
import { FormulaError, LimitError } from '../../../grammars/formulas/numbers/formula-error.ts'
import type { Exact } from '../../../grammars/formulas/numbers/exact.ts'
import type { Value } from '../../../grammars/formulas/index.ts'
import { equal } from '../../../grammars/formulas/running/equal.ts'
import { spend, type Frame } from '../../../grammars/formulas/running/frame.ts'
import { exactlyFor, orderFor } from '../../../grammars/formulas/running/number-work.ts'
import { absent, applyAt, bitAt, calculateAt, lookUpAt } from '../../../grammars/formulas/running/placed.ts'
import { allDistinct, contains, entryOf, isSubset } from '../../../grammars/formulas/running/search.ts'

type List = readonly Value[]
type Fields = { readonly [key: string]: Value }

/** The price of a list beside its elements, and that of a run of parts, as docs/language.md has them. */
const LIST = 4
const priceOf = (...trees: readonly (Typed | null)[]): number =>
  1 + Math.floor(trees.reduce((sum, tree) => sum + (tree === null ? 0 : extentOf(tree).size), 0) / 50)

/**
 * The value of a checked formula by walking its tree: one rule a construct, no case for small numbers, for constants, or for one
 * argument. Compiled formulas must agree with it in values, errors, places and steps.
 */
export function valueOf(tree: Typed, f: Frame): Value {
  const number = (part: Typed): Exact => valueOf(part, f) as Exact
  const list = (part: Typed): List => valueOf(part, f) as List
  switch (tree.kind) {
    case 'constant':
      return tree.value
    case 'local':
      return f.slots[tree.slot]!
    case 'field':
      return exact(tree, (valueOf(tree.of, f) as Fields)[tree.label]!, f)
    case 'element': {
      const elements = list(tree.of)
      const index = number(tree.index)
      const found = typeof index === 'number' ? elements[index - 1] : undefined
      return exact(tree, found === undefined ? absent(elements, index, tree.at) : found, f)
    }
    case 'arithmetic':
      return calculateAt(f, tree.operator, tree.args.map(number), tree.at)
    case 'order': {
      const sign = orderFor(f, number(tree.left), number(tree.right))
      return { '<': sign < 0, '<=': sign <= 0, '>': sign > 0, '>=': sign >= 0 }[tree.operator]
    }
    case 'equal': {
      const left = valueOf(tree.left, f)
      return equal(f, left, valueOf(tree.right, f)) !== tree.negated
    }
    case 'member': {
      const within = list(tree.list)
      return contains(f, within, valueOf(tree.value, f))
    }
    case 'between': {
      const value = number(tree.value)
      // The high end is computed and compared in any case if the low end is a constant integer.
      const high = tree.low.kind === 'constant' && typeof tree.low.value === 'number' ? number(tree.high) : null
      const above = orderFor(f, number(tree.low), value) <= 0
      return high === null
        ? above && orderFor(f, value, number(tree.high)) <= 0
        : orderFor(f, value, high) <= 0 && above
    }
    case 'subset': {
      const within = list(tree.right)
      return isSubset(f, list(tree.left), within)
    }
    case 'not':
      return valueOf(tree.of, f) !== true
    case 'both':
      return valueOf(tree.left, f) === true && valueOf(tree.right, f)
    case 'either':
      return valueOf(tree.left, f) === true || valueOf(tree.right, f)
    case 'list':
      spend(f, LIST + tree.elements.length)
      return tree.elements.map((element) => valueOf(element, f))
    case 'range': {
      const low = number(tree.low)
      const high = number(tree.high)
      spend(f, LIST)
      return integers(low, high, 1, f)
    }
    case 'gather':
      return gathered(tree, f)
    case 'length': {
      const of = valueOf(tree.of, f)
      if (typeof of !== 'string') return (of as List).length
      spend(f, 1 + Math.floor(of.length / 4))
      return [...of].length
    }
    case 'distinct':
      return allDistinct(f, list(tree.of))
    case 'bit': {
      const bits = number(tree.bits)
      return bitAt(f, bits, number(tree.row), tree.at)
    }
    case 'lookup': {
      const entries = list(tree.entries)
      return exact(tree, lookUpAt(f, entries, valueOf(tree.key, f), tree.at), f)
    }
    case 'has': {
      const entries = list(tree.entries)
      return entryOf(f, entries, valueOf(tree.key, f)) !== undefined
    }
    case 'if':
      return valueOf(valueOf(tree.condition, f) === true ? tree.yes : tree.no, f)
    case 'let':
      f.slots[tree.slot] = valueOf(tree.value, f)
      return valueOf(tree.body, f)
    case 'match':
      return matched(tree, f)
    case 'apply': {
      const args = tree.args.map((arg) => valueOf(arg, f))
      return applyAt(f, tree.applied, args, tree.at)
    }
    case 'fold':
      f.slots[tree.slot] = valueOf(tree.start, f)
      folded(tree, tree.loops, f)
      return f.slots[tree.slot]!
    case 'call': {
      const args = tree.args.map((arg) => valueOf(arg, f))
      if (tree.own) return inItself(tree.function, args, f)
      tree.function.parameters.forEach(({ slot }, i) => (f.slots[slot] = args[i]!))
      spend(f, priceOf(tree.function.body))
      return valueOf(tree.function.body, f)
    }
  }
}

function folded(tree: Folded, [loop, ...inner]: readonly TypedLoop[], f: Frame): void {
  if (loop === undefined) f.slots[tree.slot] = valueOf(tree.body, f)
  else for (const bind of elementsOf(loop, tree.body, f)) if (bind()) folded(tree, inner, f)
}

/** A call of a function by itself: on a copy of the slots, of which only the steps are common. */
function inItself(called: TypedFunction, args: readonly Value[], f: Frame): Value {
  spend(f, priceOf(called.body) + called.slots.end - called.slots.first)
  const inner: Frame = { ...f, slots: [...f.slots], depth: f.depth + called.extent.depth }
  if (inner.depth > 1500) throw new LimitError(`${called.name}(...) calls itself too many levels deep.`)
  called.parameters.forEach(({ slot }, i) => (inner.slots[slot] = args[i]!))
  try {
    return valueOf(called.body, inner)
  } finally {
    f.steps = inner.steps
  }
}

/** A decimal of JSON is read exactly. */
function exact({ type }: Typed, value: Value, f: Frame): Value {
  return type.kind === 'number' ? exactlyFor(f, value as Exact) : value
}

function matched(tree: Typed & { kind: 'match' }, f: Frame): Value {
  const subject = valueOf(tree.subject, f)
  const { type } = tree.subject
  const name = type.kind !== 'option' ? (subject as Fields)['$'] : subject === null ? 'none' : 'some'
  const one = tree.cases.find(({ alternative }) => alternative === name)
  if (one === undefined) return valueOf(tree.other!, f)
  const isNumber = type.kind === 'option' && type.of.kind === 'number'
  if (one.slot !== null) f.slots[one.slot] = isNumber ? exactlyFor(f, subject as Exact) : subject
  return valueOf(one.body, f)
}

function integers(low: Exact, high: Exact, price: number, f: Frame): readonly number[] {
  if (orderFor(f, low, high) > 0) return []
  const bounded = typeof low === 'number' && typeof high === 'number'
  spend(f, bounded ? (high - low + 1) * price : Infinity)
  return bounded ? Array.from({ length: high - low + 1 }, (_, i) => low + i) : []
}

/** Folds loop by loop: a sum over two loops is the sum of the sums over the inner one. */
function gathered({ fold, loops, body, at }: Gathered, f: Frame): Value {
  const over = ([loop, ...inner]: readonly TypedLoop[]): Value | undefined => {
    if (loop === undefined) return fold === 'count' ? 1 : valueOf(body, f)
    const found = (): Value | undefined => over(inner)
    let result: Value | undefined = { sum: 0, count: 0, all: true, exists: false, min: null, max: null }[fold as 'sum']
    if (fold === 'list') result = []
    for (const bind of elementsOf(loop, body, f)) {
      if (!bind()) continue
      const next = found()
      if (fold === 'sum' || fold === 'count') result = calculateAt(f, '+', [result as Exact, next as Exact], at)
      else if (fold === 'list') result = [...(result as List), ...(inner.length > 0 ? (next as List) : [next as Value])]
      else if (fold === 'min' || fold === 'max') {
        const sign = fold === 'min' ? 1 : -1
        if (next === null) continue
        if (result === null || sign * orderFor(f, next as Exact, result as Exact) < 0) result = next
      } else if (fold === 'first' ? next !== undefined : next === (fold === 'exists')) return next
    }
    return result
  }
  if (fold === 'list') spend(f, LIST)
  const result = over(loops)
  const isMissing = fold === 'first' ? result === undefined : (fold === 'min' || fold === 'max') && result === null
  if (isMissing) throw new FormulaError(`${fold}(...) needs at least one value.`, at)
  return result!
}

/** For each element of a loop: binds its variables; false if the filter excludes it. */
function elementsOf({ source, slot, indexSlot, filter }: TypedLoop, body: Typed, f: Frame): readonly (() => boolean)[] {
  const price = priceOf(filter, body)
  let elements: List
  if (source.kind === 'range') {
    const low = valueOf(source.low, f) as Exact
    elements = integers(low, valueOf(source.high, f) as Exact, price, f)
  } else {
    elements = valueOf(source, f) as List
    spend(f, elements.length * price)
  }
  const isDecimal = source.type.kind === 'list' && source.type.of.kind === 'number'
  return elements.map((element, i) => () => {
    f.slots[slot] = isDecimal ? exactlyFor(f, element as Exact) : element
    if (indexSlot !== null) f.slots[indexSlot] = i + 1
    return filter === null || valueOf(filter, f) === true
  })
}
