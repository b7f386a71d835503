import { checkFormula, draws, INT, NOTHING, NUMBER, typeOf } from '../../formulas/index.ts'
import type { Program, Scope, Type, Typed } from '../../formulas/index.ts'
import type { Shape } from '../../values/index.ts'
import { kindOf } from '../config.ts'
import type { GeneratorTree } from '../tree.ts'
import { constructorsOf } from './constructors.ts'

/** The shapes of the values that a generator is given and makes. */
interface GeneratedShapes {
  readonly predicate: Shape
  readonly instance: Shape
  readonly solution: Shape
}

export interface CheckedGenerator {
  /** The slots of the parameters, by their names. */
  readonly parameters: ReadonlyMap<string, number>
  readonly steps: readonly { readonly slot: number; readonly value: Typed }[]
  readonly instance: Typed
  readonly planted: Typed | null
  readonly shapes: GeneratedShapes
}

/**
 * Checks the types of a generator. `scope`: config and predicate. Problems are reported to the program; compile the result
 * only if there are none.
 */
export function checkGenerator(
  tree: GeneratorTree,
  { predicate, instance, solution }: GeneratedShapes,
  scope: Scope,
  program: Program,
): CheckedGenerator {
  const functions = [...draws, ...constructorsOf([instance, solution, predicate])]
  program.further = new Map(functions.map((one) => [one.name, one]))
  const names = new Map(scope)
  const name = (at: number, word: string, type: Type): number => {
    if (names.has(word))
      program.report(at, `"${word}" already has a meaning here; choose another name.`, undefined, {
        code: 'name-taken',
      })
    const variable = program.variable(type)
    names.set(word, variable)
    return variable.slot
  }
  const parameters = new Map(
    tree.parameters.map((parameter) => {
      return [parameter.name, name(parameter.at, parameter.name, kindOf(parameter) === 'int' ? INT : NUMBER)] as const
    }),
  )
  const steps = tree.steps.map((step) => {
    const value = checkFormula(step.value, NOTHING, step.name, new Map(names), program)
    return { slot: name(step.at, step.name, value.type), value }
  })
  const made = checkFormula(tree.instance, typeOf(instance), 'The instance', new Map(names), program)
  const planted =
    tree.planted && checkFormula(tree.planted, typeOf(solution), 'The planted solution', new Map(names), program)
  program.further = null
  return { parameters, steps, instance: made, planted, shapes: { predicate, instance, solution } }
}
