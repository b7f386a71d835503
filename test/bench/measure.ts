/** Measures once: a rate, or a time, as the caller likes. */
export type Measurement<T> = () => T | Promise<T>

/** V8 optimises what it has seen run for a while: how fast code is that has only just begun is another question. */
const WARM_UP_MS = 2_000

/**
 * Takes two measurements in turn, A B B A A B B A ..., so that a machine that grows slower or faster meanwhile does the same
 * to both. Before that, as many of each as fill two seconds are made and thrown away, and at least one.
 */
export async function alternately<T>(
  rounds: number,
  first: Measurement<T>,
  second: Measurement<T>,
): Promise<{ readonly first: readonly T[]; readonly second: readonly T[] }> {
  const taken: { readonly first: T[]; readonly second: T[] } = { first: [], second: [] }
  const take = async (which: 'first' | 'second'): Promise<T> => {
    // Garbage of the previous measurement must not be collected at the expense of this one.
    globalThis.gc?.()
    return which === 'first' ? first() : second()
  }
  for (const which of ['first', 'second'] as const) {
    const start = performance.now()
    do await take(which)
    while (performance.now() - start < WARM_UP_MS)
  }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['first', 'second'] as const) : (['second', 'first'] as const)
    for (const which of order) taken[which].push(await take(which))
  }
  return taken
}

/** The medians of two rates measured in turn. */
export async function mediansOf(
  rounds: number,
  first: Measurement<number>,
  second: Measurement<number>,
): Promise<{ readonly first: number; readonly second: number }> {
  const taken = await alternately(rounds, first, second)
  return { first: median(taken.first), second: median(taken.second) }
}

/** How many a second: `count` of them were done by `work`. */
export async function rate(count: number, work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return (count * 1_000) / (performance.now() - start)
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (value === undefined) throw new Error('nothing was measured')
  return value
}

/** How fast `work` deals with the text; it says whether that came out right. */
export function megabytesPerSecond(text: string, work: () => boolean): Promise<number> {
  return rate(Buffer.byteLength(text) / 1e6, () => mustBe(work()))
}

export function megabytes(text: string): string {
  return (Buffer.byteLength(text) / 1e6).toFixed(1)
}

export function mustBe(right: boolean): void {
  if (!right) throw new Error('it came out otherwise')
}
