/** Something that somebody did in a comparable situation (`stratum`) when `other` was concerned. */
export interface Observation {
  readonly stratum: string
  readonly other: string
  readonly value: number
}

/** Whether values depend on whom they concern. */
export interface Dependence {
  /** Of the permutation test; 1 where nothing can be compared. */
  readonly p: number
  /** Observations in situations that concern more than one and do not all have the same value. */
  readonly compared: number
  /** Who stands out most; null: nothing can be compared. */
  readonly strongest: {
    readonly other: string
    /** Mean of the values that concern him, and what it would be if nobody stood out. */
    readonly mean: number
    readonly expected: number
    /** How far the sum of these values is from what was expected, in standard deviations. */
    readonly deviations: number
    /** Places in the list of observations that speak for it, the clearest first. */
    readonly evidence: readonly number[]
  } | null
}

/** Permutations that are drawn; the smallest p-value is one of one more than these. */
const PERMUTATIONS = 1_999
/** So many permutations as extreme as what was seen settle that it is nothing extraordinary (Besag and Clifford 1991). */
const ENOUGH = 20

/**
 * A permutation test of whether values depend on whom they concern. Under the null hypothesis the others of one stratum are
 * interchangeable, so they are dealt anew within each. The statistic is the greatest deviation of any other's sum from what
 * its strata lead one to expect, in standard deviations. `random`: unsigned 32-bit numbers; equal streams give equal results.
 */
export function dependence(observations: readonly Observation[], random: () => number): Dependence {
  const { values, places, labels, others, ends } = centred(observations)
  if (values.length === 0) return { p: 1, compared: 0, strongest: null }
  const spread = deviations(values, labels, others.length, ends)
  const seen = statistic(values, labels, spread)
  const dealt = labels.slice()
  let extreme = 0
  let drawn = 0
  while (drawn < PERMUTATIONS && extreme < ENOUGH) {
    deal(dealt, ends, random)
    if (statistic(values, dealt, spread).most >= seen.most - 1e-9) extreme += 1
    drawn += 1
  }
  // Stopped early, the share itself is the estimate; otherwise what was seen counts as one of the permutations.
  const p = extreme === ENOUGH ? extreme / drawn : (extreme + 1) / (drawn + 1)
  return { p, compared: values.length, strongest: standout(observations, { values, places, labels }, seen, others) }
}

interface Centred {
  /** What remains when the mean of the stratum is taken away, stratum after stratum. */
  readonly values: readonly number[]
  /** Where each stood in the list of observations. */
  readonly places: readonly number[]
  /** Whom each concerns, as a number of `others`. */
  readonly labels: readonly number[]
  readonly others: readonly string[]
  /** Where each stratum ends. */
  readonly ends: readonly number[]
}

function centred(observations: readonly Observation[]): Centred {
  const strata = Map.groupBy(observations.keys(), (place) => observations[place]!.stratum)
  const numbers = new Map<string, number>()
  const [values, places, labels, ends]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (const members of strata.values()) {
    const seen = members.map((place) => observations[place]!)
    const mean = seen.reduce((sum, { value }) => sum + value, 0) / seen.length
    const several = new Set(seen.map(({ other }) => other)).size > 1
    if (!several || seen.every(({ value }) => value === seen[0]!.value)) continue
    for (const [at, { other, value }] of seen.entries()) {
      if (!numbers.has(other)) numbers.set(other, numbers.size)
      values.push(value - mean)
      places.push(members[at]!)
      labels.push(numbers.get(other)!)
    }
    ends.push(values.length)
  }
  return { values, places, labels, others: [...numbers.keys()], ends }
}

/** The standard deviation of each one's sum when the labels of each stratum are dealt anew. */
function deviations(
  values: readonly number[],
  labels: readonly number[],
  others: number,
  ends: readonly number[],
): number[] {
  const variances = new Array<number>(others).fill(0)
  let from = 0
  for (const end of ends) {
    const size = end - from
    const squares = values.slice(from, end).reduce((sum, value) => sum + value * value, 0)
    for (let other = 0; other < others; other++) {
      const own = labels.slice(from, end).filter((label) => label === other).length
      variances[other]! += (own * (size - own) * squares) / (size * (size - 1))
    }
    from = end
  }
  return variances.map(Math.sqrt)
}

function statistic(
  values: readonly number[],
  labels: readonly number[],
  spread: readonly number[],
): { readonly most: number; readonly other: number; readonly sign: number } {
  const sums = new Array<number>(spread.length).fill(0)
  for (let at = 0; at < values.length; at++) sums[labels[at]!]! += values[at]!
  let [most, other] = [0, 0]
  for (const [number, sum] of sums.entries()) {
    const size = spread[number]! > 0 ? Math.abs(sum) / spread[number]! : 0
    if (size > most) [most, other] = [size, number]
  }
  return { most, other, sign: Math.sign(sums[other]!) }
}

function deal(labels: number[], ends: readonly number[], random: () => number): void {
  let from = 0
  for (const end of ends) {
    for (let at = end - 1; at > from; at--) {
      const with_ = from + (random() % (at - from + 1))
      const held = labels[at]!
      labels[at] = labels[with_]!
      labels[with_] = held
    }
    from = end
  }
}

function standout(
  observations: readonly Observation[],
  { values, places, labels }: Pick<Centred, 'values' | 'places' | 'labels'>,
  { most, other, sign }: { readonly most: number; readonly other: number; readonly sign: number },
  others: readonly string[],
): NonNullable<Dependence['strongest']> {
  const own = values.flatMap((value, at) => (labels[at] === other ? [{ value, place: places[at]! }] : []))
  const mean = own.reduce((sum, { place }) => sum + observations[place]!.value, 0) / own.length
  const excess = own.reduce((sum, { value }) => sum + value, 0) / own.length
  const evidence = own.filter(({ value }) => value * sign > 0).sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
  return {
    other: others[other]!,
    mean,
    expected: mean - excess,
    deviations: most,
    evidence: evidence.map(({ place }) => place),
  }
}
