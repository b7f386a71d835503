/** The rows of a long list that can be seen, and `spare` on either side. `to` is one behind the last. */
export function visibleRows(
  count: number,
  rowHeight: number,
  scrollTop: number,
  height: number,
  spare = 6,
): { readonly from: number; readonly to: number } {
  const from = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight)) - spare)
  const to = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + spare)
  return { from, to: Math.max(from, to) }
}
