import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Closures } from '../../../grammars/formulas/running/closures.ts'
import type { CodeMaker } from '../../../grammars/formulas/generated/code-maker.ts'
import type { Code, Frame } from '../../../grammars/formulas/running/frame.ts'
import { generate } from '../../../grammars/formulas/generated/generate.ts'
import {
  checkDefinition,
  checkFormula,
  evaluate,
  newProgram,
  parseFormula,
  typeOf,
} from '../../../grammars/formulas/index.ts'
import type { Value } from '../../../grammars/formulas/index.ts'
import { definitionOf } from '../../unit/formulas/run.ts'
import { definitions, formulas, inputs, names } from './random-formula.ts'

const maker: CodeMaker = (parameters, body) => new Function(...parameters, body) as ReturnType<CodeMaker>

/** The result of an evaluation, with the remaining steps of its budget. */
function outcome(code: Code, size: number, values: readonly Value[], steps: number): unknown {
  let left: Frame | null = null
  const result = evaluate(
    (frame) => {
      left = frame
      return code(frame)
    },
    size,
    values,
    steps,
  )
  return { result, steps: (left as Frame | null)?.steps }
}

test('generated code and closures agree on values, errors, places and steps', () => {
  let valued = 0
  let failed = 0
  fc.assert(
    fc.property(formulas, inputs, fc.constantFrom(10_000_000, 100, 10), (text, values, steps) => {
      const program = newProgram(() => null)
      const scope = new Map(Object.entries(names).map(([name, shape]) => [name, program.variable(typeOf(shape))]))
      for (const definition of definitions) checkDefinition(definitionOf(definition), new Map(scope), program)
      const tree = parseFormula(text)
      if ('message' in tree) throw new Error(`${tree.message} ${text}`)
      const typed = checkFormula(tree, { kind: 'number' }, 'It', scope, program)
      // A constant such as 1 div 0 is refused when it is read.
      fc.pre(program.faults.length === 0)
      const generated = generate(typed, maker)
      if (!generated) throw new Error('no code was generated')
      const wanted = outcome(new Closures().compile(typed), program.size, values, steps)
      expect(outcome(generated, program.size, values, steps)).toEqual(wanted)
      if ((wanted as { result: { ok: boolean } }).result.ok) valued++
      else failed++
    }),
    { numRuns: 1000 },
  )
  // Both kinds of ends are common.
  expect(Math.min(valued, failed)).toBeGreaterThan(100)
})

test('a match of very many alternatives works, and if code is forbidden there are closures', () => {
  const alternatives = Array.from({ length: 3000 }, (_, i) => ({ kind: 'class', name: `A${i}`, fields: [] }) as const)
  const program = newProgram(() => null)
  const variable = program.variable({ kind: 'choice', name: 'A', alternatives })
  const cases = alternatives.map(({ name }, i) => `${name}: ${i}`).join(', ')
  const tree = parseFormula(`match a { ${cases} }`)
  if ('message' in tree) throw new Error(tree.message)
  const typed = checkFormula(tree, { kind: 'int' }, 'It', new Map([['a', variable]]), program)
  const code = generate(typed, maker)
  if (!code) throw new Error('no code was generated')
  expect(outcome(code, program.size, [{ $: 'A2999' }], 10)).toEqual({ result: { ok: true, value: 2999 }, steps: 10 })
  const forbidden: CodeMaker = () => {
    throw new EvalError('Refused to evaluate a string as JavaScript')
  }
  expect(generate(typed, forbidden)).toBeNull()
})
