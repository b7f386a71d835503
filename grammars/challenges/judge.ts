import { checkDefinition, checkDemands, checkFormula, compileDemands, Compiler, evaluate } from '../formulas/index.ts'
import { assume, assumeDistinct, extremeOf, numberFrom, worstCase } from '../formulas/index.ts'
import { BOOLEAN, INT, newProgram, NUMBER, stepsTaken, typeOf } from '../formulas/index.ts'
import type { Exact, Extreme, Scope, Slots, Value, Watch } from '../formulas/index.ts'
import { readProperty } from '../properties/index.ts'
import type { Property } from '../properties/index.ts'
import type { ClassShape, Shape, Values } from '../values/index.ts'
import type { Effort } from './challenge.ts'
import { checkGenerator } from './generators/check-generator.ts'
import { compileGenerator } from './generators/run-generator.ts'
import type { GeneratorRun } from './generators/run-generator.ts'
import { demandsWithout } from './mentions.ts'
import { checkPicture, withoutSolution } from './pictures/check-picture.ts'
import { compilePicture } from './pictures/draw-picture.ts'
import type { Drawn } from './pictures/picture.ts'
import { checkReferences, compileReference } from './references/check-references.ts'
import type { Formulated } from './references/reference.ts'
import type { ProblemList } from './problems.ts'
import type { Declaration } from './solvers/model.ts'
import type { Sections } from './sections.ts'
import type { Described, Judged } from './tree.ts'

/** How often demands refine what is known of the values that they mention. */
const ROUNDS = 3

/** The types of the values that formulas use. */
export interface Shapes {
  readonly config: ClassShape
  readonly predicate: Shape
  readonly instance: Shape
  readonly solution: Shape
  /** Another class of the dictionary, by name. */
  other(name: string): Shape | null
}

/**
 * The compiled formulas of a challenge. Inputs are valid values, in the order config, predicate, instance, solution.
 */
export interface Judge {
  /** null: all demands are met. Otherwise the sentence of the first unmet one. */
  refusal(what: Judged, inputs: readonly Value[]): string | null
  /** Why the demands on a feasible solution refuse it without a reason; null: they can be evaluated. */
  unevaluated(inputs: readonly Value[]): 'limit' | 'failed' | null
  /** Like `refusal` for an instance, but checks only the demands that do not mention the predicate. */
  rawRefusal(config: Value, instance: Value): string | null
  /** Like `refusal`, for the demands of a league, given by its index in the file. */
  leagueRefusal(league: number, config: Value, predicate: Value, parameter: Value): string | null
  /** The value of a formula, or why it has none. */
  number(what: 'measure' | 'bound', inputs: readonly Value[]): Computed<Exact>
  /** The value of the file's belief; null if it has none. */
  readonly belief: ((inputs: readonly Value[], quality: Exact, f: Exact) => Computed<boolean>) | null
  /** The most steps of each evaluation, from above, for values that meet all demands; Infinity: no bound is known. */
  efforts(config: Value): readonly Effort[]
  /** The checked formulas from which models for solvers are made. */
  readonly declaration: Omit<Declaration, 'name' | 'goal'>
  /** Draws the picture of an instance, with a solution where there is one (not null); null if the file declares none. */
  readonly picture: ((config: Value, instance: Value, solution: Value) => Drawn) | null
  /** Runs the section `generate`; null if the file has none. */
  readonly generator: GeneratorRun | null
  /** The references that are written in formulas, by title. */
  readonly solvers: ReadonlyMap<string, Formulated['solve']>
  /** The steps that one evaluation takes; Infinity: a limit of the language ends it. */
  spent(what: Judged | 'measure' | 'bound', inputs: readonly Value[]): number
  /** null for a section that the file does not have. */
  readonly properties: Readonly<Record<Described, Property | null>>
}

/** `limit`: true if it has no value because of a limit of the language. */
export type Computed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string; readonly limit: boolean }

/**
 * Checks and compiles the formulas; null if they have problems, which are then in the list. `watch` is called with the
 * type of each part.
 */
