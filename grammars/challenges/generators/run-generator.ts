import { evaluate, exactlyFor, STEPS } from '../../formulas/index.ts'
import type { Compiler, Value } from '../../formulas/index.ts'
import type { Json } from '../../json.ts'
import { randomChooser } from '../../properties/index.ts'
import type { Random } from '../../properties/index.ts'
import { madeJson } from '../made-json.ts'
import type { CheckedGenerator } from './check-generator.ts'

/** Values that formulas have made, not yet validated. `planted` undefined: the file plants none. */
type Raw =
  | { readonly ok: true; readonly instance: Json; readonly planted: Json | undefined; readonly steps: number }
  | { readonly ok: false; readonly error: string; readonly at: number | null; readonly limit: boolean }

/** `inputs`: config and predicate; `parameters`: one for each of the section's. */
export type GeneratorRun = (
  inputs: readonly Value[],
  parameters: { readonly [name: string]: number },
  random: Random,
) => Raw

/** Compiles a checked generator. `size`: gives the number of the program's slots. All of it is one evaluation. */
export function compileGenerator(
  { parameters, steps, instance, planted }: CheckedGenerator,
  compiler: Compiler,
  size: () => number,
): GeneratorRun {
  const codes = steps.map(({ slot, value }) => ({ slot, code: compiler.compile(value) }))
  const made = compiler.compile(instance)
  const secret = planted && compiler.compile(planted)
  return (inputs, given, random) => {
    const result = evaluate(
      (frame) => {
        for (const [name, slot] of parameters) frame.slots[slot] = exactlyFor(frame, given[name]!)
        for (const { slot, code } of codes) frame.slots[slot] = code(frame)
        const value = madeJson(frame, made(frame))
        const planted = secret === null ? undefined : madeJson(frame, secret(frame))
        return { instance: value, planted, steps: STEPS - frame.steps }
      },
      size(),
      inputs,
      undefined,
      randomChooser(random).below,
    )
    if (!result.ok) return { ok: false, error: result.message, at: result.at, limit: result.limit }
    return { ok: true, ...result.value }
  }
}
