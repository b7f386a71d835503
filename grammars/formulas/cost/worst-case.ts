import { priceOf } from '../checking/extent.ts'
import type { Folded, Gathered, Typed, TypedDemand, TypedLoop } from '../checking/typed.ts'
import type { Arithmetic } from '../numbers/arithmetic.ts'
import { textSteps } from '../functions/prices.ts'
import { LIST_STEPS } from '../running/frame.ts'
import { divisorSteps, productSteps } from '../running/number-work.ts'
import { SHORT } from '../running/search.ts'
import { copyOf, either, extremeOf, listOf, numberFrom, plain } from './extremes.ts'
import type { Extreme, ListExtreme, NumberExtreme } from './extremes.ts'
import { addsNoMore, anyOf, grown } from './growth.ts'
import { OwnRuns } from './own-runs.ts'
import { equalSteps, exactly, isLong, resultOf, sizeOf, times } from './magnitudes.ts'

/** The parts of formulas that are visited at most; beyond that nothing is known. Functions are visited at each call. */
const VISITS = 200_000

/** The values of slots. Formulas of one program share it, so that each profits from what another demands. */
export type Slots = Map<number, Extreme>

/**
 * The most steps that one evaluation takes, from above: for the largest values that the slots allow. It mirrors the prices of
 * grammars/formulas/running. Infinity: no bound is known.
 */
export function worstCase(slots: Slots, parts: readonly (Typed | TypedDemand)[]): number {
  const walk = new Walk(slots)
  for (const part of parts) {
    if (part.kind === 'require' || part.kind === 'each') walk.demand(part)
    else walk.visit(part)
  }
  return walk.steps
}

/** A walk through formulas that adds up their steps. */
export class Walk {
  steps = 0
  readonly slots: Slots
  /** How often the current part is evaluated. */
  times = 1
  private visits = 0
  /** Lists of which a set or table is made once. */
  private readonly searched = new Set<Extreme>()
  private readonly ownRuns = new OwnRuns(this)

  constructor(slots: Slots) {
    this.slots = slots
  }

  demand(demand: TypedDemand): void {
    if (demand.kind === 'require') this.visit(demand.condition)
    else this.loop(demand.loop, null, () => demand.demands.forEach((inner) => this.demand(inner)))
  }

  visit(tree: Typed): Extreme {
    if (++this.visits > VISITS) {
      this.steps = Infinity
      return extremeOf(tree.type, false)
    }
    const value = this.part(tree)
    // A decimal of a field becomes an exact number when it is read.
    const read = tree.kind === 'field' || tree.kind === 'element'
    if (read && value.kind === 'number' && value.bits > 0) this.spend(divisorSteps(sizeOf(value)))
    return value
  }

  private part(tree: Typed): Extreme {
    switch (tree.kind) {
      case 'constant':
        if (typeof tree.value === 'string') return plain(1, tree.value.length)
        return typeof tree.value === 'boolean' ? plain(1, 0) : exactly(tree.value)
      case 'local':
        return this.slots.get(tree.slot) ?? extremeOf(tree.type, false)
      case 'field': {
        const of = this.visit(tree.of)
        return of.kind === 'record' ? of.field(tree.label) : extremeOf(tree.type, false)
      }
      case 'element': {
        const list = this.visit(tree.of)
        this.visit(tree.index)
        // Facts about one element do not hold for all.
        return list.kind === 'list' ? copyOf(list.of) : extremeOf(tree.type, false)
      }
      case 'arithmetic':
        return this.arithmetic(
          tree.operator,
          tree.args.map((arg) => this.number(arg)),
        )
      case 'order':
        this.compare(this.number(tree.left), this.number(tree.right))
        return plain(2)
      case 'between': {
        const value = this.number(tree.value)
        this.compare(value, this.number(tree.low))
        this.compare(value, this.number(tree.high))
        return plain(2)
      }
      case 'equal': {
        const left = this.visit(tree.left)
        this.visit(tree.right)
        this.spend(equalSteps(left))
        return plain(2)
      }
      case 'member':
        this.search(this.visit(tree.value), this.visit(tree.list))
        return plain(2)
      case 'subset': {
        const left = this.list(tree.left)
        const right = this.visit(tree.right)
        this.spend(left.most)
        this.often(left.most, () => this.search(left.of, right))
        return plain(2)
      }
      case 'lookup':
      case 'has': {
        const entries = this.list(tree.entries)
        this.visit(tree.key)
        const entry = entries.of
        this.spend(1)
        this.search(entry.kind === 'record' ? entry.field('key') : plain(), entries)
        if (tree.kind === 'has') return plain(2)
        return entry.kind === 'record' ? copyOf(entry.field('val')) : extremeOf(tree.type, false)
      }
      case 'not':
        return this.visit(tree.of)
      case 'both':
      case 'either':
        this.visit(tree.left)
        return this.visit(tree.right)
      case 'bit': {
        const bits = this.number(tree.bits)
        this.number(tree.row)
        if (isLong(bits)) this.spend(productSteps(sizeOf(bits)))
        return plain(2)
      }
      case 'if':
        this.visit(tree.condition)
        return this.dearest([() => this.visit(tree.yes), () => this.visit(tree.no)])
      case 'let':
        this.slots.set(tree.slot, this.visit(tree.value))
        return this.visit(tree.body)
      case 'match': {
        const subject = this.visit(tree.subject)
        const cases = tree.cases.map(({ alternative, slot, body }) => () => {
          if (slot !== null) this.slots.set(slot, caseOf(subject, alternative))
          return this.visit(body)
        })
        const { other } = tree
        return this.dearest(other === null ? cases : [...cases, () => this.visit(other)])
      }
      case 'apply': {
        const { steps, value } = tree.applied.most(tree.args.map((arg) => this.visit(arg)))
        this.spend(steps)
        return value
      }
      case 'fold':
        return this.fold(tree)
      case 'call':
        if (tree.own) {
          for (const arg of tree.args) this.visit(arg)
          return this.ownRuns.again(tree)
        }
        this.call(tree)
        this.spend(priceOf(tree.function.body))
        return this.ownRuns.all(tree)
      default:
        return this.collection(tree)
    }
  }

