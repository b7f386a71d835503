import type { QuestionChart } from '../../../main/contract/game/event-tables.ts'
import type { MinedCell } from '../../../main/contract/procedures/procedures.ts'

/** Rows to draw. */
export interface ChartRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly MinedCell[])[]
}

/** The chosen chart; its members name columns. */
export type Chart = QuestionChart

export const chartKinds = ['none', 'bar', 'line', 'scatter', 'heat'] as const

/** The choices of a person; what they have not chosen is absent. */
export interface ChosenChart {
  readonly kind?: (typeof chartKinds)[number]
  readonly x?: string
  readonly y?: string
  /** The column of the series, or of the values of a heat map; '': none. */
  readonly by?: string
}

/** The choices in an address; '': none. */
export function chartText(chosen: ChosenChart): string {
  return new URLSearchParams({ ...chosen }).toString()
}

/** The choices of an address, without unknown parts. */
export function chartOf(text: string): ChosenChart {
  const given = Object.fromEntries(new URLSearchParams(text))
  const kind = chartKinds.find((each) => each === given['kind'])
  const columns = Object.entries(given).filter(([name]) => name === 'x' || name === 'y' || name === 'by')
  return { ...(kind === undefined ? {} : { kind }), ...Object.fromEntries(columns) }
}

/** A number to draw, at a place and in a series. `rows`: the number of rows that it stands for. */
export interface Mark {
  readonly x: string | number
  readonly y: number
  /** The index of its series. */
  readonly series: number
  readonly rows: number
}

/** A chart's numbers. */
export interface Drawing {
  readonly kind: 'bar' | 'line' | 'scatter'
  /** The places on the axis in their order; null: they are numbers. */
  readonly places: readonly string[] | null
  /** Names of the series; a single one is ''. */
  readonly series: readonly string[]
  readonly marks: readonly Mark[]
  /** The extent of y, with 0 in bars and lines; and of x, if its places are numbers. */
  readonly y: readonly [least: number, most: number]
  readonly x: readonly [least: number, most: number]
  readonly left: LeftOut
}

/** A heat map's numbers. */
export interface Heat {
  readonly kind: 'heat'
  /** The columns and rows of cells. */
  readonly across: readonly string[]
  readonly down: readonly string[]
  /** By row and column; null: there is none. */
  readonly cells: readonly (readonly (number | null)[])[]
  readonly extent: readonly [least: number, most: number]
  readonly left: LeftOut
}

/** The parts of the rows that are not drawn. */
export interface LeftOut {
  /** The rows without a number where one is needed. */
  readonly rows: number
  /** The places and series beyond those that fit. */
  readonly places: number
  readonly series: number
  /** True: several rows are one mark, which is their mean. */
  readonly isMean: boolean
}

/** The columns that lead to an event. */
export const placeColumns: ReadonlySet<string> = new Set(['match', 'line', 'move', 'part'])

/** The most places of bars, points of a scatter, series, and rows and columns of a heat map. */
const most = { bars: 40, points: 2_000, series: 7, heat: 30 }

/** A chart that may say something about rows: the first text and the first number after it. null: no column has numbers. */
export function guessedChart({ columns, rows }: ChartRows): Chart | null {
  const isNumber = columns.map(
    (_, at) => rows.some((row) => typeof row[at] === 'number') && !rows.some((row) => typeof row[at] === 'string'),
  )
  const numbers = columns.filter((name, at) => isNumber[at] === true && !placeColumns.has(name))
  const text = columns.find((_, at) => rows.some((row) => typeof row[at] === 'string'))
  const [first, second] = numbers
  if (first === undefined) return null
  if (text !== undefined) return { kind: 'bar', x: text, y: first }
  return second === undefined ? null : { kind: 'scatter', x: first, y: second }
}

/** null: a column that the chart needs is missing, or nothing can be drawn. */
export function drawn(chart: Chart, table: ChartRows): Drawing | Heat | null {
  return chart.kind === 'heat' ? heatOf(chart, table) : drawingOf(chart, table)
}

const textOf = (cell: MinedCell | undefined): string => (cell === null || cell === undefined ? '–' : String(cell))

type Sum = { total: number; rows: number }

