import type { Json } from '../../../main/contract/json.ts'
import { formulaOf, type Formula } from '../solvers/formula.ts'
import { solve } from '../solvers/solve.ts'
import { upTo, type Craft } from './craft.ts'

interface Shape {
  readonly coefficients: readonly number[]
  readonly comparison: { readonly $: string }
  readonly bound: number
}

interface Material {
  readonly variables: readonly string[]
  readonly constraints: readonly {
    readonly weight: number
    readonly shape: Shape
    readonly literals: readonly { readonly $: string; readonly variable: string }[]
  }[]
}

/** The maximum number of rows in the bits of a solver's mask, and of literals whose values can all be tried. */
const ROWS = 31
const LONGEST = 8
const CERTAIN_VARIABLES = 16
const FLIPS_A_STEP = 0.002

/**
 * Any shape can be applied to the same variables with all choices of signs: then every solution satisfies the same part
 * of the constraints, the part of the rows that the shape accepts. As random values satisfy that part of any raw
 * material, it is the break-even value of the shape; that of a predicate is that of its strictest shape.
 */
export function pseudoBoolean(config: Json): Craft {
  const { maxVars, maxConstraints } = config as { readonly maxVars: number; readonly maxConstraints: number }
  const { maxTerms, maxCoefficient } = config as { readonly maxTerms: number; readonly maxCoefficient: number }
  return {
    exact: maxVars <= CERTAIN_VARIABLES && maxTerms <= LONGEST && maxTerms * maxCoefficient < ROWS,
    solve(instance, effort, random) {
      const formula = formulaFrom(instance as unknown as Material)
      if (formula === undefined) return null
      return { values: Array.from(solve(formula, { exhaustive: effort, flips: effort * FLIPS_A_STEP }, random).values) }
    },
    hard(predicate) {
      const shapes = (predicate as unknown as { readonly shapes: readonly Shape[] }).shapes
      const rated = shapes
        .filter(({ coefficients: { length } }) => length <= Math.min(LONGEST, maxVars) && 2 ** length <= maxConstraints)
        .map((shape) => ({ shape, part: acceptedPart(shape) }))
        .sort((a, b) => a.part - b.part)
      return rated[0] === undefined ? [] : [allSigns(rated[0].shape)]
    },
  }
}

/** undefined: too large for the masks. */
function formulaFrom({ variables, constraints }: Material): Formula | undefined {
  const fits = ({ shape: { coefficients } }: Material['constraints'][number]): boolean =>
    coefficients.length <= LONGEST && coefficients.reduce((a, b) => a + b, 0) < ROWS
  if (!constraints.every(fits)) return undefined
  const places = new Map(variables.map((name, at) => [name, at]))
  const parts = constraints.map(({ weight, shape, literals }) => {
    const { coefficients } = shape
    let mask = 0
    for (let row = 0; row <= coefficients.reduce((a, b) => a + b, 0); row++) if (accepts(shape, row)) mask |= 1 << row
    const negated = literals.map(({ $ }) => $ === 'Negative')
    return {
      weight,
      mask,
      emptyRow: coefficients.reduce((sum, coefficient, at) => sum + (negated[at] === true ? coefficient : 0), 0),
      members: literals.map(({ variable }) => places.get(variable)!),
      steps: coefficients.map((coefficient, at) => (negated[at] === true ? -coefficient : coefficient)),
    }
  })
  return formulaOf(variables.length, parts)
}

function accepts({ comparison, bound }: Shape, sum: number): boolean {
  if (comparison.$ === 'AtLeast') return sum >= bound
  return comparison.$ === 'AtMost' ? sum <= bound : sum === bound
}

/** The accepted part of all values of the literals. */
function acceptedPart(shape: Shape): number {
  const { coefficients } = shape
  let accepted = 0
  for (let row = 0; row < 2 ** coefficients.length; row++) {
    const sum = coefficients.reduce((total, coefficient, at) => total + ((row >> at) & 1) * coefficient, 0)
    if (accepts(shape, sum)) accepted += 1
  }
  return accepted / 2 ** coefficients.length
}

function allSigns(shape: Shape): Json {
  const variables = upTo(shape.coefficients.length).map((number) => `v${number}`)
  const constraints = Array.from({ length: 2 ** variables.length }, (_, signs) => ({
    weight: 1,
    shape: shape as unknown as Json,
    literals: variables.map((variable, at) => ({ $: (signs >> at) & 1 ? 'Negative' : 'Positive', variable })),
  }))
  return { constraints, variables }
}