  private collection(tree: Extract<Typed, { kind: 'list' | 'range' | 'gather' | 'length' | 'distinct' }>): Extreme {
    switch (tree.kind) {
      case 'list': {
        this.spend(LIST_STEPS + tree.elements.length)
        const of = tree.elements
          .map((element) => this.visit(element))
          .reduce<Extreme | null>((all, one) => (all === null ? copyOf(one) : either(all, one)), null)
        return listOf(of ?? extremeOf(tree.type, false), tree.elements.length, this.times === 1)
      }
      case 'range': {
        const span = this.span(tree.low, tree.high)
        this.spend(LIST_STEPS + span.most)
        return listOf(span.of, span.most, this.times === 1)
      }
      case 'gather':
        return this.gather(tree)
      case 'length': {
        const of = this.visit(tree.of)
        if (of.kind !== 'plain') return numberFrom(0, of.kind === 'list' ? of.most : Infinity)
        this.spend(textSteps(of.longest))
        return numberFrom(0, of.longest)
      }
      case 'distinct': {
        const { most, of } = this.list(tree.of)
        const pairs = Math.min(most, of.kind === 'number' || of.kind === 'plain' ? SHORT : most) ** 2 / 2
        this.spend(most + pairs * (1 + equalSteps(of)))
        if (of.kind === 'number' && isLong(of)) this.spend(most * productSteps(sizeOf(of)))
        return plain(2)
      }
    }
  }

  protected call({ function: called, args }: Extract<Typed, { kind: 'call' }>): void {
    const values = args.map((arg) => this.visit(arg))
    called.parameters.forEach(({ slot }, index) => this.slots.set(slot, values[index]!))
  }

  spend(steps: number): void {
    // Nothing that never happens costs anything, however long it would take.
    if (this.times > 0 && steps > 0) this.steps += this.times * steps
  }

  often<T>(times: number, body: () => T): T {
    const before = this.times
    this.times = before === 0 || times === 0 ? 0 : before * times
    const result = body()
    this.times = before
    return result
  }

  /** One of several parts is evaluated: the one that takes most steps counts. */
  private dearest(parts: readonly (() => Extreme)[]): Extreme {
    const before = this.steps
    let most = before
    const values = parts.map((part) => {
      this.steps = before
      const value = part()
      most = Math.max(most, this.steps)
      return value
    })
    this.steps = most
    return values.reduce(either)
  }

  protected number(tree: Typed): NumberExtreme {
    const value = this.visit(tree)
    return value.kind === 'number' ? value : numberFrom(-Number.MAX_VALUE, Number.MAX_VALUE)
  }

  protected list(tree: Typed): ListExtreme {
    const value = this.visit(tree)
    return value.kind === 'list' ? value : listOf(plain(), Infinity, false)
  }

  private span(lowTree: Typed, highTree: Typed): { readonly most: number; readonly of: Extreme } {
    const low = this.number(lowTree)
    const high = this.number(highTree)
    return { most: Math.max(0, high.high - low.low + 1), of: numberFrom(low.low, high.high) }
  }

  private arithmetic(operator: Arithmetic, args: readonly NumberExtreme[]): NumberExtreme {
    const [first = numberFrom(0, 0), ...others] = args
    if (operator === 'abs' || operator === 'floor') {
      if (isLong(first)) this.spend(productSteps(sizeOf(first)))
      if (operator === 'floor') return numberFrom(Math.floor(first.low), Math.floor(first.high))
      const ends = [Math.abs(first.low), Math.abs(first.high)]
      return numberFrom(first.low <= 0 && first.high >= 0 ? 0 : Math.min(...ends), Math.max(...ends), first.bits)
    }
    return others.reduce((left, right) => this.operate(operator, left, right), first)
  }

