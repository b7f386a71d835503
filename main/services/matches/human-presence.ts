/** Whether somebody is at the window. */
export interface Presence {
  /** Somebody is here, until the function that comes back is called; a second call of that changes nothing. */
  come(): () => void
  /** Nobody is waited for any more. */
  end(): void
}

/** `gone` is called when nobody has been here for `awayMs` without a break, counted from the beginning. */
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
