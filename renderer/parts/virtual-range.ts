/** Browsers stop measuring near 33 million px; below this a list is as high as all its rows. */
const highest = 8_000_000

export interface Look {
  readonly count: number
  readonly rowHeight: number
  /** All in px. */
  readonly viewHeight: number
  readonly scrollTop: number
}

export interface Range {
  /** Rows to draw: `to` excluded. */
  readonly from: number
  readonly to: number
  /** Height of all rows for the scroll bar, and where row `from` starts in it. */
  readonly height: number
  readonly top: number
}

/** Which rows of a long list a scroll position shows, with a few more on each side. */
export function visibleRows({ count, rowHeight, viewHeight, scrollTop }: Look, spare = 6): Range {
  const all = count * rowHeight
  const height = Math.min(all, highest)
  const position = Math.max(0, Math.min(scrollTop, height - viewHeight))
  // Of a list that is squeezed, a scroll position shows the same part as of the whole one.
  const place = all === height ? position : position * ((all - viewHeight) / (height - viewHeight))
  const from = Math.max(0, Math.floor(place / rowHeight) - spare)
  const to = Math.min(count, Math.ceil((place + viewHeight) / rowHeight) + spare)
  return { from, to, height, top: position - (place - from * rowHeight) }
}

/** The scroll position that shows a row whole, moving as little as can be. */
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
