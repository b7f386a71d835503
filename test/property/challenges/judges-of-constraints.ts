import { total, within, words, type Judge } from './judge.ts'

interface Relations {
  readonly variables: number
  readonly constraints: readonly {
    readonly weight: number
    readonly relation: number
    readonly variables: readonly number[]
  }[]
}
interface Values {
  readonly values: readonly number[]
}

const bits = (count: number, { values }: Values): boolean =>
  values.length === count && values.every((value) => value === 0 || value === 1)
function* assignments(count: number): Generator<Values> {
  for (const word of words(count, 2)) yield { values: word.map((letter) => letter - 1) }
}

const relations: Judge<{ relations: number[] }, Relations, Values> = {
  small: { maxVars: 7, maxConstraints: 20 },
  legal: ({ maxVars, maxConstraints, maxWeight }, predicate, { variables, constraints }) =>
    within(variables, 3, maxVars!) &&
    within(constraints.length, 1, maxConstraints!) &&
    constraints.every(
      (c) =>
        within(c.weight, 1, maxWeight!) &&
        predicate.relations.includes(c.relation) &&
        c.variables.length === 3 &&
        new Set(c.variables).size === 3 &&
        c.variables.every((v) => within(v, 1, variables)),
    ),
  feasible: (_, { variables }, solution) => bits(variables, solution),
  quality({ constraints }, { values }) {
    const met = constraints.filter(({ relation, variables }) => {
      const row = variables.map((v) => String(values[v - 1])).join('')
      return (
        relation
          .toString(2)
          .padStart(8, '0')
          .at(-1 - parseInt(row, 2)) === '1'
      )
    })
    return [total(met.map(({ weight }) => weight)), total(constraints.map(({ weight }) => weight))]
  },
  solutions: (_, { variables }) => assignments(variables),
}

interface Clauses {
  readonly variables: number
  readonly clauses: readonly { readonly weight: number; readonly literals: readonly number[] }[]
}

const clauses: Judge<{ types: { length: number; positives: number }[] }, Clauses, Values> = {
  small: { maxVars: 7, maxClauses: 20 },
  legal: ({ maxVars, maxClauses, maxWeight, maxClauseLength }, { types }, instance) =>
    within(instance.variables, 1, maxVars!) &&
    within(instance.clauses.length, 1, maxClauses!) &&
    instance.clauses.every(
      ({ weight, literals }) =>
        within(weight, 1, maxWeight!) &&
        within(literals.length, 1, maxClauseLength!) &&
        literals.every((literal) => within(Math.abs(literal), 1, instance.variables)) &&
        new Set(literals.map(Math.abs)).size === literals.length &&
        types.some(
          ({ length, positives }) =>
            length === literals.length && positives === literals.filter((literal) => literal > 0).length,
        ),
    ),
  feasible: (_, { variables }, solution) => bits(variables, solution),
  quality({ clauses: all }, { values }) {
    const met = all.filter(({ literals }) => literals.some((l) => (values[Math.abs(l) - 1] === 1) === l > 0))
    return [total(met.map(({ weight }) => weight)), total(all.map(({ weight }) => weight))]
  },
  solutions: (_, { variables }) => assignments(variables),
}

interface Form {
  readonly coefficients: readonly number[]
  readonly comparison: { readonly $: string }
  readonly bound: number
}
interface Sums {
  readonly constraints: readonly {
    readonly weight: number
    readonly shape: Form
    readonly literals: readonly { readonly $: string; readonly variable: string }[]
  }[]
  readonly variables: readonly string[]
}

const comparing: Readonly<Record<string, (total: number, bound: number) => boolean>> = {
  AtLeast: (sum, bound) => sum >= bound,
  AtMost: (sum, bound) => sum <= bound,
  Exactly: (sum, bound) => sum === bound,
}
const written = ({ coefficients, comparison, bound }: Form): string => [...coefficients, comparison.$, bound].join(' ')

