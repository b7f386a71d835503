import { span } from '../../words.ts'

/** The time left on a clock. */
export interface Countdown {
  /** In ms; null if no clock is running. */
  readonly ms: number | null
  /** As text, in seconds; empty if no clock is running. */
  readonly text: string
}

/**
 * Counts down from the program's latest value, which may be updated meanwhile. Call only during component initialization.
 */
export function createCountdown(clockOf: () => { readonly number: number; readonly msLeft: number } | null): Countdown {
  let now = $state(performance.now())
  const until = $derived.by(() => {
    const clock = clockOf()
    return clock === null ? null : performance.now() + clock.msLeft
  })
  const ms = $derived(until === null ? null : Math.max(0, until - now))
  $effect(() => {
    if (until === null) return
    now = performance.now()
    const timer = setInterval(() => (now = performance.now()), 500)
    return () => clearInterval(timer)
  })
  return {
    get ms() {
      return ms
    },
    get text() {
      return ms === null ? '' : span(Math.max(1_000, Math.ceil(ms / 1_000) * 1_000))
    },
  }
}
