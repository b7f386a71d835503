import type { Position } from '../problem.ts'

/** Converts offsets in a text to lines and columns. */
export function placesIn(source: string): (offset: number) => Position {
  const starts = [0]
  for (const end of source.matchAll(/\r\n|\n|\r/g)) starts.push(end.index + end[0].length)
  return (offset) => {
    let low = 0
    for (let high = starts.length; high - low > 1;) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? Infinity) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1, offset }
  }
}
