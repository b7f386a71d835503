/** The probability that Student's t is above `t`. `freedom`: the degrees of freedom, at least 1. */
export function upperTail(t: number, freedom: number): number {
  if (t === Infinity) return 0
  const tail = incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
  return t >= 0 ? tail : 1 - tail
}

/** The value that Student's t exceeds with the probability `tail`, below one half; `freedom` need not be whole. */
export function tQuantile(tail: number, freedom: number): number {
  let [low, high] = [0, 2]
  while (upperTail(high, freedom) > tail) high *= 2
  while (high - low > 1e-9 * high) {
    const middle = (low + high) / 2
    if (upperTail(middle, freedom) > tail) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The regularized incomplete beta function, by its continued fraction (DLMF 8.17.22, Lentz's method). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast on one side only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a
  let [c, d] = [1, 1 / away(1 - ((a + b) * x) / (a + 1))]
  let fraction = d
  for (let m = 1; m < 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    for (const coefficient of [even, odd]) {
      d = 1 / away(1 + coefficient * d)
      c = away(1 + coefficient / c)
      fraction *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-14) break
  }
  return front * fraction
}

/** A number that can be divided by. */
const away = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value)

/** The logarithm of the gamma function of a positive number, by Stirling's series. */
function logGamma(x: number): number {
  let shift = 0
  let z = x
  for (; z < 10; z++) shift += Math.log(z)
  const s = 1 / (z * z)
  const series = (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s / 1680))) / z
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift
}
