import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AgentFault, AgentResults } from '../../../main/contract/procedures/procedures.ts'
import { call } from '../../../renderer/connection/client.ts'
import CodeView from '../../../renderer/parts/text/code-view.svelte'
import { linesOfSource } from '../../../renderer/screens/agent/lines-of-source.ts'
import Practice from '../../../renderer/screens/agent/practice.svelte'
import Results from '../../../renderer/screens/agent/results.svelte'
import Versions from '../../../renderer/screens/agent/versions.svelte'
import { groupedFaults } from '../../../renderer/screens/agent/fault-groups.ts'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))
beforeEach(() => standInForLayout())
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const fault = (match: number, what: AgentFault['what']): AgentFault => {
  return { contest: 'c-1', title: 'Week 1', match, seat: 1, agent: 'b'.repeat(64), what }
}
const removal = (payoff: number): AgentFault['what'] => ({ removal: `The payoff of ${payoff} is more than 0.1.` })
const crash: AgentFault['what'] = { at: 250, fault: { kind: 'crash', text: 'It threw (line 3 of its file): oh' } }

test('faults and removals are grouped by what they have in common, most frequent first', () => {
  const groups = groupedFaults([fault(9, removal(0.9)), fault(8, crash), fault(7, removal(0.85))])
  expect(groups.map(({ kind, text, times, newest }) => [kind, text, times, newest.match])).toEqual([
    ['Removed', 'The payoff of … is more than ….', 2, 9],
    // A single one keeps its numbers.
    ['Crashed', 'It threw (line 3 of its file): oh', 1, 8],
  ])
})

test('lines that a text names are found, as far as the source goes', () => {
  const parts = linesOfSource('It threw (line 3 of its file): x\n    at agent.js:12:5\n    at agent.js:99:1', 40)
  expect(parts.filter(({ line }) => line !== null)).toEqual([
    { text: 'line 3', line: 3 },
    { text: 'agent.js:12:5', line: 12 },
  ])
  expect(parts.map(({ text }) => text).join('')).toBe(
    'It threw (line 3 of its file): x\n    at agent.js:12:5\n    at agent.js:99:1',
  )
  // A line of a file of a package is not one of the source that is shown.
  expect(linesOfSource('(main.ts, line 3, called from x.mjs, line 4)', 40).filter(({ line }) => line !== null)).toEqual(
    [],
  )
  expect(linesOfSource('line 3', 0)).toEqual([{ text: 'line 3', line: null }])
})

test('results stand by opponent and by version, with a link to the newest match in which something went wrong', async () => {
  const results: AgentResults = {
    opponents: [
      { opponent: 'minmax', agent: 'minmax', matches: 8, ranked: 8, ahead: 2, scored: 0, score: 0 },
      { opponent: 'Anna', agent: null, matches: 1, ranked: 0, ahead: 0, scored: 1, score: 7 },
    ],
    versions: [{ agent: 'b'.repeat(64), matches: 9, wins: 3, faults: 1, removals: 2 }],
  }
  const faults = [fault(9, removal(0.9)), fault(7, removal(0.85))]
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation((name) =>
    Promise.resolve(name === 'agents.results' ? results : { items: faults, offset: 0, total: 2 }),
  )
  const version = { team: 't', policies: null, active: [], submitted: '2026-01-01', smoke: null, trial: null }
  render(Results, {
    name: 'mine',
    versions: ['a', 'b'].map((each, at) => ({ ...version, agent: each.repeat(64), number: 7 - at })),
  })
  const rows = async (caption: string) => {
    const table = await screen.findByRole('table', { name: caption })
    return within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => Array.from(row.children, (cell) => cell.textContent.trim()))
  }
  expect(await rows('Results by opponent')).toEqual([
    ['minmax', '8', '25%', ''],
    ['Anna', '1', '', '7'],
  ])
  expect(screen.getByRole('link', { name: 'minmax' }).getAttribute('href')).toBe('#/agents/minmax')
  expect(screen.queryByRole('link', { name: 'Anna' })).toBeNull()
  // A version keeps its number, wherever it is listed.
  expect(await rows('Results by version')).toEqual([['Version 6', '9', '33%', '2', '1']])
  await waitFor(() =>
    expect(screen.getByRole('link', { name: /Week 1, match 9/ }).getAttribute('href')).toBe(
      '#/contests/c-1/matches/9?at=end&seat=1',
    ),
  )
  expect(screen.getByText('2 times')).toBeTruthy()
})

