import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { KitMatches } from '../../../main/contract/procedures/kit-procedures.ts'
import { call, CallFailure } from '../../../renderer/connection/client.ts'
import KeptMatches from '../../../renderer/screens/class/kept-matches.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

const seat = (name: string, score: number, removed = false) => ({ name, rank: 1, score, removed })
const played = (number: number): KitMatches['matches'][number] => ({
  ...{ number, name: `match-${number}.history`, at: '2026-11-29T05:00:00.000Z', message: null },
  summary: { game: 'haggle', contest: 'run', match: 0, seats: [seat('mine', 7), seat('<b>baby</b>', 3, true)] },
})
const two: KitMatches = {
  total: 5,
  matches: [played(5), { ...played(4), summary: null, message: 'Line 3 is damaged.' }],
}
const answers: Record<string, unknown> = {}
const asked = (name: string): number => vi.mocked(call).mock.calls.filter(([each]) => each === name).length
beforeEach(() => {
  Object.assign(answers, { 'kits.matches': two, 'kits.match': { file: 'f-5' } })
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation(async (name) => {
    if (answers[name] instanceof Error) throw answers[name]
    return answers[name]
  })
})
afterEach(() => {
  cleanup()
  vi.mocked(call).mockReset()
})

test('the kept matches are listed, and each that can be read is opened in the viewer', async () => {
  render(KeptMatches)
  const rows = await screen.findAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/mine 7, <b>baby<\/b> removed .*match-5\.history/),
    expect.stringMatching(/match-4\.history.*Line 3 is damaged\./),
  ])
  expect(screen.getByText(/^3 older matches/)).toBeDefined()
  const [open, ...others] = screen.getAllByRole('button')
  expect(others).toEqual([])
  await fireEvent.click(open!)
  await waitFor(() => expect(location.hash).toBe('#/histories/file/f-5'))
  expect(call).toHaveBeenCalledWith('kits.match', { match: 5 })
})

test('a match that is not there any more is told beside it', async () => {
  answers['kits.match'] = new CallFailure({ code: 'refused', reason: 'match-unknown', message: 'It is gone.' })
  render(KeptMatches)
  await fireEvent.click(await screen.findByRole('button'))
  expect((await screen.findAllByText('It is gone.')).length).toBeGreaterThan(0)
})

test('a match that was played in the terminal meanwhile is there when the window is used again', async () => {
  answers['kits.matches'] = { total: 0, matches: [] }
  render(KeptMatches)
  expect(await screen.findByText(/^None yet/)).toBeDefined()
  answers['kits.matches'] = { total: 1, matches: [played(1)] }
  await fireEvent.focus(window)
  expect(await screen.findAllByRole('listitem')).toHaveLength(1)
  expect(asked('kits.matches')).toBe(2)
})

test('a list that cannot be loaded is told', async () => {
  answers['kits.matches'] = new CallFailure({ code: 'refused', reason: 'kit-unavailable', message: 'A kit has none.' })
  render(KeptMatches)
  expect(await screen.findByText('A kit has none.')).toBeDefined()
})
