/** The cost of leaving the screen, and the labels of the two answers. */
export interface Cost {
  readonly title: string
  readonly text: string
  readonly leave: string
  readonly stay: string
}

let held = $state.raw<Cost | null>(null)

/** The cost of leaving the present screen; null: none. */
export const leaving = {
  get cost(): Cost | null {
    return held
  },
}

/** Asks the user before the screen is left, until the returned function is called: `$effect(() => askFirst(...))`. */
export function askFirst(cost: Cost): () => void {
  // Browsers use their own words when a tab is closed or reloaded.
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  held = cost
  window.addEventListener('beforeunload', ask)
  return () => {
    held = null
    window.removeEventListener('beforeunload', ask)
  }
}
