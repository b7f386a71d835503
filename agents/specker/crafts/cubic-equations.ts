import type { Craft } from './craft.ts'

interface Question {
  readonly kind: { readonly $: string }
  readonly a: number
  readonly b: number
}

/** Each step halves the interval: more steps than a double has digits. */
const HALVINGS = 120
/** The challenge's trials end at 10^-9; more than two further digits are useless. */
const DIGITS = 11

/**
 * Tartaglia solved several kinds, and bisection solves all: the cubes are too small below the only positive root and
 * too large above it. So every raw material yields quality 1, and none is hard.
 */
export const cubicEquations: Craft = {
  exact: true,
  solve: (instance) => ({
    answers: (instance as unknown as { readonly questions: readonly Question[] }).questions.map(root),
  }),
  hard: () => [],
}

function root(question: Question): number {
  let high = 1
  while (excess(question, high) < 0) high *= 2
  let low = 0
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2
    if (excess(question, middle) < 0) low = middle
    else high = middle
  }
  return Number(high.toFixed(DIGITS))
}

function excess({ kind, a, b }: Question, x: number): number {
  switch (kind.$) {
    case 'UnknownsAndCubes':
      return x * x * x + a * x - b
    case 'SquaresAndCubes':
      return x * x * x + a * x * x - b
    case 'CubesOfUnknowns':
      return x * x * x - a * x - b
    default:
      return x * x * x - a * x * x - b
  }
}
