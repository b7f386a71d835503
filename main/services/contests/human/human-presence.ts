/** The presence of the player at the window, which may be open in several places. */
export interface PlayerPresence {
  /** Registers a presence until the returned function is called; further calls of that have no effect. */
  come(): () => void
  /** Stops watching. */
  end(): void
}

/** `gone` is called when nobody has been present for `awayMs` without interruption, counted from the start. */
export function createPlayerPresence(awayMs: number, gone: () => void): PlayerPresence {
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
