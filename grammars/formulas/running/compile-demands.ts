import { begin, compileLoop, enter } from './compile-gather.ts'
import type { Code, Frame } from './frame.ts'
import type { Typed, TypedDemand } from '../checking/typed.ts'
import { show } from '../numbers/value.ts'

interface CompilesParts {
  compile(tree: Typed): Code
}

/** The sentence of the first demand that is not met, or null. */
export type DemandsCode = (frame: Frame) => string | null

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
