import { FormulaError, LimitError } from '../numbers/formula-error.ts'
import type { Below, Frame, Code } from './frame.ts'
import { type Value, show } from '../numbers/value.ts'
import { begin, compileLoop, enter } from './compile-gather.ts'
import type { Typed, TypedDemand } from '../checking/typed.ts'

/** The budget of one evaluation: each element of a list, loop or search and each call is a step, and more if it is long. */
export const STEPS = 10_000_000

/**
 * A value, or why there is none; `at`: the offset in the formula's text, if known; `limit`: true if the reason is a limit
 * of the language.
 */
type Evaluated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly at: number | null; readonly message: string; readonly limit: boolean }

/**
 * Runs compiled code. `size`: the number of the program's slots; `inputs` fill the first of them: numbers among the
 * inputs are exact, those inside them as in JSON. `below`: the chance of a generator. Always terminates; never throws.
 */
export function evaluate<T>(
  code: (frame: Frame) => T,
  size: number,
  inputs: readonly Value[],
  steps = STEPS,
  below: Below | null = null,
): Evaluated<T> {
  const slots: Value[] = [...inputs]
  while (slots.length < size) slots.push(null)
  try {
    return {
      ok: true,
      value: code({ slots, steps, depth: 0, sets: new Map(), tables: new Map(), ...(below && { below }) }),
    }
  } catch (error) {
    if (error instanceof FormulaError) {
      return { ok: false, at: error.at, message: error.message, limit: error instanceof LimitError }
    }
    throw error
  }
}

/** The steps that an evaluation takes, also one that fails; Infinity: a limit of the language ends it. */
export function stepsTaken(code: (frame: Frame) => unknown, size: number, inputs: readonly Value[]): number {
  const slots: Value[] = [...inputs]
  while (slots.length < size) slots.push(null)
  const frame: Frame = { slots, steps: STEPS, depth: 0, sets: new Map(), tables: new Map() }
  try {
    code(frame)
  } catch (error) {
    if (error instanceof LimitError) return Infinity
    if (!(error instanceof FormulaError)) throw error
  }
  return STEPS - frame.steps
}

interface CompilesParts {
  compile(tree: Typed): Code
}

/** The sentence of the first demand that is not met, or null. */
type DemandsCode = (frame: Frame) => string | null

export function compileDemands(demands: readonly TypedDemand[], compiler: CompilesParts): DemandsCode {
  const codes = demands.map((demand) => compileDemand(demand, compiler))
  return (f) => {
    for (const code of codes) {
      const refusal = code(f)
      if (refusal !== null) return refusal
    }
    return null
  }
}

function compileDemand(demand: TypedDemand, compiler: CompilesParts): DemandsCode {
  if (demand.kind === 'require') {
    const condition = compiler.compile(demand.condition)
    const sentence = demand.sentence.map((part) => (typeof part === 'string' ? part : compiler.compile(part)))
    return (f) => {
      if (condition(f) as boolean) return null
      return sentence.map((part) => (typeof part === 'string' ? part : show(part(f)))).join('')
    }
  }
  const loop = compileLoop(demand.loop, null, compiler)
  const inner = compileDemands(demand.demands, compiler)
  return (f) => {
    const span = begin(loop, f)
    for (let i = 0; i < span.length; i++) {
      const refusal = enter(loop, f, span, i) ? inner(f) : null
      if (refusal !== null) return refusal
    }
    return null
  }
}
