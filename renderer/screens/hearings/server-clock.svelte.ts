/** The server's time in ms since the epoch, each second anew. */
interface ServerClock {
  readonly now: number
}

/** `told`: the time of the server's last answer, ISO 8601. The clock of this computer may be wrong. Call only during component initialization. */
export function serverClock(told: () => string): ServerClock {
  /** Difference between the server's clock and the monotonic clock of this window, in ms. */
  const ahead = $derived(Date.parse(told()) - performance.now())
  let ticks = $state(performance.now())
  $effect(() => {
    const timer = setInterval(() => (ticks = performance.now()), 1_000)
    return () => clearInterval(timer)
  })
  return {
    get now() {
      return ticks + ahead
    },
  }
}
