import type { Generator, GeneratorFault, GeneratorParameter, Material } from '../challenges/generators/generator.ts'
import { toNumber } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import { climbFrom } from './climb-solutions.ts'
import { qualityOf, type JudgedSolution } from './draw-pieces.ts'
import type { Difficulty, DifficultyCurve, DifficultyPoint } from './report.ts'
import { SLOW, type Amounts, type Tools } from './tools.ts'

/** Values of each parameter, evenly from its low to its high end. */
const POINTS = 5
/** Parameters that are measured. */
const MOST_CURVES = 4
/** Random solutions of each instance, and attempts to draw them. */
const SOLUTIONS = 4
const ATTEMPTS = 16
/** Random solutions that the baby agent tries on an instance. */
const BABY = 2

/** A generator that is wrong, and the parameters with which it is. */
export interface GeneratorFailure {
  readonly code: GeneratorFault
  readonly error: string
  readonly parameters: Json
}

/** A generator whose steps make agents wait. */
export interface SlowGenerator {
  readonly steps: number
  readonly parameters: Json
  /** True if it is slow with its defaults, which agents use. */
  readonly usual: boolean
}

/** A generated instance with a solution that is better than its bound. */
interface Beyond {
  readonly predicate: Json
  readonly instance: Json
  readonly solution: JudgedSolution
}

interface MeasuredDifficulty {
  readonly difficulty: Difficulty | null
  /** The first one; the curves then lack instances that were not made. */
  readonly fault: GeneratorFailure | null
  /** The slowest, with its defaults if it is slow there. */
  readonly slow: SlowGenerator | null
  readonly beyond: Beyond | null
}

const NOTHING: MeasuredDifficulty = { difficulty: null, fault: null, slow: null, beyond: null }

/**
 * Makes instances by the generator of a challenge with different values of each parameter, the others at their defaults, and
 * measures how well chance, the baby and a short search solve them. `variations`: of each search.
 */
export function measureDifficulty(
  tools: Tools,
  predicates: readonly Json[],
  { difficulty: instances = 0 }: Amounts,
  variations: number,
): MeasuredDifficulty {
  const { generator } = tools.challenge
  if (generator === null || predicates.length === 0) return NOTHING
  const defaults = settled(generator, {})
  const faults: GeneratorFailure[] = []
  const slow: SlowGenerator[] = []
  let beyond: Beyond | null = null
  const predicateOf = (n: number): Json => predicates[n % predicates.length]!
  const make = (parameters: Json, n: number): Made | null => {
    const made = generator.make(tools.config, predicateOf(n), parameters, tools.random)
    if (!made.ok) faults.push({ code: made.code, error: made.error, parameters })
    else if (made.steps >= SLOW) slow.push({ steps: made.steps, parameters, usual: parameters === defaults })
    return made.ok ? made : null
  }
  const measure = (made: Made, n: number): Measured | null => {
    const found = solved(tools, made, variations)
    if (found?.best.judgement.kind === 'outside')
      beyond ??= { predicate: predicateOf(n), instance: made.instance, solution: found.best }
    return found && measured(found, made)
  }
  // The defaults are tried with every predicate, and the ends, even where nothing is measured.
  for (const n of predicates.keys()) if (!tools.isOver()) make(defaults, n)
  for (const [n, parameters] of ends(generator).entries()) if (!tools.isOver()) make(parameters, n)
  const curves = generator.parameters.slice(0, instances === 0 ? 0 : MOST_CURVES).map((parameter): DifficultyCurve => {
    const points = valuesOf(parameter).flatMap((value): readonly DifficultyPoint[] => {
      const parameters = settled(generator, { [parameter.name]: value })
      const pieces = Array.from({ length: instances }, (_, n) => {
        const made = tools.isOver() ? null : make(parameters, n)
        return made && measure(made, n)
      }).filter((piece) => piece !== null)
      return pieces.length === 0 ? [] : [pointOf(value, pieces)]
    })
    return { parameter: parameter.name, points }
  })
  return { difficulty: { curves }, fault: faults[0] ?? null, slow: slowestOf(slow), beyond }
}

function slowestOf(slow: readonly SlowGenerator[]): SlowGenerator | null {
  const usual = slow.filter((one) => one.usual)
  const told = usual.length > 0 ? usual : slow
  return told.reduce<SlowGenerator | null>((a, b) => (a !== null && a.steps >= b.steps ? a : b), null)
}

function settled(generator: Generator, given: Json): Json {
  const settings = generator.settings(given)
  return settings.ok ? settings.value : {}
}

/** Each parameter at its ends. */
function ends(generator: Generator): readonly Json[] {
  return generator.parameters.flatMap(({ name, low, high }) =>
    [low, high].map((value) => settled(generator, { [name]: value })),
  )
}

function valuesOf({ whole, low, high }: GeneratorParameter): readonly number[] {
  const values = Array.from({ length: POINTS }, (_, i) => low + ((high - low) * i) / (POINTS - 1))
  return [...new Set(values.map((value) => (whole ? Math.round(value) : value)))]
}

interface Measured {
  readonly chance: number
  readonly baby: number
  readonly best: number
  readonly planted: number | null
}

type Made = Extract<Material, { ok: true }>

/** Random solutions of an instance, and the best that a search from them finds. */
interface Solved {
  readonly solutions: readonly JudgedSolution[]
  readonly best: JudgedSolution
}

/** null: no random solution of the instance was found. */
function solved(tools: Tools, { instance }: Made, variations: number): Solved | null {
  const { challenge, config, random } = tools
  const solutions: JudgedSolution[] = []
  for (let tried = 0; solutions.length < SOLUTIONS && tried < ATTEMPTS; tried++) {
    const drawn = challenge.sampler.once('solution', [config, null, instance], random)
    if (!drawn.ok) continue
    solutions.push({ solution: drawn.value, judgement: challenge.judgement(config, instance, drawn.value) })
  }
  const best = climbFrom(tools, instance, solutions, variations)
  return best && { solutions, best }
}

/** null: no random solution has a quality, or the bound is wrong. */
function measured({ solutions, best }: Solved, { planted }: Made): Measured | null {
  const qualities = solutions.map(qualityOf).filter((quality) => quality !== null)
  const reached = qualityOf(best)
  if (qualities.length === 0 || reached === null) return null
  const known = planted === null ? null : toNumber(planted.quality)
  return {
    chance: mean(qualities),
    baby: Math.max(...qualities.slice(0, BABY)),
    best: reached,
    planted: known,
  }
}

function pointOf(value: number, pieces: readonly Measured[]): DifficultyPoint {
  const planted = pieces.flatMap((piece) => (piece.planted === null ? [] : [piece.planted]))
  return {
    value,
    instances: pieces.length,
    chance: mean(pieces.map(({ chance }) => chance)),
    baby: mean(pieces.map(({ baby }) => baby)),
    best: mean(pieces.map(({ best }) => best)),
    planted: planted.length === 0 ? null : mean(planted),
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}
