/** Parameters of a screen's address by name; null or '' removes one. */
export type Parameters = Readonly<Record<string, string | number | null>>

/** The address of the present screen with changed parameters; the others stay. */
export function addressWith(parameters: Parameters): string {
  const [path = '', query = ''] = location.hash.split('?', 2)
  const all = new URLSearchParams(query)
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === '') all.delete(name)
    else all.set(name, String(value))
  }
  return all.size === 0 ? path : `${path}?${all.toString()}`
}

/**
 * Notes in the address what the present screen shows, so that Back, a reload and a copied link lead to it again. The screen stays,
 * and Back still leads to the one before.
 */
export function noteInAddress(parameters: Parameters): void {
  const to = addressWith(parameters)
  if (to !== location.hash) history.replaceState(history.state, '', to)
}
