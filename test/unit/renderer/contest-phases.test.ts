import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { call } from '../../../renderer/connection/client.ts'
import { changedConfig, fieldsOf, settingsFrom } from '../../../renderer/games/settings-fields.ts'
import BeforeFirstMatch from '../../../renderer/screens/contests/contest/before-first-match.svelte'
import ContestPhases from '../../../renderer/screens/contests/contest/contest-phases.svelte'
import NextPhase from '../../../renderer/screens/contests/contest/next-phase.svelte'
import { contestOf } from './contest-detail.ts'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

beforeEach(() => standInForLayout())
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

const phases = {
  contests: [
    { contest: 'heist-1', title: 'Heist', weight: 1 },
    { contest: 'heist-2', title: 'Twist', weight: 2.5 },
  ],
  combined: [
    { agent: 'anna', rank: 1, points: 12, byPhase: [2, 4] },
    { agent: 'bert', rank: 2, points: 5, byPhase: [null, 2] },
  ],
}

test('the standings over all phases tell what each phase gives and how much it counts', () => {
  const detail = contestOf({ summary: { contest: 'heist-2' }, phases })
  render(ContestPhases, { detail, phases })
  const rows = screen.getAllByRole('row').map((row) => (row.textContent ?? '').replace(/\s+/g, ' ').trim())
  expect(rows[0]).toMatch(/Phase 1, times 1.*Phase 2, times 2.5/)
  expect(rows.slice(1).map((row) => row.replaceAll(' ', ''))).toEqual(['anna11224', 'bert25–2'])
  // The other phases are one click away.
  expect(screen.getByRole('link', { name: 'Heist' }).getAttribute('href')).toBe('#/contests/heist-1')
})

test('the phrase of the class is asked for beside the commitment', async () => {
  const onphrase = vi.fn()
  const detail = contestOf({ summary: { state: 'open', waitsFor: 'phrase' } })
  render(BeforeFirstMatch, { detail, busy: false, onclose: vi.fn(), onphrase })
  expect(screen.getByText('c'.repeat(64))).toBeTruthy()
  const start = screen.getByRole<HTMLButtonElement>('button', { name: 'Start with this phrase' })
  expect(start.disabled).toBe(true)
  await fireEvent.input(screen.getByLabelText('Phrase of the class'), { target: { value: ' sixteen cows ' } })
  await fireEvent.submit(start.closest('form')!)
  expect(onphrase).toHaveBeenCalledWith('sixteen cows')
})

test('open entries are told of with their deadline, and can be closed', async () => {
  const onclose = vi.fn()
  const detail = contestOf({ summary: { state: 'open', waitsFor: 'entries' }, entriesUntil: '2026-06-01T18:00:00Z' })
  render(BeforeFirstMatch, { detail, busy: false, onclose, onphrase: vi.fn() })
  expect(screen.getByRole('heading').textContent).toMatch(/^Entries are open until .*2026/)
  await fireEvent.click(screen.getByRole('button', { name: 'Close entries now' }))
  expect(onclose).toHaveBeenCalledOnce()
})

test('a contest whose hand-ins wait for trials offers neither to close entries nor to start', () => {
  const detail = contestOf({ summary: { state: 'open', waitsFor: 'trials' }, entriesUntil: '2026-06-01T18:00:00Z' })
  render(BeforeFirstMatch, { detail, busy: false, onclose: vi.fn(), onphrase: vi.fn() })
  expect(screen.getByRole('heading').textContent).toMatch(/trial matches/)
  expect(screen.queryAllByRole('button')).toEqual([])
})

test('the next phase has the config of this one, but for what is changed', async () => {
  vi.mocked(call).mockResolvedValue({ contest: 'week-1-2' })
  const config = { challenge: 'max-sat', maxTurns: 8, kept: { as: ['it', 'is'] } }
  render(NextPhase, { detail: contestOf({ draft: { config } }), open: true })
  const turns = await screen.findByLabelText<HTMLInputElement>('Rounds of trading')
  expect(turns.value).toBe('8')
  await fireEvent.input(turns, { target: { value: '12' } })
  await fireEvent.input(screen.getByLabelText('Weight of phase 2'), { target: { value: '2' } })
  await fireEvent.submit(turns.closest('form')!)
  const [name, input] = vi.mocked(call).mock.calls.at(-1)!
  expect(name).toBe('contests.nextPhase')
  expect(input).toMatchObject({ contest: 'c-1', title: 'Week 1, phase 2', weights: [1, 2] })
  expect((input as { config: unknown }).config).toEqual({ ...config, maxTurns: 12 })
  expect((input as { seed: string }).seed).toMatch(/^[0-9a-f]{64}$/)
})

test('a config is read into fields and back, in units of people, and what no field knows stays', () => {
  const fields = fieldsOf(
    z.strictObject({ price: z.int().default(500), rounds: z.int().default(3), kind: z.enum(['a', 'b']) }),
    { price: { unit: 100 } },
  )
  const config = { price: 250, kind: 'b', map: 'sha256:0' }
  expect(settingsFrom(fields, config)).toEqual({ price: 2.5, rounds: 3, kind: 'b' })
  expect(changedConfig(fields, settingsFrom(fields, config), config)).toEqual(config)
  expect(changedConfig(fields, { price: 4, rounds: 3, kind: 'a' }, config)).toEqual({
    ...config,
    price: 400,
    kind: 'a',
  })
})