test('a line of a source is marked and scrolled to', async () => {
  const text = Array.from({ length: 200 }, (_, at) => `line of code ${at + 1}`).join('\n')
  render(CodeView, { label: 'Source', text, line: 120 })
  const view = screen.getByRole('region', { name: 'Source' })
  expect(view.scrollTop).toBeGreaterThan(2_000)
  view.dispatchEvent(new Event('scroll'))
  await waitFor(() => expect(view.querySelector('[aria-current=location]')?.textContent).toContain('line of code 120'))
})

test('a version practises against other versions of its agent and against other agents', async () => {
  const [newest, first, baby] = ['a', 'b', 'c'].map((each) => each.repeat(64))
  const version = { team: 't', policies: null, active: [], submitted: '2026-01-01', smoke: null, trial: null }
  const opponent = (name: string, agent: string) => ({ name, agent, shipped: true, works: null })
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation((name) =>
    Promise.resolve(
      name === 'agents.practise' ? { contest: 'p-1' } : [opponent('mine', newest!), opponent('baby', baby!)],
    ),
  )
  const versions = [newest!, first!].map((agent, at) => ({ ...version, agent, number: 2 - at }))
  render(Practice, { name: 'mine', game: 'specker', versions })
  await fireEvent.click(screen.getByRole('button', { name: 'Practice…' }))
  const dialog = await screen.findByRole('dialog')
  const offered = () =>
    within(dialog)
      .getAllByRole('checkbox', {})
      .map((box) => box.parentElement!.textContent.trim())
  expect(offered()).toEqual(['Version 1 of mine', 'baby'])
  const start = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Start' })
  expect(start.disabled).toBe(true)
  await fireEvent.click(within(dialog).getByLabelText('Version 1 of mine'))
  await fireEvent.click(within(dialog).getByLabelText('baby'))
  // A version that is chosen to play is not an opponent.
  await fireEvent.change(within(dialog).getByLabelText('Version'), { target: { value: first } })
  expect(offered()).toEqual(['Version 2 of mine', 'baby'])
  await fireEvent.input(within(dialog).getByLabelText('Matches with each opponent'), { target: { value: '3' } })
  await fireEvent.submit(dialog.querySelector('form')!)
  await waitFor(() => expect(location.hash).toBe('#/contests/p-1'))
  expect(call).toHaveBeenLastCalledWith('agents.practise', {
    ...{ name: 'mine', agent: first, opponents: [baby], matches: 3 },
  })
})

test('a version that a team handed in gets a note, and another one', async () => {
  vi.mocked(call as (name: string) => Promise<unknown>).mockResolvedValue(null)
  const version = {
    ...{ agent: 'b'.repeat(64), number: 2, team: 'Red', policies: null, active: [], submitted: '2026-01-01' },
    ...{ smoke: null, trial: null },
  }
  const handIn = { receipt: 3, by: null, contest: null, contestTitle: null, time: 'on-time' } as const
  const versions = [
    { ...version, handIn: { ...handIn, note: 'first' } },
    { ...version, agent: 'a'.repeat(64), number: 1 },
  ]
  const { rerender } = render(Versions, { name: 'mine', versions, lines: 0 })
  expect(screen.getByText('Note: first')).toBeTruthy()
  // The educator's own version has none.
  await fireEvent.click(screen.getByRole('button', { name: /note…of version/ }))
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Note')
  expect(field.value).toBe('first')
  await fireEvent.input(field, { target: { value: ' second ' } })
  await fireEvent.click(screen.getByRole('button', { name: 'Save the note' }))
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('handIn.note', { name: 'mine', agent: version.agent, note: 'second' }),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await rerender({ versions: [{ ...version, handIn }] })
  expect(screen.getByRole('button', { name: 'Add a note…of version 2' })).toBeTruthy()
})
