import { equal } from '../running/equal.ts'
import { FormulaError } from '../numbers/formula-error.ts'
import { spend } from '../running/frame.ts'
import type { Code } from '../running/frame.ts'
import type { CodeMaker } from './code-maker.ts'
import { exactlyFor, orderFor } from '../running/number-work.ts'
import { absent, bitAt, calculateAt, computeAt, lookUpAt } from '../running/placed.ts'
import { allDistinct, contains, entryOf, isSubset } from '../running/search.ts'
import { rangeList, spanOf } from '../running/span.ts'
import type { Typed } from '../checking/typed.ts'
import { FunctionWriter } from './write-function.ts'
import { programText } from './written.ts'
import type { Value } from '../numbers/value.ts'

/** Maximum lines of generated code; larger formulas are compiled to closures. */
const LONGEST = 20_000

/** The functions that generated code may call, for numbers that are not small integers and for longer operations. */
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
  exactlyFor,
  orderFor,
  computeAt,
  calculateAt,
  bitAt,
  absent,
  noCase(name: string): never {
    throw new FormulaError(`There is no case for "${name}".`)
  },
  noneOf(fold: string, at: number): never {
    throw new FormulaError(`${fold}(...) needs at least one value.`, at)
  },
}

/**
 * JavaScript code of a checked formula, with the same value, error and steps as its closures. From the file, the code
 * contains only labels that are names, and offsets; numbers, texts and names of alternatives are passed in as values.
 * null: the code would be too long, or is not allowed.
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
    // If a policy forbids it or the text is nested too deeply for the engine, closures are used.
    if (error instanceof EvalError || error instanceof RangeError) return null
    throw error
  }
}