const sums: Judge<{ shapes: Form[] }, Sums, Values> = {
  small: { maxVars: 6, maxConstraints: 20 },
  legal({ maxVars, maxConstraints, maxWeight }, { shapes }, { constraints, variables }) {
    const used = constraints.flatMap(({ literals }) => literals.map(({ variable }) => variable))
    return (
      within(constraints.length, 1, maxConstraints!) &&
      constraints.every(
        ({ weight, shape, literals }) =>
          within(weight, 1, maxWeight!) &&
          shapes.some((one) => written(one) === written(shape)) &&
          literals.length === shape.coefficients.length &&
          literals.every(({ $ }) => ['Positive', 'Negative'].includes($)) &&
          new Set(literals.map(({ variable }) => variable)).size === literals.length,
      ) &&
      variables.length <= maxVars! &&
      new Set(variables).size === variables.length &&
      [...new Set(used)].toSorted().join(' ') === [...variables].toSorted().join(' ')
    )
  },
  feasible: (_, { variables }, solution) => bits(variables.length, solution),
  quality({ constraints, variables }, { values }) {
    const met = constraints.filter(({ shape, literals }) => {
      const counted = literals.map(({ $, variable }, at) => {
        const isTrue = values[variables.indexOf(variable)] === 1
        return isTrue === ($ === 'Positive') ? shape.coefficients[at]! : 0
      })
      return comparing[shape.comparison.$]!(total(counted), shape.bound)
    })
    return [total(met.map(({ weight }) => weight)), total(constraints.map(({ weight }) => weight))]
  },
  solutions: (_, { variables }) => assignments(variables.length),
}

interface Equations {
  readonly questions: readonly { readonly kind: { readonly $: string }; readonly a: number; readonly b: number }[]
}

/** The signs of a in x³ ± ax = b and x³ ± ax² = b. */
const sides: Readonly<Record<string, (x: bigint, a: bigint, unit: bigint) => bigint>> = {
  UnknownsAndCubes: (x, a, unit) => x ** 3n + a * x * unit ** 2n,
  SquaresAndCubes: (x, a, unit) => x ** 3n + a * x ** 2n * unit,
  CubesOfUnknowns: (x, a, unit) => x ** 3n - a * x * unit ** 2n,
  CubesOfSquares: (x, a, unit) => x ** 3n - a * x ** 2n * unit,
}
/** Answers are drawn in tenths, and tried to within thousandths. */
const UNIT = 10_000n

const equations: Judge<{ kinds: { $: string }[] }, Equations, { answers: number[] }> = {
  small: { maxQuestions: 2 },
  legal: ({ maxQuestions, largest }, { kinds }, { questions }) =>
    within(questions.length, 1, maxQuestions!) &&
    questions.every(
      ({ kind, a, b }) => kinds.some(({ $ }) => $ === kind.$) && within(a, 1, largest!) && within(b, 1, largest!),
    ),
  feasible: (_, { questions }, { answers }) =>
    answers.length === questions.length && answers.every((answer) => within(answer, 0, 10_000_000)),
  quality({ questions }, { answers }) {
    let good = 0
    for (const [at, { kind, a, b }] of questions.entries()) {
      const excess = (x: bigint): bigint => sides[kind.$]!(x, BigInt(a), UNIT) - BigInt(b) * UNIT ** 3n
      const x = BigInt(Math.round(answers[at]! * Number(UNIT)))
      for (const d of [UNIT, UNIT / 10n, UNIT / 100n, UNIT / 1000n]) {
        const below = x > d ? x - d : 0n
        if (excess(below) <= 0n && excess(x + d) >= 0n) good += 1
      }
    }
    return [good, 4 * questions.length]
  },
}

/** By the name of the challenge. */
export const judgesOfConstraints = {
  'max-csp': relations,
  'max-sat': clauses,
  'pseudo-boolean': sums,
  'cubic-equations': equations,
}
