import { cleanup, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PartsTable as Parts } from '../../../main/contract/game/match-parts.ts'
import { call, CallFailure } from '../../../renderer/connection/client.ts'
import PartsTable from '../../../renderer/screens/contests/standings/parts-table.svelte'
import { contest } from './contest-detail.ts'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))
beforeEach(() => standInForLayout())
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const row = {
  agent: 'anna',
  part: '<b>relations 22</b>',
  role: 'buyer',
  deals: 1_200,
  profit: -250_000_000,
  quality: 0.5,
}
const parts: Parts = {
  title: 'By predicate',
  partWord: 'predicate',
  measure: 'energy',
  columns: [
    { id: 'deals', kind: 'count' },
    { id: 'profit', kind: 'amount', unit: 1_000_000_000 },
    { id: 'quality', kind: 'mean', per: 'deals', unit: 1 },
  ],
  amount: 'deals',
  best: 'profit',
  rows: [row, { ...row, part: null, role: 'seller', quality: null }],
  matches: 3,
  complete: true,
}

test('asks until the table is complete; amounts are in the measure, names are text, what has no name is said', async () => {
  vi.mocked(call).mockResolvedValueOnce({ ...parts, rows: [], matches: 1, complete: false })
  vi.mocked(call).mockResolvedValueOnce(parts)
  render(PartsTable, { detail: contest })
  const table = within(await screen.findByRole('table', { name: 'By predicate' }))
  expect(vi.mocked(call).mock.calls).toEqual(Array(2).fill(['contests.parts', { contest: 'c-1' }]))
  expect(screen.getByText('3 matches; amounts in energy.')).toBeTruthy()
  const cells = table
    .getAllByRole('row')
    .map((each) => [...each.querySelectorAll('th, td')].map((cell) => cell.textContent.trim()))
  expect(cells).toEqual([
    ['agent', 'predicate', 'as', 'deals', 'profit', 'quality'],
    ['anna', '<b>relations 22</b>', 'buyer', '1,200', '-0.25', '0.5'],
    ['anna', 'all others', 'seller', '1,200', '-0.25', ''],
  ])
})

test('a game without parts shows nothing; a history that cannot be read is a sentence', async () => {
  vi.mocked(call).mockResolvedValueOnce(null)
  render(PartsTable, { detail: contest })
  await vi.waitFor(() => expect(call).toHaveBeenCalled())
  expect(screen.queryByRole('heading')).toBeNull()
  cleanup()
  vi.mocked(call).mockRejectedValueOnce(
    new CallFailure({ code: 'host', message: 'Match 3 cannot be read for "By predicate": broken' }),
  )
  render(PartsTable, { detail: contest })
  expect((await screen.findByRole('alert')).textContent).toBe('Match 3 cannot be read for "By predicate": broken')
})