function drawingOf(chart: Exclude<Chart, { kind: 'heat' }>, { columns, rows }: ChartRows): Drawing | null {
  const [x, y] = [columns.indexOf(chart.x), columns.indexOf(chart.y)]
  const by = chart.series === undefined ? -1 : columns.indexOf(chart.series)
  if (x === -1 || y === -1 || (chart.series !== undefined && by === -1)) return null
  const usable = rows.filter(
    (row) => typeof row[y] === 'number' && (chart.kind !== 'scatter' || typeof row[x] === 'number'),
  )
  if (usable.length === 0) return null
  const isNumeric =
    chart.kind === 'scatter' || (chart.kind === 'line' && usable.every((row) => typeof row[x] === 'number'))
  const allSeries = [...new Set(usable.map((row) => (by === -1 ? '' : textOf(row[by]))))]
  const series = allSeries.slice(0, most.series)
  const allPlaces = isNumeric ? null : [...new Set(usable.map((row) => textOf(row[x])))]
  const places = allPlaces?.slice(0, most.bars) ?? null
  const marks = new Map<string, Mark & Sum>()
  for (const [at, row] of usable.entries()) {
    const own = series.indexOf(by === -1 ? '' : textOf(row[by]))
    const place = isNumeric ? (row[x] as number) : textOf(row[x])
    if (own === -1 || (places !== null && !places.includes(String(place)))) continue
    // Points of a scatter stay what they are.
    const key = JSON.stringify(chart.kind === 'scatter' ? at : [place, own])
    const sum = marks.get(key) ?? { x: place, y: 0, series: own, total: 0, rows: 0 }
    const [total, count] = [sum.total + (row[y] as number), sum.rows + 1]
    marks.set(key, { ...sum, total, rows: count, y: total / count })
  }
  const shown = [...marks.values()]
    .slice(0, most.points)
    .map(({ x: at, y: value, series: own, rows: of }) => ({ x: at, y: value, series: own, rows: of }))
  if (isNumeric && chart.kind === 'line') shown.sort((a, b) => Number(a.x) - Number(b.x))
  return {
    ...{ kind: chart.kind, places, series, marks: shown },
    y: extentOf(
      shown.map((mark) => mark.y),
      chart.kind !== 'scatter',
    ),
    x: isNumeric
      ? extentOf(
          shown.map((mark) => Number(mark.x)),
          false,
        )
      : [0, 1],
    left: {
      rows: rows.length - usable.length + Math.max(0, marks.size - most.points),
      places: (allPlaces?.length ?? 0) - (places?.length ?? 0),
      series: allSeries.length - series.length,
      isMean: shown.some((mark) => mark.rows > 1),
    },
  }
}

function heatOf(chart: Extract<Chart, { kind: 'heat' }>, { columns, rows }: ChartRows): Heat | null {
  const [x, y, value] = [chart.x, chart.y, chart.value].map((name) => columns.indexOf(name)) as [number, number, number]
  if (x === -1 || y === -1 || value === -1) return null
  const usable = rows.filter((row) => typeof row[value] === 'number')
  if (usable.length === 0) return null
  const [allAcross, allDown] = [x, y].map((at) => namesOf(usable.map((row) => row[at]))) as [string[], string[]]
  const [across, down] = [allAcross.slice(0, most.heat), allDown.slice(0, most.heat)]
  const sums = new Map<string, Sum>()
  const keyOf = (column: string, row: string): string => JSON.stringify([column, row])
  for (const row of usable) {
    const key = keyOf(textOf(row[x]), textOf(row[y]))
    const sum = sums.get(key) ?? { total: 0, rows: 0 }
    sums.set(key, { total: sum.total + (row[value] as number), rows: sum.rows + 1 })
  }
  const cells = down.map((row) =>
    across.map((column) => {
      const sum = sums.get(keyOf(column, row))
      return sum === undefined ? null : sum.total / sum.rows
    }),
  )
  return {
    ...{ kind: 'heat', across, down, cells },
    extent: extentOf(
      cells.flat().filter((each) => each !== null),
      false,
    ),
    left: {
      rows: rows.length - usable.length,
      places: allAcross.length - across.length + allDown.length - down.length,
      series: 0,
      isMean: [...sums.values()].some((sum) => sum.rows > 1),
    },
  }
}

/** The rows or columns of a heat map: numbers by their value, others as they come. */
function namesOf(cells: readonly (MinedCell | undefined)[]): string[] {
  const names = [...new Set(cells)]
  const isNumeric = names.every((each) => typeof each === 'number')
  return (isNumeric ? names.toSorted((a, b) => a - b) : names).map(textOf)
}

/** The marks of an axis: whole numbers alone where all values are whole. */
export function wholeMarks(ticks: readonly number[], values: readonly (number | string)[]): readonly number[] {
  const whole = values.every((each) => Number.isInteger(each)) ? ticks.filter((each) => Number.isInteger(each)) : ticks
  return whole.length === 0 ? ticks : whole
}

/** Never empty: a single number gets room around it. */
function extentOf(values: readonly number[], withZero: boolean): readonly [number, number] {
  let [least, greatest] = withZero ? [0, 0] : [Infinity, -Infinity]
  for (const value of values) {
    least = Math.min(least, value)
    greatest = Math.max(greatest, value)
  }
  if (least === greatest) return withZero || least === 0 ? [least, least + 1] : [least - 1, least + 1]
  return [least, greatest]
}

/** The place of the event that a row is about; null: it names no match. */
export function placeOf(
  columns: readonly string[],
  row: readonly MinedCell[],
): { readonly match: number; readonly move: number | null; readonly part: number | null } | null {
  const valueIn = (column: string): number | null => {
    const cell = row[columns.indexOf(column)]
    return typeof cell === 'number' && Number.isSafeInteger(cell) && cell >= 0 ? cell : null
  }
  const match = valueIn('match')
  return match === null ? null : { match, move: valueIn('move'), part: valueIn('part') }
}
