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

/** The address of the present screen. The browser's own is already the next one until the router has heard of a change. */
let present = location.hash
/** The same before anything was noted in it. */
let arrived = present
let restarts = 0

/**
 * The router shows the screen of an address. Returns the number of screens so far that were left for their own first address, such as by
 * a link in the navigation, after they had noted something in it: they start afresh, as the address says.
 */
export function arriveAt(address: string): number {
  if (address === arrived && address !== present) restarts += 1
  present = address
  arrived = address
  return restarts
}

/** The address of the present screen, with what has been noted in it. */
export function presentAddress(): string {
  return present
}

/**
 * Notes in the address what the present screen shows, so that Back, a reload and a copied link lead to it again. The screen stays,
 * and Back still leads to the one before. A screen that is being left notes nothing: it would change the address of the next one.
 */
export function noteInAddress(parameters: Parameters): void {
  if (location.hash !== present) return
  const to = addressWith(parameters)
  if (to === present) return
  history.replaceState(history.state, '', to)
  present = to
}
