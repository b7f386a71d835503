/** The presence of people at the window. */
export interface Presence {
  /** Registers a presence until the returned function is called; further calls of that have no effect. */
  come(): () => void
  /** Stops watching. */
  end(): void
}

/** `gone` is called when nobody has been present for `awayMs` without interruption, counted from the start. */
export function createPresence(awayMs: number, gone: () => void): Presence {
  let here = 0
  let ended = false
  let away = setTimeout(gone, awayMs)
  return {
    come() {
      let stays = true
      here += 1
      clearTimeout(away)
      return () => {
        if (!stays) return
        stays = false
        here -= 1
        if (here === 0 && !ended) away = setTimeout(gone, awayMs)
      }
    },
    end() {
      ended = true
      clearTimeout(away)
    },
  }
}
