import { ownPriceOf } from '../checking/extent.ts'
import type { Typed, TypedFunction, TypedLoop } from '../checking/typed.ts'
import type { Type } from '../checking/types.ts'
import { numberFrom } from './extremes.ts'
import type { Extreme } from './extremes.ts'
import { anyOf } from './growth.ts'
import { times } from './magnitudes.ts'
import { isAdditive, keptSlots, ownCallsOf, runsOf } from './own-calls.ts'
import { visitorOf } from './own-regions.ts'

type Call = Extract<Typed, { kind: 'call' }> & { readonly type: Type }

/** The walk that adds up steps; see Walk. */
interface Steps {
  readonly slots: Map<number, Extreme>
  steps: number
  times: number
  visit(tree: Typed): Extreme
  often<T>(times: number, body: () => T): T
  spend(steps: number): void
}

/** The rounds of a loop in all runs of a function together, and in one of them at most. */
interface Rounds {
  readonly all: number
  readonly most: number
}

/** Bounds the runs of functions that call themselves, and the rounds of the loops in which they do. */
export class OwnRuns {
  private readonly walk: Steps
  /** Functions whose number of runs is known, within their bodies, with the values of their calls of themselves. */
  private readonly nested = new Map<TypedFunction, Extreme>()
  private readonly loops = new Map<number, Rounds>()
  /** Steps that are counted for all runs together. */
  private shared = 0

  constructor(walk: Steps) {
    this.walk = walk
  }

  /** The value of a call within the function, whose steps are counted with the runs. */
  again(tree: Call): Extreme {
    const value = this.nested.get(tree.function)
    // If it may visit a part twice, or any number of parts, the number of its runs is not known.
    if (value === undefined) this.walk.spend(Infinity)
    return value ?? anyOf(tree.type)
  }

  /** The value of a call from outside, whose parameters are in their slots. */
  all({ function: called, type }: Call): Extreme {
    const own = ownCallsOf(called.body)
    if (own === 0) return this.walk.visit(called.body)
    const visitor = visitorOf(called)
    const visited = visitor === null ? null : called.parameters[visitor.index]!
    const parts = visited === null ? Infinity : partsOf(this.walk.slots.get(visited.slot))
    const runs = Math.min(parts, own === 1 ? runsOf(called) : Infinity)
    if (runs === Infinity) return this.walk.visit(called.body)
    const kept = keptSlots(called)
    for (const parameter of called.parameters) {
      if (!kept.has(parameter.slot)) this.walk.slots.set(parameter.slot, anyOf(parameter.type))
    }
    const part = visited && this.walk.slots.get(visited.slot)
    if (part?.kind === 'record' || part?.kind === 'choice') part.parts = parts
    const loops = parts === Infinity ? [] : [...(visitor?.loops ?? [])]
    for (const slot of loops) this.loops.set(slot, { all: times(this.walk.times, parts), most: parts })
    const before = this.shared
    this.shared = 0
    const run = (): Extreme =>
      this.walk.often(runs, () => {
        this.walk.spend(ownPriceOf(called))
        return this.walk.visit(called.body)
      })
    this.nested.set(called, this.ownValue(called, runs, type, run))
    const value = run()
    this.nested.delete(called)
    for (const slot of loops) this.loops.delete(slot)
    this.walk.steps += this.shared
    this.shared = before
    return value
  }

  /** All values of the calls that a function makes of itself. */
  private ownValue(called: TypedFunction, runs: number, type: Type, run: () => Extreme): Extreme {
    if (type.kind !== 'int' || !isAdditive(called)) return anyOf(type)
    this.nested.set(called, numberFrom(0, 0))
    const alone = this.withoutSteps(run)
    if (alone.kind !== 'number') return anyOf(type)
    const most = times(runs, Math.max(Math.abs(alone.low), Math.abs(alone.high)))
    return numberFrom(-most, most)
  }

  /** null: they are not counted for all runs together. */
  rounds(loop: TypedLoop | undefined): Rounds | null {
    return (loop && this.loops.get(loop.slot)) ?? null
  }

  /** Counts the steps of a part for all runs together, whichever alternatives the runs choose. */
  altogether<T>({ all }: Rounds, part: () => T): T {
    const { steps, times: before } = this.walk
    this.walk.times = all
    // From 0: infinite steps have no difference.
    this.walk.steps = 0
    const result = part()
    this.walk.times = before
    this.shared += this.walk.steps
    this.walk.steps = steps
    return result
  }

  withoutSteps<T>(part: () => T): T {
    const [steps, shared] = [this.walk.steps, this.shared]
    const result = part()
    this.walk.steps = steps
    this.shared = shared
    return result
  }
}

/** The most runs of a function that visits each part of this value once. */
function partsOf(value: Extreme | undefined): number {
  return value?.kind === 'record' || value?.kind === 'choice' ? value.parts : Infinity
}
