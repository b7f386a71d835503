/** Browsers limit heights to about 33 million px; up to this value a list is as high as all its rows. */
const highest = 8_000_000

export interface Look {
  readonly count: number
  readonly rowHeight: number
  /** All in px. */
  readonly viewHeight: number
  readonly scrollTop: number
}

export interface Range {
  /** Rows to draw; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** Scroll height, and the offset of row `from` in it. */
  readonly height: number
  readonly top: number
}

/** The rows of a long list visible at a scroll position, plus a few on each side. */
export function visibleRows({ count, rowHeight, viewHeight, scrollTop }: Look, spare = 6): Range {
  const all = count * rowHeight
  const height = Math.min(all, highest)
  const position = Math.max(0, Math.min(scrollTop, height - viewHeight))
  // In a list with limited height, scroll positions are mapped proportionally.
  const place = all === height ? position : position * ((all - viewHeight) / (height - viewHeight))
  const from = Math.max(0, Math.floor(place / rowHeight) - spare)
  const to = Math.min(count, Math.ceil((place + viewHeight) / rowHeight) + spare)
  return { from, to, height, top: position - (place - from * rowHeight) }
}

/** The nearest scroll position at which a row is fully visible. */
export function scrollToShow(row: number, look: Look): number {
  const { count, rowHeight, viewHeight, scrollTop } = look
  const all = count * rowHeight
  const height = Math.min(all, highest)
  const stretch = all === height || height <= viewHeight ? 1 : (all - viewHeight) / (height - viewHeight)
  const place = scrollTop * stretch
  if (row * rowHeight < place) return (row * rowHeight) / stretch
  if ((row + 1) * rowHeight > place + viewHeight) return ((row + 1) * rowHeight - viewHeight) / stretch
  return scrollTop
}
