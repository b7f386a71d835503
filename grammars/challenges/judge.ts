import { checkDefinition, checkDemands, checkFormula, compileDemands, Compiler, evaluate } from '../formulas/index.ts'
import { newProgram, NUMBER, typeOf } from '../formulas/index.ts'
import type { Exact, Scope, Value } from '../formulas/index.ts'
import type { ClassShape, Shape } from '../values/index.ts'
import type { ProblemList } from './problems.ts'
import type { Sections } from './sections.ts'
import type { Judged } from './tree.ts'

/** The types of what the formulas speak of. */
export interface Shapes {
  readonly config: ClassShape
  readonly predicate: Shape
  readonly instance: Shape
  readonly solution: Shape
  /** Another class of the dictionary, by name. */
  other(name: string): Shape | null
}

/** The compiled formulas of a challenge. Inputs are valid values, in the order config, predicate, instance, solution. */
export interface Judge {
  /** null: all demands are met. Otherwise the sentence of the first that is not. */
  refusal(what: Judged, inputs: readonly Value[]): string | null
  /** The value of a formula, or why there is none. */
  number(what: 'measure' | 'bound', inputs: readonly Value[]): { readonly ok: true; readonly value: Exact } | NoValue
}

interface NoValue {
  readonly ok: false
  readonly error: string
}

/** Checks and compiles the formulas; null where something is wrong with them, which is then among the problems. */
export function makeJudge(sections: Sections, shapes: Shapes, list: ProblemList): Judge | null {
  const program = newProgram((name) => shapes.other(name))
  const config = { name: 'config', variable: program.variable(shapes.config) }
  const predicate = { name: 'predicate', variable: program.variable(typeOf(shapes.predicate)) }
  const instance = { name: 'instance', variable: program.variable(typeOf(shapes.instance)) }
  const solution = { name: 'solution', variable: program.variable(typeOf(shapes.solution)) }
  const scope = (...names: (typeof config)[]): Scope => new Map(names.map(({ name, variable }) => [name, variable]))

  for (const { definition } of sections.definitions) checkDefinition(definition, scope(config), program)
  const { demands } = sections
  const predicates = checkDemands(demands['legal predicate'], scope(config, predicate), program)
  const instances = checkDemands(demands['legal instance'], scope(config, predicate, instance), program)
  const solutions = checkDemands(demands['feasible solution'], scope(config, instance, solution), program)
  const finished = scope(config, instance, solution)
  const measure = checkFormula(sections.measure.formula, NUMBER, 'The measure', finished, program)
  const bound = checkFormula(sections.bound.formula, NUMBER, 'The bound', scope(config, instance), program)
  for (const fault of program.faults) list.addFault(fault)
  if (program.faults.length > 0) return null

  const compiler = new Compiler()
  const judged = {
    'legal predicate': compileDemands(predicates, compiler),
    'legal instance': compileDemands(instances, compiler),
    'feasible solution': compileDemands(solutions, compiler),
  }
  const numbers = { measure: compiler.compile(measure), bound: compiler.compile(bound) }
  const size = program.size
  const placed = (message: string, at: number | null): string => {
    if (at === null) return message
    const { line, column } = list.place(at)
    return `${message} (Line ${line}, column ${column} of the challenge.)`
  }
  return {
    refusal(what, inputs) {
      const result = evaluate(judged[what], size, inputs)
      return result.ok
        ? result.value
        : `The demands on a ${what} cannot be decided. ${placed(result.message, result.at)}`
    },
    number(what, inputs) {
      const result = evaluate(numbers[what], size, inputs)
      if (!result.ok) return { ok: false, error: `The ${what} has no value. ${placed(result.message, result.at)}` }
      return { ok: true, value: result.value as Exact }
    },
  }
}
