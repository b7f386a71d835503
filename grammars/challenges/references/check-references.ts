import { nearest } from '../../class-dictionary/checking/suggest.ts'
import {
  checkFormula,
  evaluate,
  order,
  STEPS,
  typeOf,
  type Compiler,
  type Program,
  type Scope,
} from '../../formulas/index.ts'
import type { Shape } from '../../values/index.ts'
import { madeJson } from '../made-json.ts'
import { SHARES, type Formulated, type Solved } from './reference.ts'
import type { ReferenceTree } from '../tree.ts'

/** All of them are run, also while the check of a contest waits. */
const MOST_REFERENCES = 12

/** A reference in formulas: one for each field of the solution. */
export interface CheckedReference {
  readonly tree: ReferenceTree
  readonly fields: readonly { readonly label: string; readonly typed: ReturnType<typeof checkFormula> }[]
}

/**
 * Checks the references that are written in formulas. `scope`: config and instance. Problems are reported to the program;
 * compile the result only if there are none.
 */
export function checkReferences(
  trees: readonly ReferenceTree[],
  solution: Shape,
  scope: Scope,
  program: Program,
): readonly CheckedReference[] {
  const titles = new Set<string>()
  const beyond = trees[MOST_REFERENCES]
  if (beyond !== undefined)
    program.report(
      beyond.at,
      `A challenge has at most ${MOST_REFERENCES} references.`,
      'Each of them is run by the check.',
      { code: 'reference-form' },
    )
  return trees.flatMap((tree): readonly CheckedReference[] => {
    const { at, name, kind, share, language } = tree
    if (titles.has(name))
      program.report(at, `There is already a reference "${name}" above.`, undefined, { code: 'name-twice' })
    titles.add(name)
    if (!Object.hasOwn(SHARES, kind.name))
      program.report(kind.at, `A reference is not "${kind.name}".`, 'It is good, greedy or wrong.', {
        code: 'reference-form',
      })
    if (share !== null && (order(share.value, 0) < 0 || order(share.value, 1) > 0))
      program.report(share.at, 'The share of the best quality must be from 0 to 1.', undefined, {
        code: 'reference-form',
      })
    if (language !== null) {
      if (language.name !== 'javascript')
        program.report(
          language.at,
          `A reference cannot be written in "${language.name}".`,
          'Write javascript {{ ... }}.',
          { code: 'reference-form' },
        )
      return []
    }
    return [{ tree, fields: checkFields(tree, solution, scope, program) }]
  })
}

function checkFields(
  { at, fields }: ReferenceTree,
  solution: Shape,
  scope: Scope,
  program: Program,
): CheckedReference['fields'] {
  if (solution.kind !== 'class') {
    program.report(
      at,
      'A solution has alternatives here, so write this reference in javascript {{ ... }}.',
      undefined,
      { code: 'reference-form' },
    )
    return []
  }
  const given = new Set<string>()
  const checked = fields.flatMap(({ at: place, name, formula }) => {
    const field = solution.fields.find(({ label }) => label === name)
    if (given.has(name))
      program.report(place, `There is already a formula for "${name}" above.`, undefined, { code: 'name-twice' })
    given.add(name)
    if (field !== undefined)
      return [{ label: name, typed: checkFormula(formula, typeOf(field.type), `The field ${name}`, scope, program) }]
    const labels = solution.fields.map(({ label }) => label)
    const near = nearest(name, labels)
    const hint = near === null ? `Its fields are ${labels.join(', ')}.` : `Did you mean "${near}"?`
    program.report(place, `A solution has no field "${name}".`, hint, { code: 'field-unknown' })
    return []
  })
  const missing = solution.fields.find(({ label }) => !given.has(label))
  // Another name for it has been reported.
  if (missing !== undefined && checked.length === fields.length)
    program.report(at, `This reference has no formula for the field "${missing.label}" of a solution.`, undefined, {
      code: 'reference-form',
    })
  return checked
}

/** `size`: gives the number of the program's slots; `placed`: adds the place in the file to a sentence. */
export function compileReference(
  { fields }: CheckedReference,
  compiler: Compiler,
  size: () => number,
  placed: (message: string, at: number | null) => string,
): Formulated['solve'] {
  const codes = fields.map(({ label, typed }) => ({ label, code: compiler.compile(typed) }))
  return (config, instance): Solved => {
    const result = evaluate(
      (frame) => {
        const values = codes.map(({ label, code }) => [label, madeJson(frame, code(frame))] as const)
        return { values, steps: STEPS - frame.steps }
      },
      size(),
      [config, null, instance],
    )
    if (!result.ok) return { ok: false, error: placed(result.message, result.at) }
    const { values, steps } = result.value
    return { ok: true, solution: Object.fromEntries(values), steps }
  }
}
