/** Results of pairs. Lists have an element for each pair i < j of entrants, in the order of `pairIndex`. */
export interface PairResults {
  /** The points of i in its meetings with j: a win is 1, a tie one half. */
  readonly won: Float64Array
  /** The number of meetings. */
  readonly met: Float64Array
}

/** Additional wins and losses of every entrant against one of average strength, which keep strengths finite. */
export interface Prior {
  readonly won: Float64Array
  readonly lost: Float64Array
}

/** The position of a pair i < j among all pairs: (0, 1), (0, 2), (1, 2), (0, 3) ... */
export const pairIndex = (i: number, j: number): number => (j * (j - 1)) / 2 + i

/** The largest step of a strength in one iteration, so that extreme results do not overshoot. */
const STEP_MAX = 2
const ITERATIONS_MAX = 60

/**
 * The strengths in the model of Bradley and Terry, as natural logarithms of odds: i beats j with the probability
 * 1 / (1 + exp(s_j - s_i)). They maximise the likelihood of the results and the prior together, which is concave, by
 * Newton's method. `start`: strengths to begin with. `precision`: of a strength.
 */
export function strengths(results: PairResults, prior: Prior, start: Float64Array, precision: number): Float64Array {
  const n = start.length
  const strength = start.slice()
  const gradient = new Float64Array(n)
  const hessian = new Float64Array(n * n)
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
    derive(results, prior, strength, gradient, hessian)
    factorize(hessian, n)
    substitute(hessian, gradient)
    let largest = 0
    for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(gradient[i]!))
    const scale = largest > STEP_MAX ? STEP_MAX / largest : 1
    for (let i = 0; i < n; i++) strength[i]! += scale * gradient[i]!
    if (largest < precision) break
  }
  return strength
}

/** The gradient of the log-likelihood, and minus its second derivatives (lower triangle). */
export function derive(
  { won, met }: PairResults,
  prior: Prior,
  strength: Float64Array,
  gradient: Float64Array,
  hessian: Float64Array,
): void {
  const n = strength.length
  hessian.fill(0)
  for (let i = 0; i < n; i++) {
    const [up, down] = [prior.won[i]!, prior.lost[i]!]
    const p = 1 / (1 + Math.exp(-strength[i]!))
    gradient[i] = up - (up + down) * p
    hessian[i * n + i] = (up + down) * p * (1 - p)
  }
  let pair = 0
  for (let j = 1; j < n; j++) {
    for (let i = 0; i < j; i++, pair++) {
      const meetings = met[pair]!
      if (meetings === 0) continue
      const p = 1 / (1 + Math.exp(strength[j]! - strength[i]!))
      const excess = won[pair]! - meetings * p
      const information = meetings * p * (1 - p)
      gradient[i]! += excess
      gradient[j]! -= excess
      hessian[i * n + i]! += information
      hessian[j * n + j]! += information
      hessian[j * n + i]! -= information
    }
  }
}

/** Replaces the lower triangle of a symmetric, positive definite matrix by its Cholesky factor. */
export function factorize(a: Float64Array, n: number): void {
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = a[i * n + j]!
      for (let k = 0; k < j; k++) sum -= a[i * n + k]! * a[j * n + k]!
      // Rounding must not make a tiny pivot negative.
      a[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / a[j * n + j]!
    }
  }
}

/** Solves A x = b, given the factor of A; x replaces b. */
export function substitute(factor: Float64Array, b: Float64Array): void {
  const n = b.length
  for (let i = 0; i < n; i++) {
    let sum = b[i]!
    for (let k = 0; k < i; k++) sum -= factor[i * n + k]! * b[k]!
    b[i] = sum / factor[i * n + i]!
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = b[i]!
    for (let k = i + 1; k < n; k++) sum -= factor[k * n + i]! * b[k]!
    b[i] = sum / factor[i * n + i]!
  }
}
