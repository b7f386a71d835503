import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Deletion } from '../../../main/contract/procedures/procedures.ts'
import { call } from '../../../renderer/connection/client.ts'
import PutAwayContest from '../../../renderer/screens/contests/contest/put-away-contest.svelte'
import { contest } from './contest-detail.ts'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))
let deletion: Deletion = { consequences: [], refusal: null }
beforeEach(() => {
  standInForLayout()
  location.hash = '#/contests/c-1'
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation((name) =>
    Promise.resolve(name === 'contests.deletion' ? deletion : null),
  )
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const { summary } = contest
const onchange = vi.fn()
const button = (name: string): HTMLElement => screen.getByRole('button', { name })

test('a contest is deleted after its consequences were shown', async () => {
  deletion = { consequences: ['The histories of 9 matches are deleted.', 'Backups stay.'], refusal: null }
  render(PutAwayContest, { summary, onchange })
  await fireEvent.click(button('Delete…'))
  const dialog = await screen.findByRole('dialog')
  for (const sentence of deletion.consequences) expect(dialog.textContent).toContain(sentence)
  expect(call).not.toHaveBeenCalledWith('contests.delete', expect.anything())
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Delete the contest' }))
  await waitFor(() => expect(location.hash).toBe('#/contests'))
  expect(call).toHaveBeenLastCalledWith('contests.delete', { contest: 'c-1' })
})

test('one that another contest needs is not, and the reason is shown', async () => {
  deletion = { consequences: [], refusal: 'c-2 continues it.' }
  render(PutAwayContest, { summary, onchange })
  await fireEvent.click(button('Delete…'))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('c-2 continues it.')
  expect(within(dialog).queryByRole('button', { name: 'Delete the contest' })).toBeNull()
})

test('it is archived and listed again', async () => {
  const { rerender } = render(PutAwayContest, { summary, onchange })
  await fireEvent.click(button('Archive'))
  await waitFor(() => expect(onchange).toHaveBeenCalledTimes(1))
  expect(call).toHaveBeenLastCalledWith('contests.archive', { contest: 'c-1', archived: true })
  await rerender({ summary: { ...summary, archived: true }, onchange })
  await fireEvent.click(button('List again'))
  await waitFor(() => expect(call).toHaveBeenLastCalledWith('contests.archive', { contest: 'c-1', archived: false }))
})
