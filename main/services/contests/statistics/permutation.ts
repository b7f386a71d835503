/** A behaviour towards `other` in a comparable situation (`stratum`). */
export interface Observation {
  readonly stratum: string
  readonly other: string
  readonly value: number
}

/** The result of a test for values that depend on the other agent that they concern. */
export interface Dependence {
  /** The p-value of the permutation test; 1 if nothing can be compared. */
  readonly p: number
  /** The number of observations in strata with several others and with different values. */
  readonly compared: number
  /** The other agent that stands out most; null: nothing can be compared. */
  readonly strongest: {
    readonly other: string
    /** Mean of the values that concern it, and the mean expected under the null hypothesis. */
    readonly mean: number
    readonly expected: number
    /** The deviation of the sum of these values from its expectation, in standard deviations. */
    readonly deviations: number
    /** Indices of the observations that support this, strongest first. */
    readonly evidence: readonly number[]
  } | null
}

/** The number of permutations drawn; the smallest p-value is 1 / (PERMUTATIONS + 1). */
const PERMUTATIONS = 1_999
/** Sequential stopping: the test ends after this many permutations as extreme as the data (Besag and Clifford 1991). */
const ENOUGH = 20

/**
 * A permutation test of whether values depend on the other agent that they concern. Under the null hypothesis the
 * others of a stratum are interchangeable, so labels are permuted within each stratum. The statistic is the largest
 * deviation of an agent's sum from its expectation, in standard deviations. `random`: unsigned 32-bit numbers; equal
 * streams give equal results.
 */
export function dependence(observations: readonly Observation[], random: () => number): Dependence {
  const { values, places, labels, others, ends } = centred(observations)
  if (values.length === 0) return { p: 1, compared: 0, strongest: null }
  const spread = deviations(values, labels, others.length, ends)
  const observed = statistic(values, labels, spread)
  const permuted = labels.slice()
  let extreme = 0
  let drawn = 0
  while (drawn < PERMUTATIONS && extreme < ENOUGH) {
    permute(permuted, ends, random)
    if (statistic(values, permuted, spread).most >= observed.most - 1e-9) extreme += 1
    drawn += 1
  }
  // After an early stop the share itself is the estimate; otherwise the data count as one of the permutations.
  const p = extreme === ENOUGH ? extreme / drawn : (extreme + 1) / (drawn + 1)
  return { p, compared: values.length, strongest: standout(observations, { values, places, labels }, observed, others) }
}

interface Centred {
  /** Values minus the mean of their stratum, stratum by stratum. */
  readonly values: readonly number[]
  /** The index of each in the list of observations. */
  readonly places: readonly number[]
  /** The other agent that each concerns, as an index into `others`. */
  readonly labels: readonly number[]
  readonly others: readonly string[]
  /** The end index of each stratum. */
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

/** The standard deviation of each agent's sum when the labels are permuted within each stratum. */
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

function permute(labels: number[], ends: readonly number[], random: () => number): void {
  let from = 0
  for (const end of ends) {
    for (let at = end - 1; at > from; at--) {
      const other = from + (random() % (at - from + 1))
      const swapped = labels[at]!
      labels[at] = labels[other]!
      labels[other] = swapped
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
