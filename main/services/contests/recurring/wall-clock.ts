/** The time of day, for what begins by the clock; tests bring their own. */
export interface WallClock {
  /** ms since the epoch. */
  now(): number
  /** The time zone of the machine: a name of the IANA database. */
  zone(): string
  /**
   * Calls back once, at this time or soon after, and perhaps before: who is called looks at the clock again. Returns a
   * function that cancels it.
   */
  wake(at: number, call: () => void): () => void
}
