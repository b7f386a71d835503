import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NextRound } from '../../../main/contract/contests/decisions.ts'
import { call } from '../../../renderer/connection/client.ts'
import DecideDialog from '../../../renderer/screens/contests/contest/decisions/decide-dialog.svelte'
import {
  draftOfRound,
  isRematch,
  pairingOf,
  seat,
  withoutTable,
  withTable,
} from '../../../renderer/screens/contests/contest/decisions/round-pairing.ts'
import { contestOf } from './contest-detail.ts'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

const entrants = ['anna', 'bea', 'carl', 'dora', 'emil'].map((name) => ({ name, points: 0, byes: 0 }))
const next: NextRound = {
  ...{ round: 2, seats: 2, entrants, met: { anna: ['bea'], bea: ['anna'] }, byHand: false },
  pairing: {
    tables: [
      ['anna', 'carl'],
      ['dora', 'bea'],
    ],
    byes: ['emil'],
  },
}
beforeEach(() => {
  standInForLayout()
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation((name) =>
    Promise.resolve(
      name === 'contests.nextRound' ? next : name === 'contests.consequences' ? ['It cannot be undone.'] : null,
    ),
  )
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('whoever is seated changes places, and a table taken away gives byes', () => {
  const draft = draftOfRound(next)
  const swapped = seat(draft, 0, 1, 'bea')
  expect(swapped.tables).toEqual([
    ['anna', 'bea'],
    ['dora', 'carl'],
  ])
  expect(isRematch(next, swapped.tables[0]!)).toBe(true)
  expect(isRematch(next, swapped.tables[1]!)).toBe(false)
  expect(seat(draft, 0, 0, 'emil')).toEqual({
    tables: [
      ['emil', 'carl'],
      ['dora', 'bea'],
    ],
    byes: ['anna'],
  })
  const fewer = withoutTable(draft, 0)
  expect(fewer).toEqual({ tables: [['dora', 'bea']], byes: ['emil', 'anna', 'carl'] })
  expect(pairingOf(withTable(fewer, 2))).toEqual({
    tables: [
      ['dora', 'bea'],
      ['emil', 'anna'],
    ],
    byes: ['carl'],
  })
  // Before the round before is over: neighbours in the standings.
  expect(draftOfRound({ ...next, pairing: null })).toEqual({
    tables: [
      ['anna', 'bea'],
      ['carl', 'dora'],
    ],
    byes: ['emil'],
  })
})

const detail = contestOf({ deciding: { withdraw: true, enter: false, pair: 2, accept: false } })
const decided = vi.fn()

test('an entrant is withdrawn after its consequences were shown', async () => {
  render(DecideDialog, { detail, open: true, ondecided: decided })
  const dialog = await screen.findByRole('dialog')
  const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Withdraw it' })
  expect(confirm.disabled).toBe(true)
  await fireEvent.change(within(dialog).getByLabelText('Entrant'), { target: { value: 'anna' } })
  await waitFor(() => expect(dialog.textContent).toContain('It cannot be undone.'))
  expect(call).not.toHaveBeenCalledWith('contests.decide', expect.anything())
  await fireEvent.input(within(dialog).getByLabelText('Reason'), { target: { value: 'ill' } })
  await fireEvent.click(confirm)
  await waitFor(() => expect(decided).toHaveBeenCalled())
  const wish = { type: 'withdraw', entrant: 'anna', reason: 'ill' }
  expect(call).toHaveBeenCalledWith('contests.decide', { contest: 'c-1', wish })
})

test('a round is paired by choosing an entrant for each seat', async () => {
  render(DecideDialog, { detail, open: true, ondecided: decided })
  const dialog = await screen.findByRole('dialog')
  await fireEvent.change(within(dialog).getByLabelText('Decision'), { target: { value: 'pair' } })
  await fireEvent.change(await within(dialog).findByLabelText('Table 1, seat 2'), { target: { value: 'bea' } })
  expect(dialog.textContent).toContain('have met before')
  const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Pair the round' })
  await waitFor(() => expect(confirm.disabled).toBe(false))
  await fireEvent.click(confirm)
  const wish = {
    type: 'pair',
    round: 2,
    tables: [
      ['anna', 'bea'],
      ['dora', 'carl'],
    ],
    byes: ['emil'],
  }
  await waitFor(() => expect(call).toHaveBeenCalledWith('contests.decide', { contest: 'c-1', wish }))
})

test('a repeated contest that went differently is accepted', async () => {
  const deciding = { withdraw: false, enter: false, pair: null, accept: true }
  render(DecideDialog, { detail: contestOf({ deciding }), open: true, ondecided: decided })
  const dialog = await screen.findByRole('dialog')
  const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Accept it' })
  await waitFor(() => expect(confirm.disabled).toBe(false))
  await fireEvent.click(confirm)
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('contests.decide', { contest: 'c-1', wish: { type: 'accept' } }),
  )
})

test('agents that ship with the game can be added for a late entry', async () => {
  const deciding = { withdraw: false, enter: true, pair: null, accept: false }
  render(DecideDialog, { detail: contestOf({ deciding }), open: true, ondecided: decided })
  const dialog = await screen.findByRole('dialog')
  await fireEvent.click(await within(dialog).findByRole('button', { name: 'Use the built-in agents' }))
  await waitFor(() => expect(call).toHaveBeenCalledWith('agents.adopt', { game: 'specker' }))
})
