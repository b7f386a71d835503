import { equal } from './equal.ts'
import { FormulaError } from './formula-error.ts'
import { spend } from './frame.ts'
import type { Code } from './frame.ts'
import type { CodeMaker } from './code-maker.ts'
import { exactly, order } from './numbers.ts'
import { absent, bitAt, calculateAt, computeAt, lookUpAt } from './placed.ts'
import { allDistinct, contains, entryOf, isSubset } from './search.ts'
import { rangeList, spanOf } from './span.ts'
import type { Typed } from './typed.ts'
import { FunctionWriter } from './write-function.ts'
import { programText } from './written.ts'
import type { Value } from './value.ts'

/** Formulas that come to more lines are left to closures. */
const LONGEST = 20_000

/** What generated code may call: where numbers are not small integers, and where there is more to do than a line says. */
const helpers = {
  spend,
  spanOf,
  rangeList,
  contains,
  isSubset,
  allDistinct,
  entryOf,
  lookUpAt,
  equal,
  exactly,
  order,
  computeAt,
  calculateAt,
  bitAt,
  absent,
  noCase(name: string): never {
    throw new FormulaError(`There is no case for "${name}".`)
  },
  noneOf(fold: string, at: number): never {
    throw new FormulaError(`There is no ${fold} of nothing.`, at)
  },
}

/**
 * JavaScript of a checked formula: the value, error and steps are those of its closures. Its text holds no more of the file
 * than labels that are names and places; numbers, texts and names of alternatives are handed in as values. null: it would
 * be too long, or may not be.
 */
export function generate(tree: Typed, maker: CodeMaker): Code | null {
  const program = programText()
  const main = new FunctionWriter(program, [])
  main.finish(main.write(tree))
  const constants = program.constants.map((_, i) => `const k${i} = k[${i}];`)
  const lines = ["'use strict';", ...constants, ...program.functions, 'return function (f) {', ...main.lines, '}']
  if (lines.length > LONGEST) return null
  try {
    return maker(['h', 'k'], lines.join('\n'))(helpers, program.constants satisfies readonly Value[]) as Code
  } catch (error) {
    // A policy that forbids it, or a text that nests too deeply for the machine: there are always the closures.
    if (error instanceof EvalError || error instanceof RangeError) return null
    throw error
  }
}
