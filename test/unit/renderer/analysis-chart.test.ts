import { expect, test } from 'vitest'
import {
  chartOf,
  chartText,
  drawn,
  guessedChart,
  placeOf,
  wholeMarks,
} from '../../../renderer/screens/analysis/chart.ts'

const columns = ['match', 'move', 'agent', 'kind', 'faults', 'ms']
const rows = [
  [0, 3, 'anna', 'crash', 2, 10],
  [1, 5, 'ben', 'timeout', 4, 20],
  [2, null, 'anna', 'crash', 6, 30],
  [3, 1, 'anna', 'timeout', null, 40],
] as const
const table = { columns, rows }

test('the chart of an unknown answer has its first text and its first number that is not a place', () => {
  expect(guessedChart(table)).toEqual({ kind: 'bar', x: 'agent', y: 'faults' })
  expect(guessedChart({ columns: ['match', 'a', 'b'], rows: [[1, 2, 3]] })).toEqual({ kind: 'scatter', x: 'a', y: 'b' })
  expect(guessedChart({ columns: ['match', 'text'], rows: [[1, 'x']] })).toBeNull()
})

test('rows of the same place and series are one mark, their mean, and this is told', () => {
  const bars = drawn({ kind: 'bar', x: 'agent', y: 'faults' }, table)
  expect(bars).toMatchObject({
    ...{ kind: 'bar', places: ['anna', 'ben'], series: [''], y: [0, 4] },
    marks: [
      { x: 'anna', y: 4, rows: 2 },
      { x: 'ben', y: 4, rows: 1 },
    ],
    left: { rows: 1, places: 0, series: 0, isMean: true },
  })
  const series = drawn({ kind: 'bar', x: 'agent', y: 'ms', series: 'kind' }, table)
  expect(series).toMatchObject({ series: ['crash', 'timeout'], left: { rows: 0 } })
  if (series?.kind !== 'bar') throw new Error('no bars')
  expect(series.marks).toContainEqual({ x: 'anna', y: 40, series: 1, rows: 1 })
})

test('points stay what they are, and lines are ordered by numbers', () => {
  const same = {
    columns: ['a', 'b'],
    rows: [
      [3, 1],
      [1, 5],
      [1, 7],
      ['x', 2],
    ],
  } as const
  const points = drawn({ kind: 'scatter', x: 'a', y: 'b' }, same)
  expect(points).toMatchObject({ x: [1, 3], y: [1, 7], left: { rows: 1, isMean: false } })
  const lines = drawn({ kind: 'line', x: 'a', y: 'b' }, { ...same, rows: same.rows.slice(0, 3) })
  expect(lines).toMatchObject({
    places: null,
    marks: [
      { x: 1, y: 6 },
      { x: 3, y: 1 },
    ],
  })
})

test('a heat map has numbers in their order, and an axis of whole numbers has no mark between them', () => {
  const herders = {
    columns: ['herder', 'agent', 'idle'],
    rows: [
      [10, 'ben', 0.5],
      [2, 'anna', 0.25],
    ],
  } as const
  expect(drawn({ kind: 'heat', x: 'herder', y: 'agent', value: 'idle' }, herders)).toMatchObject({
    ...{ across: ['2', '10'], down: ['ben', 'anna'] },
    cells: [
      [null, 0.5],
      [0.25, null],
    ],
  })
  expect(wholeMarks([1, 1.5, 2], [1, 2])).toEqual([1, 2])
  expect(wholeMarks([1, 1.5, 2], [1, 1.75])).toEqual([1, 1.5, 2])
  expect(wholeMarks([0.2, 0.4], [1, 2])).toEqual([0.2, 0.4])
  expect(wholeMarks([1, 1.5], ['anna'])).toEqual([1, 1.5])
})

test('a heat map has a cell for each pair, and none where no row is', () => {
  expect(drawn({ kind: 'heat', x: 'agent', y: 'kind', value: 'ms' }, table)).toMatchObject({
    ...{ across: ['anna', 'ben'], down: ['crash', 'timeout'], extent: [20, 40] },
    cells: [
      [20, null],
      [40, 20],
    ],
  })
})

test('no chart breaks on what cannot be drawn', () => {
  expect(drawn({ kind: 'bar', x: 'none', y: 'ms' }, table)).toBeNull()
  expect(drawn({ kind: 'bar', x: 'agent', y: 'kind' }, table)).toBeNull()
  expect(drawn({ kind: 'heat', x: 'agent', y: 'kind', value: '' }, table)).toBeNull()
  const flat = drawn({ kind: 'scatter', x: 'a', y: 'b' }, { columns: ['a', 'b'], rows: [[2, 2]] })
  expect(flat).toMatchObject({ x: [1, 3], y: [1, 3] })
  const many = drawn(
    { kind: 'bar', x: 'a', y: 'b', series: 'c' },
    { columns: ['a', 'b', 'c'], rows: Array.from({ length: 100 }, (_, at) => [`place ${at}`, at, `series ${at % 9}`]) },
  )
  expect(many).toMatchObject({ left: { places: 60, series: 2 } })
})

test('a row leads to its event, or to its match', () => {
  expect(placeOf(columns, rows[0])).toEqual({ match: 0, move: 3, part: null })
  expect(placeOf(columns, rows[2])).toEqual({ match: 2, move: null, part: null })
  expect(placeOf(['match', 'move', 'part'], [4, 9, 2])).toEqual({ match: 4, move: 9, part: 2 })
  expect(placeOf(['match'], ['javascript:x'])).toBeNull()
  expect(placeOf(['match'], [-1])).toBeNull()
  expect(placeOf(['a'], [1])).toBeNull()
})

test('a chosen chart survives in an address, and unknown parts are left out', () => {
  const chosen = { kind: 'heat', x: 'a&b', y: 'own share', by: '' } as const
  expect(chartOf(chartText(chosen))).toEqual(chosen)
  expect(chartOf('')).toEqual({})
  expect(chartText({})).toBe('')
  expect(chartOf('kind=pie&z=1&__proto__=1&x=a')).toEqual({ x: 'a' })
})
