/** How often something may happen, for each of many keys such as addresses. */
export interface RateLimit {
  /** ms until it may happen; 0: it may now. */
  wait(key: string): number
  /** It has happened. */
  count(key: string): void
}

/** So often at once, and once more each `everyMs`. Of the keys that were counted the newest are remembered. */
export function createRateLimit(
  { most, everyMs, keys }: { readonly most: number; readonly everyMs: number; readonly keys: number },
  now = () => performance.now(),
): RateLimit {
  const counts = new Map<string, { readonly count: number; readonly at: number }>()
  const countOf = (key: string): number => {
    const known = counts.get(key)
    return known === undefined ? 0 : Math.max(0, known.count - (now() - known.at) / everyMs)
  }
  return {
    wait: (key) => Math.ceil(Math.max(0, countOf(key) - (most - 1)) * everyMs),
    count(key) {
      const count = countOf(key) + 1
      counts.delete(key)
      counts.set(key, { count, at: now() })
      const [oldest] = counts.keys()
      if (counts.size > keys && oldest !== undefined) counts.delete(oldest)
    },
  }
}
