import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ContestDetail, ContestState } from '../../../main/contract/procedures/procedures.ts'
import { call, subscribe } from '../../../renderer/connection/client.ts'
import Contest from '../../../renderer/screens/contests/contest/contest.svelte'
import RecurrenceDialog from '../../../renderer/screens/contests/recurring/recurrence-dialog.svelte'
import {
  recurrenceWords,
  weekdayOf,
  type RecurrenceWish,
} from '../../../renderer/screens/contests/recurring/recurrence-words.ts'
import Scrubber from '../../../renderer/screens/match/scrubber.svelte'
import { shownText } from '../../../renderer/games/text-names.ts'
import { contest, noDeadline } from './contest-detail.ts'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))

let detail: ContestDetail
const calls: string[] = []
beforeEach(() => {
  standInForLayout()
  calls.length = 0
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation(async (name) => {
    calls.push(name)
    return name === 'contests.get' ? detail : (noDeadline[name] ?? null)
  })
  vi.mocked(subscribe).mockReturnValue(() => undefined)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.resetAllMocks()
})

test('a contest that waits for its turn can be paused and cancelled, and is not offered to be deleted', async () => {
  detail = { ...contest, summary: { ...contest.summary, state: 'queued' satisfies ContestState } }
  render(Contest, { contest: 'c-1' })
  await fireEvent.click(await screen.findByRole('button', { name: 'Pause' }))
  await waitFor(() => expect(calls).toContain('contests.pause'))
  expect(screen.queryByRole('button', { name: 'Delete…' })).toBeNull()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel…' })).toHaveProperty('disabled', false))
  await fireEvent.click(screen.getByRole('button', { name: 'Cancel…' }))
  await fireEvent.click(await screen.findByRole('button', { name: 'Cancel the contest' }))
  await waitFor(() => expect(calls).toContain('contests.cancel'))
})

test('a contest is repeated weekly on the day of today, with everybody, unless one says otherwise', async () => {
  const days = [weekdayOf(new Date())]
  let wish: RecurrenceWish | null = null
  render(RecurrenceDialog, {
    open: true,
    heading: 'Repeat this contest',
    submit: 'Repeat',
    initial: { title: 'Week 1' },
    save: async (given: RecurrenceWish) => void (wish = given),
  })
  await fireEvent.submit(screen.getByLabelText('Title').closest('form')!)
  await waitFor(() => expect(wish).not.toBeNull())
  // A test may begin before midnight and end after it.
  expect([days, [weekdayOf(new Date())]]).toContainEqual((wish as unknown as RecurrenceWish).days)
  expect(wish).toMatchObject({ entrants: 'all' })
  // 2026-11-22 is a Sunday.
  expect([weekdayOf(new Date(2026, 10, 22)), weekdayOf(new Date(2026, 10, 23))]).toEqual([7, 1])
  expect(recurrenceWords({ days: [7], time: '08:00' })).toMatch(/^Sun/)
})

test('“Next mark” is there where only swings are marked', async () => {
  const none = () => undefined
  const props = {
    ...{ position: 0, positions: 9, folded: 9, epoch: 0, clock: 0, round: 1, playing: false, atend: false, speed: 1 },
    ...{ marks: [], onseek: none, onstep: none, onend: none, onplay: none },
  } as const
  let went = 0
  const swing = { number: 1, position: 4, row: 5, seat: 0, amount: -3 }
  const { rerender } = render(Scrubber, { ...props, swings: [swing], onmark: () => void went++ } as never)
  const next = screen.getByRole('button', { name: 'Next mark' })
  expect(next).toHaveProperty('disabled', false)
  await fireEvent.click(next)
  expect(went).toBe(1)
  await rerender({ swings: [] } as never)
  expect(next).toHaveProperty('disabled', true)
})

test('a map that the class keeps under a hash is not shown by it', () => {
  expect(shownText(`sha256:${'0'.repeat(64)}`)).not.toMatch(/[0-9a-f]{8}/)
  expect(shownText('lambda')).toBe('lambda')
})
