import { span } from '../../words.ts'

/** What is left of somebody's time. */
export interface Countdown {
  /** In ms; null: no clock runs. */
  readonly ms: number | null
  /** In words, to the second; empty: no clock runs. */
  readonly text: string
}

/**
 * Counts down from what the program has told last, which may be told again while it runs. Only while a component is being made.
 */
export function createCountdown(told: () => { readonly number: number; readonly msLeft: number } | null): Countdown {
  let now = $state(performance.now())
  const until = $derived.by(() => {
    const clock = told()
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
