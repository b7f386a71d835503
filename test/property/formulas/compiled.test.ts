import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Typed } from '../../../grammars/formulas/checking/typed.ts'
import type { Code, Frame } from '../../../grammars/formulas/running/frame.ts'
import {
  checkDefinition,
  checkFormula,
  Compiler,
  evaluate,
  newProgram,
  parseFormula,
  STEPS,
  stepsTaken,
  typeOf,
  worstCase,
} from '../../../grammars/formulas/index.ts'
import type { Value } from '../../../grammars/formulas/index.ts'
import { definitionOf } from '../../unit/formulas/run.ts'
import { definitions, formulas, inputs, names } from './random-formula.ts'
import { valueOf } from './reference.ts'

/** The result of an evaluation, with the steps that are left of its budget. */
function outcome(code: Code, size: number, values: readonly Value[], steps: number) {
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

/** A formula over `names`, checked; null if it has a fault, such as the constant 1 div 0. */
function checked(text: string): { readonly typed: Typed; readonly size: number } | null {
  const program = newProgram(() => null)
  const scope = new Map(Object.entries(names).map(([name, shape]) => [name, program.variable(typeOf(shape))]))
  for (const definition of definitions) checkDefinition(definitionOf(definition), new Map(scope), program)
  const tree = parseFormula(text)
  if ('message' in tree) throw new Error(`${tree.message} ${text}`)
  const typed = checkFormula(tree, { kind: 'number' }, 'It', scope, program)
  return program.faults.length === 0 ? { typed, size: program.size } : null
}

test('compiled formulas agree with a walk through the tree on values, errors, places and steps', () => {
  let valued = 0
  let failed = 0
  fc.assert(
    fc.property(formulas, inputs, fc.constantFrom(STEPS, 100, 10), (text, values, steps) => {
      const formula = checked(text)
      fc.pre(formula !== null)
      const { typed, size } = formula!
      const wanted = outcome((frame) => valueOf(typed, frame), size, values, steps)
      const code = new Compiler().compile(typed)
      expect(outcome(code, size, values, steps)).toEqual(wanted)
      // The judge, the check and references count with the same budget.
      const { result, steps: left } = wanted
      const limited = !result.ok && result.limit
      if (steps === STEPS) expect(stepsTaken(code, size, values)).toBe(limited ? Infinity : STEPS - left!)
      if (wanted.result.ok) valued++
      else failed++
    }),
    { numRuns: 1000 },
  )
  // Both kinds of ends are common.
  expect(Math.min(valued, failed)).toBeGreaterThan(100)
})

test.each([
  [STEPS, true],
  [STEPS + 1, false],
])('a formula of %i steps has a value in every way of computing: %s', (steps, has) => {
  const { typed, size } = checked(`count(i for i in 1..${steps})`)!
  const code = new Compiler().compile(typed)
  const values = [0, { n: 0n, d: 1n }, '', 0, [], [], { list: [], rows: [], shapes: [], half: 0, map: [] }]
  expect(evaluate(code, size, values)).toMatchObject(has ? { ok: true, value: steps } : { ok: false, limit: true })
  expect(stepsTaken(code, size, values)).toBe(has ? steps : Infinity)
  expect(outcome((frame) => valueOf(typed, frame), size, values, STEPS).result.ok).toBe(has)
  expect(worstCase(new Map(), [typed])).toBe(steps)
})

/** Recorded histories hold verdicts under a budget, so prices never change. */
test.each([
  ['sum(x for x in xs)', 3],
  ['sum(twice(x) for x in xs where x > 1)', 5],
  ['length([x * k for x in xs for k in 1..3])', 16],
  ['nested(n)', 13],
  ['q + ds[1] + record.half', 88],
  ['if 7 in [1, 2, 3] then 1 else max(x for x in xs)', 13],
])('%s takes %i steps', (text, steps) => {
  const { typed, size } = checked(text)!
  const values = [
    5,
    { n: 1n, d: 10n },
    'text',
    0.1,
    [1, 2, 3],
    [0.1, 0.2],
    { list: [], rows: [], shapes: [], half: 0.5, map: [] },
  ]
  expect(outcome(new Compiler().compile(typed), size, values, 1_000)).toMatchObject({
    result: { ok: true },
    steps: 1_000 - steps,
  })
})

test('a match of 3000 alternatives compiles, and finds the last one without a step', () => {
  const alternatives = Array.from({ length: 3000 }, (_, i) => ({ kind: 'class', name: `A${i}`, fields: [] }) as const)
  const program = newProgram(() => null)
  const variable = program.variable({ kind: 'choice', name: 'A', alternatives })
  const cases = alternatives.map(({ name }, i) => `${name}: ${i}`).join(', ')
  const tree = parseFormula(`match a { ${cases} }`)
  if ('message' in tree) throw new Error(tree.message)
  const typed = checkFormula(tree, { kind: 'int' }, 'It', new Map([['a', variable]]), program)
  const code = new Compiler().compile(typed)
  expect(outcome(code, program.size, [{ $: 'A2999' }], 10)).toEqual({ result: { ok: true, value: 2999 }, steps: 10 })
})
