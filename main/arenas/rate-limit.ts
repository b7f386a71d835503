/** How often something may happen, for each of many keys such as addresses. */
export interface RateLimit {
  /** ms until it may happen; 0: it may now. */
  wait(key: string): number
  /** It has happened. */
  count(key: string): void
}

/** So often at once, and once more each `everyMs`. The keys that were counted last are remembered. */
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

/** Notices that come in floods, such as those of a client that connects in a loop, and are told now and then. */
export interface NoticeLimit {
  /** `about`: what the notice replaces an earlier one of, where that has not been told yet. */
  notice(about: string, text: string): void
  /** Drops the notices that have not been passed on. */
  close(): void
}

/** Tells `most` notices about one thing at once, then the newest each `everyMs`, with how many came between. */
export function createNoticeLimit(
  tell: (text: string) => void,
  { most = 6, everyMs = 10_000, keys = 10_000 } = {},
): NoticeLimit {
  const rate = createRateLimit({ most, everyMs, keys })
  const held = new Map<string, { text: string; earlier: number; readonly timer: NodeJS.Timeout }>()

  const release = (about: string): void => {
    const waiting = held.get(about)
    held.delete(about)
    if (waiting === undefined) return
    const { text, earlier } = waiting
    rate.count(about)
    tell(earlier === 0 ? text : `${text} (${earlier} earlier ${earlier === 1 ? 'notice is' : 'notices are'} left out.)`)
  }
  return {
    notice(about, text) {
      const waiting = held.get(about)
      if (waiting !== undefined) {
        waiting.text = text
        waiting.earlier += 1
        return
      }
      const ms = rate.wait(about)
      if (ms === 0) {
        rate.count(about)
        tell(text)
        return
      }
      held.set(about, { text, earlier: 0, timer: setTimeout(release, ms, about).unref() })
    },
    close() {
      for (const { timer } of held.values()) clearTimeout(timer)
      held.clear()
    },
  }
}
