import type { Gathered, Typed, TypedDemand } from '../checking/typed.ts'
import { counterOf } from './counted-parts.ts'
import { countOf, within } from './extremes.ts'
import type { Extreme } from './extremes.ts'
import { Walk } from './worst-case.ts'
import type { Slots } from './worst-case.ts'

/** Refines the slots' values by what demands require. Sound only for values that meet them all. */
export function assume(slots: Slots, demands: readonly TypedDemand[]): void {
  const walk = new Assumptions(slots)
  for (const demand of demands) walk.assumeDemand(demand)
}

/** A list without duplicates is at most as long as its elements have values. */
export function assumeDistinct(list: Extreme): void {
  if (list.kind === 'list') list.most = Math.min(list.most, countOf(list.of))
}

class Assumptions extends Walk {
  assumeDemand(demand: TypedDemand): void {
    if (demand.kind === 'require') this.assume(demand.condition)
    else
      this.bind(demand.loop, this.visit(demand.loop.source), () =>
        demand.demands.forEach((one) => this.assumeDemand(one)),
      )
  }

  /** Refines values by a condition that holds. */
  private assume(tree: Typed): void {
    switch (tree.kind) {
      case 'both':
        this.assume(tree.left)
        this.assume(tree.right)
        return
      case 'between':
        this.atLeast(tree.value, this.number(tree.low).low)
        this.atMost(tree.value, this.number(tree.high).high)
        return
      case 'order': {
        const rising = tree.operator === '<' || tree.operator === '<='
        const [small, large] = rising ? [tree.left, tree.right] : [tree.right, tree.left]
        this.atMost(small, this.number(large).high)
        this.atLeast(large, this.number(small).low)
        return
      }
      case 'equal':
        if (!tree.negated) this.assumeEqual(tree.left, tree.right)
        return
      case 'member': {
        const list = this.visit(tree.list)
        const value = this.visit(tree.value)
        if (list.kind === 'list') {
          within(value, list.of)
          if (value.kind === 'plain') value.count = Math.min(value.count, list.most)
        }
        return
      }
      case 'distinct':
        this.assumeDifferent(tree.of)
        return
      case 'gather':
        if (tree.fold === 'all') this.assumeAll(tree)
        return
      case 'let':
        this.slots.set(tree.slot, this.visit(tree.value))
        return this.assume(tree.body)
      case 'apply': {
        const values = tree.args.map((arg) => this.visit(arg))
        tree.applied.assume?.(values)
        return
      }
      case 'call':
        if (tree.own) return
        this.call(tree)
        return this.assume(tree.function.body)
      default:
    }
  }

  private assumeAll({ loops, body }: Gathered): void {
    const [loop, another] = loops
    if (loop === undefined || another !== undefined) return
    this.bind(loop, this.visit(loop.source), () => this.assume(body))
  }

  private assumeEqual(left: Typed, right: Typed): void {
    // x * 1000 = floor(x * 1000): at most three decimals.
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (other.kind !== 'arithmetic' || other.operator !== 'floor' || one.kind !== 'arithmetic') continue
      const [path, factor] = one.args
      if (one.operator !== '*' || path === undefined || factor?.kind !== 'constant') continue
      const value = this.visit(path)
      const scale = this.number(factor).high
      if (value.kind === 'number' && scale > 0) value.bits = Math.min(value.bits, Math.ceil(Math.log2(scale)))
    }
    const a = this.visit(left)
    const b = this.visit(right)
    if (a.kind === 'number' && b.kind === 'number') {
      const [low, high] = [Math.max(a.low, b.low), Math.min(a.high, b.high)]
      for (const tree of [left, right]) {
        this.atMost(tree, high)
        this.atLeast(tree, low)
      }
    } else {
      within(a, b)
      within(b, a)
    }
  }

  /** The list is a path, or has one element for each of a path. */
  private assumeDifferent(tree: Typed): void {
    if (tree.kind !== 'gather') return assumeDistinct(this.visit(tree))
    const [loop, another] = tree.loops
    if (tree.fold !== 'list' || loop === undefined || another !== undefined || loop.filter !== null) return
    const source = this.visit(loop.source)
    const count = this.bind(loop, source, () => countOf(this.visit(tree.body)))
    if (source.kind === 'list') source.most = Math.min(source.most, count)
  }

  private atMost(tree: Typed, high: number): void {
    if (tree.kind === 'call') this.assumeParts(tree, high)
    const value = this.visit(tree.kind === 'length' ? tree.of : tree)
    if (tree.kind === 'length' && value.kind === 'list') value.most = Math.min(value.most, Math.max(0, high))
    else if (tree.kind === 'length' && value.kind === 'plain')
      // A character has at most two units.
      value.longest = Math.min(value.longest, 2 * Math.max(0, high))
    else if (tree.kind === 'arithmetic' && tree.operator === 'abs') {
      this.atMost(tree.args[0]!, high)
      this.atLeast(tree.args[0]!, -high)
    } else if (value.kind === 'number') value.high = Math.min(value.high, high)
  }

  /** A function that counts the parts of a value is at most `high`. */
  private assumeParts({ function: called, args, own }: Extract<Typed, { kind: 'call' }>, high: number): void {
    const counter = own ? null : counterOf(called)
    const value = counter && this.visit(args[counter.index]!)
    if (value?.kind === 'record' || value?.kind === 'choice') value.parts = Math.min(value.parts, counter!.most(high))
  }

  private atLeast(tree: Typed, low: number): void {
    if (tree.kind === 'length') return
    const value = this.visit(tree)
    if (value.kind === 'number') value.low = Math.max(value.low, low)
  }
}
