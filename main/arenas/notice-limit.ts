import { createRateLimit } from './rate-limit.ts'

/** Notices that come in floods, such as those of a client that connects in a loop, and are told now and then. */
export interface NoticeLimit {
  /** `about`: what the notice replaces an earlier one of, where that has not been told yet. */
  notice(about: string, text: string): void
  /** What has not been told is told no more. */
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
