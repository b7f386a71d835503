import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { AgentSummary } from '../../../main/contract/procedures/procedures.ts'
import { call } from '../../../renderer/connection/client.ts'
import type { Field, Settings } from '../../../renderer/games/field.ts'
import { games } from '../../../main/referees/games.ts'
import { gameWindows } from '../../../renderer/games.ts'
import { presetIn, presetsOf, defaultFormat, withPreset } from '../../../renderer/screens/contests/new/presets.ts'
import Untried from '../../../renderer/screens/contests/entrants/untried.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

const initial = { turns: 20, kind: 'plain' }
const own = {
  label: 'Of 2018',
  hint: '',
  title: 'As in 2018',
  format: { format: 'ordered-pairs' },
  settings: {},
} as const
const game = { initial, quick: { turns: 3 }, presets: [{ ...own, settings: { kind: 'old' } }] }
const all = presetsOf(game, '1 May')
const form = {
  ...{ title: '', ...defaultFormat, untilTop: null, ties: 'play-on' as 'play-on' | 'seed', formatSettings: {} },
  settings: { ...initial, challenge: 'mine' },
}

test('a preset fills format, settings and title; the next one takes back what it has changed', () => {
  expect(presetIn(form, all, game)).toBe(all[0])
  // One that ends early is none of the presets.
  expect(presetIn({ ...form, untilTop: 3 }, all, game)).toBeUndefined()
  expect(withPreset({ ...form, untilTop: 3 }, all[0]!, all, game).untilTop).toBeNull()
  const [week, quick, tournament, old] = all
  const short = withPreset(form, quick!, all, game)
  expect(short).toMatchObject({
    title: 'Quick test',
    repeats: 1,
    settings: { turns: 3, kind: 'plain', challenge: 'mine' },
  })
  expect(presetIn(short, all, game)).toBe(quick)
  const then = withPreset(short, old!, all, game)
  expect(then).toMatchObject({ title: 'As in 2018', format: 'ordered-pairs', settings: { turns: 20, kind: 'old' } })
  expect(presetIn(then, all, game)).toBe(old)
  expect(presetIn({ ...then, ties: 'seed' }, all, game)).toBeUndefined()
  expect(withPreset({ ...then, ties: 'seed' }, old!, all, game).ties).toBe('play-on')
  expect(withPreset(then, week!, all, game)).toMatchObject({ title: 'Round-robin of 1 May', settings: initial })
  expect(withPreset({ ...form, title: 'Mine' }, tournament!, all, game).title).toBe('Mine')
  expect(presetIn({ ...short, repeats: 7 }, all, game)).toBeUndefined()
})

test('a preset of a format of the game’s own is not chosen once a setting of the format has been changed', () => {
  const fields: readonly Field[] = [
    {
      kind: 'texts',
      name: 'maps',
      label: 'Maps',
      hint: '',
      when: () => true,
      standard: ['a'],
      of: { game: 'g', field: 'map' },
    },
  ]
  const pods = { ...own, format: { format: 'game:pods' }, settings: {} } as const
  const withPods = { initial, presets: [pods], formats: [{ name: 'pods', label: 'Pods', fields }] }
  const presets = presetsOf(withPods, '1 May')
  const chosen = withPreset(form, pods, presets, withPods)
  expect(chosen.formatSettings).toEqual({ maps: ['a'] })
  expect(presetIn({ ...chosen, formatSettings: { maps: ['a'] } }, presets, withPods)).toBe(pods)
  expect(presetIn({ ...chosen, formatSettings: { maps: ['a', 'b'] } }, presets, withPods)).toBeUndefined()
})

test('a quick test is of short matches where the game has any', () => {
  const hintOf = (quick?: Settings) =>
    presetsOf({ initial, ...(quick === undefined ? {} : { quick }) }, '1 May')[1]!.hint
  expect(hintOf({ turns: 3 })).toMatch(/ once, in short matches\.$/)
  expect(hintOf()).toMatch(/ once\.$/)
})

test.each(gameWindows)('the presets of $id are of settings that it has', async ({ settings }) => {
  const known = await settings()
  const presets = presetsOf(known, '1 May')
  expect(new Set(presets.map(({ label }) => label)).size).toBe(presets.length)
  for (const { settings: changed } of presets) {
    expect(Object.keys(known.initial)).toEqual(expect.arrayContaining(Object.keys(changed)))
    expect(known.problems({ ...known.initial, ...changed })).toEqual({})
  }
})

test('where seats are roles, every preset lets both of a pair play both', async () => {
  const withRoles = gameWindows.filter(({ id }) => games.get(id)!.contests.roleOf !== undefined)
  expect(withRoles.map(({ id }) => id)).toContain('cops')
  for (const { settings } of withRoles) {
    for (const { label, format } of presetsOf(await settings(), '1 May')) {
      const { format: name, seats, repeats } = { ...defaultFormat, ...format }
      // Repeats of a round-robin rotate the seats; ordered pairs play each pair in both orders.
      if (name === 'round-robin') expect([label, repeats % seats]).toEqual([label, 0])
    }
  }
})

const agent = (name: string, smoke: object | null, trial: unknown): AgentSummary =>
  ({ name, versions: [{ smoke, trial }] }) as unknown as AgentSummary

test('agents that were never tried are tried at once, with progress, and the trials can be stopped', async () => {
  const asked = vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).mockResolvedValue(null)
  const fine = agent('ann', { ok: true, text: '' }, null)
  const { rerender } = render(Untried, { agents: [fine, agent('ben', null, null), agent('cleo', null, null)] })
  expect(screen.getByText('2 agents have never been tried.')).toBeTruthy()
  await fireEvent.click(screen.getByRole('button', { name: 'Try all now' }))
  await vi.waitFor(() => expect(asked.mock.calls).toHaveLength(2))
  expect(asked.mock.calls.map(([name, input]) => [name, input])).toEqual([
    ['agents.try', { name: 'ben' }],
    ['agents.try', { name: 'cleo' }],
  ])
  await rerender({ agents: [fine, agent('ben', null, 'playing'), agent('cleo', null, 'playing')] })
  expect(screen.getByText('Trying agents: 0 of 2')).toBeTruthy()
  await rerender({ agents: [fine, agent('ben', { ok: false, text: '' }, null), agent('cleo', null, 'playing')] })
  expect(screen.getByText('Trying agents: 1 of 2')).toBeTruthy()
  await fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  expect(asked).toHaveBeenLastCalledWith('agents.stop', { name: 'cleo' })
  await rerender({ agents: [fine] })
  expect(screen.queryByRole('button')).toBeNull()
})
