import { priceOf } from '../checking/extent.ts'
import { FormulaError } from '../numbers/formula-error.ts'
import { LIST_STEPS, spend } from './frame.ts'
import type { Code, Frame } from './frame.ts'
import { exactlyFor, orderFor } from './number-work.ts'
import type { Exact } from '../numbers/exact.ts'
import { computeAt } from './placed.ts'
import { spanOf } from './span.ts'
import type { Folded, Gathered, Typed, TypedLoop } from '../checking/typed.ts'
import type { Value } from '../numbers/value.ts'

interface CompilesParts {
  compile(tree: Typed): Code
}

/** A compiled loop. A range is iterated without creating a list. */
export interface LoopCode {
  readonly slot: number
  readonly indexSlot: number | null
  readonly list: Code | null
  readonly low: Code | null
  readonly high: Code | null
  readonly filter: Code | null
  /** Steps for each element. */
  readonly price: number
  /** Elements are JSON decimals, to be converted to exact numbers. */
  readonly decimal: boolean
}

/** The elements of one run through a loop: those of `list`, or `length` integers from `first`. */
interface Span {
  readonly list: readonly Value[] | null
  readonly first: number
  readonly length: number
}

/** Compiles a loop. `body`: evaluated for each element; determines the price. */
export function compileLoop(loop: TypedLoop, body: Typed | null, compiler: CompilesParts): LoopCode {
  const { source } = loop
  const isRange = source.kind === 'range'
  return {
    slot: loop.slot,
    indexSlot: loop.indexSlot,
    list: isRange ? null : compiler.compile(source),
    low: isRange ? compiler.compile(source.low) : null,
    high: isRange ? compiler.compile(source.high) : null,
    filter: loop.filter && compiler.compile(loop.filter),
    price: priceOf(loop.filter, body),
    decimal: source.type.kind === 'list' && source.type.of.kind === 'number',
  }
}

/** Computes the elements of a loop, and takes the price for each from the budget. */
export function begin(loop: LoopCode, f: Frame): Span {
  if (loop.low && loop.high) {
    const first = loop.low(f) as Exact
    const length = spanOf(f, first, loop.high(f) as Exact, loop.price)
    return { list: null, first: first as number, length }
  }
  const list = (loop.list as Code)(f) as readonly Value[]
  spend(f, list.length * loop.price)
  return { list, first: 0, length: list.length }
}

/** Binds the loop's variables to element i, from 0; false: the filter excludes it. */
export function enter(loop: LoopCode, f: Frame, span: Span, i: number): boolean {
  const element = span.list ? (span.list[i] as Value) : span.first + i
  f.slots[loop.slot] = loop.decimal ? exactlyFor(f, element as Exact) : element
  if (loop.indexSlot !== null) f.slots[loop.indexSlot] = i + 1
  return loop.filter === null || (loop.filter(f) as boolean)
}

/** Compiles a fold. Folds compose: the sum over two loops is the sum of the sums over the inner one, and so on. */
export function compileGather(tree: Gathered, compiler: CompilesParts): Code {
  const loops = tree.loops.map((loop) => compileLoop(loop, tree.body, compiler))
  const body = compiler.compile(tree.body)
  switch (tree.fold) {
    case 'sum':
      return loops.reduceRight((inner, loop) => sumOf(inner, loop, tree.at), body)
    case 'count':
      return loops.reduceRight<Code>(
        (inner, loop) => sumOf(inner, loop, tree.at),
        () => 1,
      )
    case 'all':
      return loops.reduceRight((inner, loop) => quantified(inner, loop, false), body)
    case 'exists':
      return loops.reduceRight((inner, loop) => quantified(inner, loop, true), body)
    case 'min':
    case 'max': {
      const sign = tree.fold === 'min' ? 1 : -1
      const best = loops.reduceRight((inner, loop) => bestOf(inner, loop, sign), body)
      return (f) => {
        const found = best(f)
        if (found === null) throw new FormulaError(`${tree.fold}(...) needs at least one value.`, tree.at)
        return found
      }
    }
    case 'first': {
      const search = loops.reduceRight<(f: Frame) => Value | undefined>(firstOf, body)
      return (f) => {
        const found = search(f)
        if (found === undefined) throw new FormulaError('first(...) needs at least one value.', tree.at)
        return found
      }
    }
    case 'list': {
      const collect = loops.reduceRight<(f: Frame, into: Value[]) => void>(
        (inner, loop) => (f, into) => {
          const span = begin(loop, f)
          for (let i = 0; i < span.length; i++) if (enter(loop, f, span, i)) inner(f, into)
        },
        (f, into) => into.push(body(f)),
      )
      return (f) => {
        spend(f, LIST_STEPS)
        const list: Value[] = []
        collect(f, list)
        return list
      }
    }
  }
}

/** Compiles a fold from a start. */
export function compileFold(tree: Folded, compiler: CompilesParts): Code {
  const { slot } = tree
  const start = compiler.compile(tree.start)
  const body = compiler.compile(tree.body)
  const run = tree.loops
    .map((loop) => compileLoop(loop, tree.body, compiler))
    .reduceRight<(f: Frame) => void>(
      (inner, loop) => (f) => {
        const span = begin(loop, f)
        for (let i = 0; i < span.length; i++) if (enter(loop, f, span, i)) inner(f)
      },
      (f) => {
        f.slots[slot] = body(f)
      },
    )
  return (f) => {
    f.slots[slot] = start(f)
    run(f)
    return f.slots[slot]
  }
}

function sumOf(inner: Code, loop: LoopCode, at: number): Code {
  return (f) => {
    const span = begin(loop, f)
    let total: Exact = 0
    for (let i = 0; i < span.length; i++) if (enter(loop, f, span, i)) total = added(f, total, inner(f) as Exact, at)
    return total
  }
}

function added(f: Frame, total: Exact, term: Exact, at: number): Exact {
  if (typeof total === 'number' && typeof term === 'number') {
    const sum = total + term
    if (sum <= Number.MAX_SAFE_INTEGER && sum >= Number.MIN_SAFE_INTEGER) return sum
  }
  return computeAt(f, '+', total, term, at)
}

/** Compiles `exists` (`sought` true) and `all` (false): searches for an element with this value. */
function quantified(inner: Code, loop: LoopCode, sought: boolean): Code {
  return (f) => {
    const span = begin(loop, f)
    for (let i = 0; i < span.length; i++) if (enter(loop, f, span, i) && inner(f) === sought) return sought
    return !sought
  }
}

function firstOf(inner: (f: Frame) => Value | undefined, loop: LoopCode): (f: Frame) => Value | undefined {
  return (f) => {
    const span = begin(loop, f)
    for (let i = 0; i < span.length; i++) {
      const found = enter(loop, f, span, i) ? inner(f) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The minimum (sign 1) or maximum (sign -1); null without elements. */
function bestOf(inner: Code, loop: LoopCode, sign: 1 | -1): Code {
  return (f) => {
    const span = begin(loop, f)
    let best: Value = null
    for (let i = 0; i < span.length; i++) {
      if (!enter(loop, f, span, i)) continue
      const found = inner(f) as Exact | null
      if (found !== null && (best === null || sign * orderFor(f, found, best) < 0)) best = found
    }
    return best
  }
}