  private operate(operator: Exclude<Arithmetic, 'abs' | 'floor'>, a: NumberExtreme, b: NumberExtreme): NumberExtreme {
    const result = resultOf(operator, a, b)
    if (isLong(a) || isLong(b) || isLong(result)) {
      const bits = sizeOf(a) + sizeOf(b)
      const whole = a.bits === 0 && b.bits === 0 && result.bits === 0
      this.spend(whole ? productSteps(bits) : divisorSteps(bits / 2))
    }
    return result
  }

  private compare(a: NumberExtreme, b: NumberExtreme): void {
    if (isLong(a) || isLong(b)) this.spend(productSteps(sizeOf(a) + sizeOf(b)))
  }

  /** Searches a list for a value: in a set that is made once, or one element after the other. */
  private search(value: Extreme, list: Extreme): void {
    if (list.kind !== 'list') return
    const isPlain = value.kind === 'plain' || (value.kind === 'number' && !isLong(value))
    if (!isPlain) return this.spend(list.most * (1 + equalSteps(list.of)))
    this.spend(Math.min(SHORT, list.most) * (1 + equalSteps(list.of)))
    if (!list.whole) this.spend(list.most)
    else if (!this.searched.has(list)) {
      this.searched.add(list)
      this.steps += list.most
    }
  }

  private gather(tree: Gathered): Extreme {
    if (tree.fold === 'list') this.spend(LIST_STEPS)
    const { value, elements } = this.each(tree.loops, tree.body)
    const shared = this.ownRuns.rounds(tree.loops.at(-1))
    if (shared === null) return this.folded(tree, value, elements)
    return this.ownRuns.altogether(shared, () => this.folded(tree, value, elements, 1))
  }

  /** The value of a body for each element of loops, and the most elements. */
  private each(loops: readonly TypedLoop[], body: Typed): { readonly value: Extreme; readonly elements: number } {
    let elements = 1
    const inner = (index: number): Extreme => {
      const loop = loops[index]
      if (loop === undefined) return this.visit(body)
      return this.loop(loop, body, (most) => {
        elements = elements === 0 || most === 0 ? 0 : elements * most
        return inner(index + 1)
      })
    }
    const value = inner(0)
    return { value, elements }
  }

  /** A fold from a start: its state grows by steps of one size, or may be anything. */
  private fold({ slot, start, loops, body, type }: Folded & Typed): Extreme {
    const step = (state: Extreme) => {
      this.slots.set(slot, copyOf(state))
      return this.each(loops, body)
    }
    const trial = (state: Extreme) => this.ownRuns.withoutSteps(() => step(state))
    const first = this.visit(start)
    const { value, elements } = trial(first)
    const guess = grown(first, value, elements)
    const isBound = guess !== null && addsNoMore(guess, trial(guess).value, first, value)
    const state = isBound ? guess : anyOf(type)
    step(state)
    return state
  }

  private folded({ fold }: Gathered, body: Extreme, elements: number, rounds = elements): Extreme {
    switch (fold) {
      case 'count':
        return numberFrom(0, elements)
      case 'sum': {
        if (body.kind !== 'number') return body
        // Denominators multiply, up to the longest number of the language.
        const bits = Math.min(4096, body.bits * Math.min(elements, 4096))
        const total = numberFrom(Math.min(0, times(elements, body.low)), Math.max(0, times(elements, body.high)), bits)
        this.often(rounds, () => this.operate('+', total, body))
        return total
      }
      case 'min':
      case 'max':
        if (body.kind === 'number') this.often(rounds, () => this.compare(body, body))
        return body
      case 'first':
        return body
      case 'all':
      case 'exists':
        return plain(2)
      case 'list':
        return listOf(copyOf(body), elements, this.times === 1)
    }
  }

  /** A loop over all elements; `body` gets their number. */
  private loop<T>(loop: TypedLoop, body: Typed | null, inner: (most: number) => T): T {
    const { source } = loop
    const span = source.kind === 'range' ? this.span(source.low, source.high) : this.list(source)
    const shared = this.ownRuns.rounds(loop)
    const most = Math.min(span.most, shared?.most ?? Infinity)
    const all = (): T =>
      this.bind(loop, listOf(span.of, most, false), () =>
        this.often(shared === null ? most : 1, () => {
          this.spend(priceOf(loop.filter, body))
          if (span.of.kind === 'number' && span.of.bits > 0) this.spend(divisorSteps(sizeOf(span.of)))
          if (loop.filter !== null) this.visit(loop.filter)
          return inner(most)
        }),
      )
    return shared === null ? all() : this.ownRuns.altogether(shared, all)
  }

  protected bind<T>({ slot, indexSlot, filter }: TypedLoop, list: Extreme, inner: () => T): T {
    const of = list.kind === 'list' ? list.of : plain()
    // Facts about the elements that pass a filter do not hold for all.
    this.slots.set(slot, filter === null ? of : copyOf(of))
    if (indexSlot !== null) this.slots.set(indexSlot, numberFrom(1, list.kind === 'list' ? list.most : Infinity))
    return inner()
  }
}

function caseOf(subject: Extreme, alternative: string): Extreme {
  if (subject.kind === 'choice') return subject.alternative(alternative)
  return subject.kind === 'option' ? subject.of : plain()
}
