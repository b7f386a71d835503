import { render, screen, within } from '@testing-library/svelte'
import { describe, expect, test } from 'vitest'
import { sorted, type Column } from '../../../renderer/parts/lists/table.ts'
import Table from '../../../renderer/parts/lists/table.svelte'

interface Row {
  readonly name: string
  readonly points: number
}
const columns: readonly Column<Row>[] = [
  { key: 'name', label: 'Agent', text: (row) => row.name, sortBy: (row) => row.name },
  { key: 'points', label: 'Points', numeric: true, text: (row) => String(row.points), sortBy: (row) => row.points },
]
const rows: readonly Row[] = [
  { name: 'agent 10', points: 2 },
  { name: 'agent 9', points: 10 },
  { name: '<b>x</b>', points: 2 },
]

function shown(): (string | undefined)[] {
  return screen.getAllByRole('rowheader').map((cell) => cell.textContent)
}

async function press(name: string): Promise<void> {
  screen.getByRole('button', { name }).click()
  await Promise.resolve()
}

describe('sorted', () => {
  test('text as people order it, numbers by size, equal rows as they came', () => {
    expect(sorted(rows, columns, { key: 'name', down: false }).map(({ name }) => name)).toEqual([
      '<b>x</b>',
      'agent 9',
      'agent 10',
    ])
    expect(sorted(rows, columns, { key: 'points', down: true }).map(({ name }) => name)).toEqual([
      'agent 9',
      'agent 10',
      '<b>x</b>',
    ])
  })
  test('an unknown column changes nothing', () => {
    expect(sorted(rows, columns, { key: 'x', down: true })).toBe(rows)
  })
})

describe('table', () => {
  test('shows text as text, and rows lead where they should', () => {
    render(Table<Row>, {
      caption: 'Standings',
      columns,
      rows,
      key: (row: Row) => row.name,
      href: (row: Row) => `#/${row.points}`,
    })
    expect(screen.getByRole('table', { name: 'Standings' })).toBeTruthy()
    expect(shown()).toEqual(['agent 10', 'agent 9', '<b>x</b>'])
    expect(within(screen.getByRole('table')).getByText('<b>x</b>').closest('a')?.getAttribute('href')).toBe('#/2')
  })

  test('sorts by a press, turns round by another, goes back by a third', async () => {
    render(Table<Row>, { caption: 'Standings', columns, rows, key: (row: Row) => row.name })
    await press('Points')
    expect(shown()).toEqual(['agent 9', 'agent 10', '<b>x</b>'])
    expect(screen.getByRole('columnheader', { name: 'Points' }).getAttribute('aria-sort')).toBe('descending')
    await press('Points')
    expect(shown()).toEqual(['agent 10', '<b>x</b>', 'agent 9'])
    await press('Points')
    expect(shown()).toEqual(['agent 10', 'agent 9', '<b>x</b>'])
    expect(screen.getByRole('columnheader', { name: 'Points' }).getAttribute('aria-sort')).toBe('none')
  })

  test('draws the first rows of the whole order, and more on demand', async () => {
    const many = Array.from({ length: 25 }, (_, n) => ({ name: `agent ${n + 1}`, points: n }))
    render(Table<Row>, { caption: 'Standings', columns, rows: many, key: (row: Row) => row.name, first: 10 })
    await press('Points')
    expect(shown().slice(0, 2)).toEqual(['agent 25', 'agent 24'])
    expect(shown()).toHaveLength(10)
    await press('Show 10 more')
    await press('Show 5 more')
    expect(shown()).toHaveLength(25)
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull()
  })
})
