/** What leaving the screen costs, and what the two answers are called. */
export interface Cost {
  readonly title: string
  readonly text: string
  readonly leave: string
  readonly stay: string
}

let held = $state.raw<Cost | null>(null)

/** What leaving the present screen would cost; null: nothing. */
export const leaving = {
  get cost(): Cost | null {
    return held
  },
}

/** Has the person asked before the screen is left, until the returned function is called: `$effect(() => askFirst(...))`. */
export function askFirst(cost: Cost): () => void {
  // Browsers ask in words of their own when a tab is closed or loaded again.
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  held = cost
  window.addEventListener('beforeunload', ask)
  return () => {
    held = null
    window.removeEventListener('beforeunload', ask)
  }
}
