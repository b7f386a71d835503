import { charactersIn } from '../functions/texts.ts'
import { absent, applyAt, bitAt, lookUpAt } from './placed.ts'
import { compileArithmetic, compileBetween, compileOrder, smallConstant } from './compile-numbers.ts'
import { compileFold, compileGather } from './compile-gather.ts'
import { DEEPEST_RUN, ownPriceOf, priceOf } from '../checking/extent.ts'
import { FormulaError, LimitError } from '../numbers/formula-error.ts'
import { LIST_STEPS, spend } from './frame.ts'
import type { Code, Frame } from './frame.ts'
import { exactlyFor } from './number-work.ts'
import type { Exact } from '../numbers/exact.ts'
import { allDistinct, contains, entryOf, isSubset } from './search.ts'
import { rangeList } from './span.ts'
import type { Lookup, Range, Typed, TypedCase, TypedFunction } from '../checking/typed.ts'
import { equal } from './equal.ts'
import type { Value } from '../numbers/value.ts'

type List = readonly Value[]
type Fields = { readonly [key: string]: Value }

/**
 * Compiles checked formulas to closures, in the window and in workers. Code from text would be several times as fast for the
 * quality of 100,000 constraints, but whole contests take as long, and a page's policy forbids it. The casts rely on the checker: code of type `list of ...` returns arrays, code
 * of a numeric type exact numbers, and so on.
 */
export class Compiler {
  private readonly functions = new Map<TypedFunction, Code>()

  compile(tree: Typed): Code {
    switch (tree.kind) {
      case 'constant': {
        const { value } = tree
        return () => value
      }
      case 'local': {
        const { slot } = tree
        return (f) => f.slots[slot] as Value
      }
      case 'field':
        return exact(tree, this.field(tree.of, tree.label))
      case 'element':
        return exact(tree, this.element(tree.of, tree.index, tree.at))
      case 'arithmetic':
        return compileArithmetic(tree.operator, tree.args, tree.at, this)
      case 'order':
        return compileOrder(tree.operator, tree.left, tree.right, this)
      case 'equal': {
        const left = this.compile(tree.left)
        const right = this.compile(tree.right)
        return tree.negated ? (f) => !equal(f, left(f), right(f)) : (f) => equal(f, left(f), right(f))
      }
      case 'member': {
        const value = this.compile(tree.value)
        const list = this.compile(tree.list)
        return (f) => contains(f, list(f) as List, value(f))
      }
      case 'between':
        return compileBetween(tree.value, tree.low, tree.high, this)
      case 'subset': {
        const left = this.compile(tree.left)
        const right = this.compile(tree.right)
        return (f) => {
          const within = right(f) as List
          return isSubset(f, left(f) as List, within)
        }
      }
      case 'not': {
        const of = this.compile(tree.of)
        return (f) => !(of(f) as boolean)
      }
      case 'both': {
        const left = this.compile(tree.left)
        const right = this.compile(tree.right)
        return (f) => (left(f) as boolean) && right(f)
      }
      case 'either': {
        const left = this.compile(tree.left)
        const right = this.compile(tree.right)
        return (f) => left(f) || right(f)
      }
      case 'list':
        return this.list(tree.elements)
      case 'range':
        return this.range(tree)
      case 'gather':
        return compileGather(tree, this)
      case 'length': {
        const of = this.compile(tree.of)
        if (tree.of.type.kind === 'text') return (f) => charactersIn(f, of(f) as string)
        return (f) => (of(f) as List).length
      }
      case 'distinct': {
        const of = this.compile(tree.of)
        return (f) => allDistinct(f, of(f) as List)
      }
      case 'bit':
        return this.bit(tree.bits, tree.row, tree.at)
      case 'lookup':
      case 'has':
        return this.entry(tree)
      case 'if': {
        const condition = this.compile(tree.condition)
        const yes = this.compile(tree.yes)
        const no = this.compile(tree.no)
        return (f) => ((condition(f) as boolean) ? yes(f) : no(f))
      }
      case 'let': {
        const { slot } = tree
        const value = this.compile(tree.value)
        const body = this.compile(tree.body)
        return (f) => {
          f.slots[slot] = value(f)
          return body(f)
        }
      }
      case 'match':
        return this.match(tree.subject, tree.cases, tree.other)
      case 'apply': {
        const { applied, at } = tree
        const args = tree.args.map((arg) => this.compile(arg))
        return (f) => {
          const values = args.map((arg) => arg(f))
          return applyAt(f, applied, values, at)
        }
      }
      case 'fold':
        return compileFold(tree, this)
      case 'call':
        return tree.own ? this.ownCall(tree.function, tree.args) : this.call(tree.function, tree.args)
    }
  }

  private bit(bitsTree: Typed, rowTree: Typed, at: number): Code {
    const bits = this.compile(bitsTree)
    const row = this.compile(rowTree)
    return (f) => {
      const b = bits(f) as Exact
      const r = row(f) as Exact
      // Practically the only case that occurs.
      if (typeof b === 'number' && typeof r === 'number' && b >= 0 && b < 0x80000000 && r >= 0 && r < 32) {
        return ((b >> r) & 1) === 1
      }
      return bitAt(f, b, r, at)
    }
  }

