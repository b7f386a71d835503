/** Calls `changed` whenever the theme of the page changes, so that canvases are redrawn. Returns the function to stop. */
export function listenForColours(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(changed)
  dark.addEventListener('change', changed)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    dark.removeEventListener('change', changed)
    chosen.disconnect()
  }
}