export function makeJudge(
  sections: Sections,
  shapes: Shapes,
  values: Values,
  list: ProblemList,
  watch: Watch | null = null,
): Judge | null {
  const program = newProgram((name) => shapes.other(name), watch)
  const names = namesIn(program, shapes)
  const { config, predicate, instance, solution, quality, f, parameter } = names

  for (const { definition } of sections.definitions) checkDefinition(definition, scope(config), program)
  const { demands } = sections
  const predicates = checkDemands(demands['legal predicate'], scope(config, predicate), program)
  const instances = checkDemands(demands['legal instance'], scope(config, predicate, instance), program)
  const solutions = checkDemands(demands['feasible solution'], scope(config, instance, solution), program)
  const leagues = sections.leagues.map((league) => {
    const own = league.parameter === null ? [] : [{ name: league.parameter.name, variable: parameter }]
    return checkDemands(league.demands, scope(config, predicate, ...own), program)
  })
  const finished = scope(config, instance, solution)
  const measure = sections.measure && checkFormula(sections.measure.formula, NUMBER, 'The measure', finished, program)
  const bound =
    sections.bound && checkFormula(sections.bound.formula, NUMBER, 'The bound', scope(config, instance), program)
  const stated = scope(config, instance, solution, quality, f)
  const belief = sections.belief && checkFormula(sections.belief.formula, BOOLEAN, 'The belief', stated, program)
  const described = (name: Described, before: Scope): (() => Property) | null => {
    const rules = sections.properties[name]
    if (rules === null) return null
    return readProperty(rules, { name, shape: shapes[name], scope: before, program, values })
  }
  const properties = {
    predicate: described('predicate', scope(config)),
    instance: described('instance', scope(config, predicate)),
    solution: described('solution', scope(config, instance)),
  }
  const picture = sections.picture && checkPicture(sections.picture, finished, program)
  const generator = sections.generator && checkGenerator(sections.generator, shapes, scope(config, predicate), program)
  const references = checkReferences(sections.references, shapes.solution, scope(config, instance), program)
  for (const fault of program.faults) list.addFault(fault)
  if (program.faults.length > 0 || measure === null || bound === null) return null
  // Checked a second time, after it is known that they have no problems.
  const { picture: pictureTree } = sections
  const rawPicture =
    pictureTree &&
    checkPicture({ ...pictureTree, drawings: withoutSolution(pictureTree.drawings) }, scope(config, instance), program)
  const raw = checkDemands(demandsWithout('predicate', demands['legal instance']), scope(config, instance), program)

  const compiler = new Compiler()
  const judged = {
    'legal predicate': compileDemands(predicates, compiler),
    'legal instance': compileDemands(instances, compiler),
    'feasible solution': compileDemands(solutions, compiler),
  }
  const rawDemands = compileDemands(raw, compiler)
  const leagueDemands = leagues.map((checked) => compileDemands(checked, compiler))
  const numbers = { measure: compiler.compile(measure), bound: compiler.compile(bound) }
  const drawn = picture && compilePicture(picture, compiler, () => program.size)
  const rawDrawn = rawPicture && compilePicture(rawPicture, compiler, () => program.size)
  const made = generator && compileGenerator(generator, compiler, () => program.size)
  const beliefCode = belief && compiler.compile(belief)
  const size = program.size
  const placed = (message: string, at: number | null): string => {
    if (at === null) return message
    const { line, column } = list.place(at)
    return `${message} (Line ${line}, column ${column} of the challenge.)`
  }
  const solvers = references.map((reference) => compileReference(reference, compiler, () => program.size, placed))
  const decided = (code: ReturnType<typeof compileDemands>, what: string, inputs: readonly Value[]): string | null => {
    const result = evaluate(code, size, inputs)
    return result.ok ? result.value : `The demands ${what} cannot be evaluated. ${placed(result.message, result.at)}`
  }
  return {
    refusal: (what, inputs) => decided(judged[what], `on a ${what}`, inputs),
    unevaluated(inputs) {
      const result = evaluate(judged['feasible solution'], size, inputs)
      return result.ok ? null : result.limit ? 'limit' : 'failed'
    },
    rawRefusal: (config, instance) => decided(rawDemands, 'on a legal instance', [config, null, instance]),
    leagueRefusal(league, config, predicate, parameter) {
      const code = leagueDemands[league]
      const what = `of the league ${sections.leagues[league]?.name ?? ''}`
      return code === undefined ? null : decided(code, what, [config, predicate, null, null, null, null, parameter])
    },
    number(what, inputs) {
      const result = evaluate(numbers[what], size, inputs)
      if (!result.ok) {
        const error = `The ${what} has no value. ${placed(result.message, result.at)}`
        return { ok: false, error, limit: result.limit }
      }
      return { ok: true, value: result.value as Exact }
    },
    belief:
      beliefCode &&
      ((inputs, quality, f) => {
        const result = evaluate(beliefCode, size, [...inputs, quality, f])
        if (result.ok) return { ok: true, value: result.value as boolean }
        const error = `The belief has no value. ${placed(result.message, result.at)}`
        return { ok: false, error, limit: result.limit }
      }),
    declaration: {
      solution: shapes.solution,
      slots: { config: config.variable.slot, instance: instance.variable.slot, solution: solution.variable.slot },
      demands: solutions,
      measure,
    },
    picture:
      drawn &&
      rawDrawn &&
      ((settings, raw, answer) => {
        return answer === null ? rawDrawn([settings, null, raw]) : drawn([settings, null, raw, answer])
      }),
    generator:
      made &&
      ((inputs, parameters, random) => {
        const result = made(inputs, parameters, random)
        return result.ok ? result : { ...result, error: placed(result.error, result.at) }
      }),
    efforts: (settings) =>
      effortsOf({ sections, names, predicates, instances, solutions, leagues, measure, bound, belief }, settings),
    solvers: new Map(references.map(({ tree }, index) => [tree.name, solvers[index]!])),
    spent(what, inputs) {
      const code = what === 'measure' || what === 'bound' ? numbers[what] : judged[what]
      return stepsTaken(code, size, inputs)
    },
    properties: {
      predicate: properties.predicate?.() ?? null,
      instance: properties.instance?.() ?? null,
      solution: properties.solution?.() ?? null,
    },
  }
}