  private entry(tree: Lookup & Typed): Code {
    const { at } = tree
    const entries = this.compile(tree.entries)
    const key = this.compile(tree.key)
    if (tree.kind === 'has') return (f) => entryOf(f, entries(f) as List, key(f)) !== undefined
    return exact(tree, (f) => lookUpAt(f, entries(f) as List, key(f), at))
  }

  private field(of: Typed, label: string): Code {
    if (of.kind === 'local') {
      const { slot } = of
      return (f) => (f.slots[slot] as Fields)[label] as Value
    }
    const record = this.compile(of)
    return (f) => (record(f) as Fields)[label] as Value
  }

  private element(of: Typed, index: Typed, at: number): Code {
    const list = this.compile(of)
    const known = smallConstant(index)
    if (known !== null && known >= 1) {
      return (f) => {
        const elements = list(f) as List
        return known <= elements.length ? (elements[known - 1] as Value) : absent(elements, known, at)
      }
    }
    const number = this.compile(index)
    return (f) => {
      const elements = list(f) as List
      const i = number(f) as Exact
      return typeof i === 'number' && i >= 1 && i <= elements.length
        ? (elements[i - 1] as Value)
        : absent(elements, i, at)
    }
  }

  private list(trees: readonly Typed[]): Code {
    const elements = trees.map((element) => this.compile(element))
    const price = LIST_STEPS + elements.length
    return (f) => {
      spend(f, price)
      return elements.map((element) => element(f))
    }
  }

  private range(tree: Range): Code {
    const low = this.compile(tree.low)
    const high = this.compile(tree.high)
    return (f) => {
      const first = low(f) as Exact
      return rangeList(f, first, high(f) as Exact)
    }
  }

  private match(subject: Typed, cases: readonly TypedCase[], other: Typed | null): Code {
    const value = this.compile(subject)
    const otherwise = other && this.compile(other)
    const bodies = new Map(cases.map((one) => [one.alternative, { slot: one.slot, body: this.compile(one.body) }]))
    const isOption = subject.type.kind === 'option'
    const isNumber = subject.type.kind === 'option' && subject.type.of.kind === 'number'
    return (f) => {
      const found = value(f)
      const name = isOption ? (found === null ? 'none' : 'some') : ((found as Fields).$ as string)
      const one = bodies.get(name)
      if (one) {
        if (one.slot !== null) f.slots[one.slot] = isNumber ? exactlyFor(f, found as Exact) : found
        return one.body(f)
      }
      // The checker ensures that every alternative has a case, or the match an `else`.
      if (!otherwise) throw new FormulaError(`There is no case for "${name}".`)
      return otherwise(f)
    }
  }

  private body(called: TypedFunction): Code {
    const known = this.functions.get(called)
    if (known) return known
    let body: Code | null = null
    // The function may call itself before it is compiled.
    this.functions.set(called, (f) => (body as Code)(f))
    body = this.compile(called.body)
    this.functions.set(called, body)
    return body
  }

  /** A call that a function makes of itself: its names get their values back when it returns. */
  private ownCall(called: TypedFunction, args: readonly Typed[]): Code {
    const run = this.body(called)
    const values = args.map((arg) => this.compile(arg))
    const price = ownPriceOf(called)
    return (f) => {
      const computed = values.map((value) => value(f))
      spend(f, price)
      return recur(f, called, computed, run)
    }
  }

  private call(called: TypedFunction, args: readonly Typed[]): Code {
    const run = this.body(called)
    const values = args.map((arg) => this.compile(arg))
    const price = priceOf(called.body)
    const slots = called.parameters.map((parameter) => parameter.slot)
    const [first, second] = values
    const [firstSlot = 0, secondSlot = 0] = slots
    // All arguments are computed before the first is bound, because one of them may call this function.
    if (first && values.length === 1) {
      return (f) => {
        f.slots[firstSlot] = first(f)
        spend(f, price)
        return run(f)
      }
    }
    if (first && second && values.length === 2) {
      return (f) => {
        const a = first(f)
        f.slots[secondSlot] = second(f)
        f.slots[firstSlot] = a
        spend(f, price)
        return run(f)
      }
    }
    return (f) => {
      const computed = values.map((value) => value(f))
      for (let i = 0; i < slots.length; i++) f.slots[slots[i] as number] = computed[i] as Value
      spend(f, price)
      return run(f)
    }
  }
}

/** Runs a function within itself. */
function recur(f: Frame, called: TypedFunction, args: readonly Value[], run: Code): Value {
  const { first, end } = called.slots
  const outside = f.depth
  const depth = outside + called.extent.depth
  if (depth > DEEPEST_RUN) throw new LimitError(`${called.name}(...) calls itself too many levels deep.`)
  f.depth = depth
  const kept = f.slots.slice(first, end)
  try {
    for (const [i, { slot }] of called.parameters.entries()) f.slots[slot] = args[i] as Value
    return run(f)
  } finally {
    for (const [i, value] of kept.entries()) f.slots[first + i] = value
    f.depth = outside
  }
}

/** Converts a decimal read from JSON to an exact number. */
function exact(tree: Typed, code: Code): Code {
  return tree.type.kind === 'number' ? (f) => exactlyFor(f, code(f) as Exact) : code
}
