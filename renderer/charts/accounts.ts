import { scaleLinear } from 'd3-scale'
import { curveStepAfter, line } from 'd3-shape'

export interface ChartSize {
  readonly width: number
  readonly height: number
}

/** Accounts after each position of a match: `values[position][seat]`. */
export interface Series {
  readonly length: number
  at(position: number, seat: number): number
}

/** The accounts of all seats over a match, taken from its outline; they grow with it. */
export function seriesOf(outline: { readonly length: number; level(position: number, seat: number): number }): Series {
  return {
    get length() {
      return outline.length + 1
    },
    at: outline.level,
  }
}

export interface AccountLines {
  /** An SVG path for each seat. */
  readonly paths: readonly string[]
  /** The current end of each line. */
  readonly ends: readonly { readonly x: number; readonly y: number }[]
  /** Whole numbers of the series, as its values are. */
  readonly ticks: readonly { readonly value: number; readonly y: number }[]
  x(position: number): number
  y(value: number): number
  /** The position nearest to an x coordinate. */
  positionAt(x: number): number
}

/**
 * Accounts over a match as stepped lines. `positions`: the length of the whole match, including parts not folded yet, so that
 * nothing moves sideways while it is read. `least` and `most`: the smallest and the largest account seen.
 */
export function accountLines(
  series: Series,
  seats: number,
  positions: number,
  { least, most }: { readonly least: number; readonly most: number },
  { width, height }: ChartSize,
  ticks = 4,
): AccountLines {
  const x = scaleLinear()
    .domain([0, Math.max(1, positions)])
    .range([0, width])
  const y = scaleLinear()
    .domain([Math.min(0, least), Math.max(1, most)])
    .nice(ticks)
    .range([height, 0])
  const draw = line<readonly [number, number]>(
    (point) => x(point[0]),
    (point) => y(point[1]),
  )
    .curve(curveStepAfter)
    .digits(1)
  const seen = Array.from({ length: seats }, (_, seat) => thinned(series, seat, Math.max(1, Math.floor(width))))
  const last = Math.max(0, series.length - 1)
  return {
    paths: seen.map((points) => draw(points) ?? ''),
    ends: seen.map((points) => ({ x: x(last), y: y(points.at(-1)?.[1] ?? 0) })),
    ticks: y
      .ticks(ticks)
      .filter(Number.isInteger)
      .map((value) => ({ value, y: y(value) })),
    x: (position) => x(position),
    y: (value) => y(value),
    positionAt: (at) => Math.min(positions, Math.max(0, Math.round(x.invert(at)))),
  }
}

/**
 * The points of one line, at most four for each of `columns`: first, lowest, highest and last of the positions in the column,
 * so that no peak is lost and a million positions draw as fast as a thousand.
 */
export function thinned(series: Series, seat: number, columns: number): readonly (readonly [number, number])[] {
  const { length } = series
  const point = (position: number) => [position, series.at(position, seat)] as const
  if (length <= columns * 4) return Array.from({ length }, (_, position) => point(position))
  const points: (readonly [number, number])[] = []
  for (let column = 0; column < columns; column++) {
    const from = Math.floor((column * length) / columns)
    const to = Math.floor(((column + 1) * length) / columns)
    let low = from
    let high = from
    for (let position = from; position < to; position++) {
      if (series.at(position, seat) < series.at(low, seat)) low = position
      if (series.at(position, seat) > series.at(high, seat)) high = position
    }
    const kept = [...new Set([from, low, high, to - 1])].sort((a, b) => a - b)
    points.push(...kept.map(point))
  }
  return points
}

/** Moves marks that would overlap upwards, in their order: no two centres are nearer than `gap` both ways. */
export function apart(
  marks: readonly { readonly x: number; readonly y: number }[],
  gap: number,
): readonly { readonly x: number; readonly y: number }[] {
  const placed: { readonly x: number; readonly y: number }[] = []
  for (const { x, y: wanted } of marks) {
    const near = placed.filter((other) => Math.abs(other.x - x) < gap).sort((a, b) => b.y - a.y)
    let y = wanted
    for (const other of near) if (Math.abs(other.y - y) < gap) y = other.y - gap
    placed.push({ x, y })
  }
  return placed
}
