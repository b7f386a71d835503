export interface Numbers {
  readonly [setting: string]: number
}

/** A judge written without the language: the text of a challenge as loops over plain values. */
export interface Judge<P, I, S> {
  /** Settings under which everything can be tried. */
  readonly small: Numbers
  legal(config: Numbers, predicate: P, instance: I): boolean
  feasible(config: Numbers, instance: I, solution: S): boolean
  /** Numerator and denominator. */
  quality(instance: I, solution: S): readonly [number, number]
  /** All solutions, or some with the best among them; left out: each bound is reached. */
  solutions?(config: Numbers, instance: I): Iterable<S>
}

/** The whole numbers of a range. */
export const whole = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
export const total = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
export const within = (value: number, low: number, high: number): boolean => value >= low && value <= high

/** All lists of `length` numbers from 1 to `most`. */
export function* words(length: number, most: number): Generator<number[]> {
  for (let code = 0; code < most ** length; code++) {
    yield whole(0, length - 1).map((place) => (Math.floor(code / most ** place) % most) + 1)
  }
}