type Program = ReturnType<typeof newProgram>
type Variable = ReturnType<Program['variable']>
interface Name {
  readonly name: string
  readonly variable: Variable
}

/** The names in the formulas of a challenge, and the parameter of a league, whose name each league chooses. */
interface Names {
  readonly config: Name
  readonly predicate: Name
  readonly instance: Name
  readonly solution: Name
  readonly quality: Name
  readonly f: Name
  readonly parameter: Variable
}

/** The variables are the first of the program, in the order in which its inputs are given. */
function namesIn(program: Program, shapes: Shapes): Names {
  return {
    config: { name: 'config', variable: program.variable(shapes.config) },
    predicate: { name: 'predicate', variable: program.variable(typeOf(shapes.predicate)) },
    instance: { name: 'instance', variable: program.variable(typeOf(shapes.instance)) },
    solution: { name: 'solution', variable: program.variable(typeOf(shapes.solution)) },
    quality: { name: 'quality', variable: program.variable(NUMBER) },
    f: { name: 'f', variable: program.variable(NUMBER) },
    parameter: program.variable(INT),
  }
}

const scope = (...names: readonly Name[]): Scope => new Map(names.map(({ name, variable }) => [name, variable]))

/** The checked formulas of a challenge. */
interface CheckedFormulas {
  readonly sections: Sections
  readonly names: Names
  readonly predicates: ReturnType<typeof checkDemands>
  readonly instances: ReturnType<typeof checkDemands>
  readonly solutions: ReturnType<typeof checkDemands>
  /** By league, in the order of the file. */
  readonly leagues: readonly ReturnType<typeof checkDemands>[]
  readonly measure: ReturnType<typeof checkFormula>
  readonly bound: ReturnType<typeof checkFormula>
  readonly belief: ReturnType<typeof checkFormula> | null
}

/** The most steps of each evaluation; see Judge. */
function effortsOf(checked: CheckedFormulas, settings: Value): readonly Effort[] {
  const { sections, predicates, instances, solutions, leagues, measure, bound, belief } = checked
  const { slots, predicateExtreme } = extremesOf(checked.names, settings as { readonly [name: string]: number })
  // A later demand may refine a value that an earlier one mentions.
  for (let round = 0; round < ROUNDS; round++) {
    for (const demands of [predicates, instances, solutions]) assume(slots, demands)
    for (const { className, label } of sections.sets) {
      if (className.name !== 'Predicate' || predicateExtreme.kind !== 'record') continue
      assumeDistinct(predicateExtreme.field(label.name))
    }
  }
  const efforts = [
    { what: 'legal predicate', parts: predicates },
    { what: 'legal instance', parts: instances },
    { what: 'feasible solution', parts: solutions },
    { what: 'measure', parts: [measure] },
    { what: 'bound', parts: [bound] },
    ...(belief === null ? [] : [{ what: 'belief', parts: [belief] }]),
    ...leagues.map((parts, index) => ({ what: `league ${sections.leagues[index]!.name}`, parts })),
  ]
  return efforts.map(({ what, parts }) => ({ what, steps: worstCase(new Map(slots), parts) }))
}

/** All values that the variables can have; settings are what they are. */
function extremesOf(
  { config, predicate, instance, solution, quality, f, parameter }: Names,
  settings: { readonly [name: string]: number },
): { slots: Slots; predicateExtreme: Extreme } {
  const known = extremeOf(config.variable.type, true)
  for (const [name, value] of Object.entries(settings)) {
    const field = known.kind === 'record' ? known.field(name) : null
    if (field?.kind === 'number')
      Object.assign(field, { low: value, high: value, bits: Number.isInteger(value) ? 0 : 64 })
  }
  const slots: Slots = new Map([[config.variable.slot, known]])
  const predicateExtreme = extremeOf(predicate.variable.type, true)
  slots.set(predicate.variable.slot, predicateExtreme)
  for (const { variable } of [instance, solution]) slots.set(variable.slot, extremeOf(variable.type, true))
  for (const { variable } of [quality, f]) slots.set(variable.slot, numberFrom(0, 1, 64))
  slots.set(parameter.slot, numberFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
  return { slots, predicateExtreme }
}
