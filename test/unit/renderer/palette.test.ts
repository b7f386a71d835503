import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { call, CallFailure } from '../../../renderer/connection/client.ts'
import Palette from '../../../renderer/frame/palette.svelte'
import { offer } from '../../../renderer/navigation/shortcuts.svelte.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

/** Other searches find nothing in the manual, whose titles change. */
vi.mock(import('../../../renderer/help/search.ts'), async (original) => {
  const search = await original()
  return {
    ...search,
    findTitles: (wanted, limit) =>
      wanted === 'challenge language' ? search.findTitles(wanted, limit) : Promise.resolve([]),
  }
})

const agents = ['baby', 'minmax', 'sampler'].map((name) => ({ name, game: 'specker' }))
const contests = [{ contest: 'sample-1', title: 'Sample contest', state: 'ended' }]
const matches = [
  { contest: 'sample-1', title: 'Sample contest', match: 7, seats: [{ name: 'baby' }, { name: 'minmax' }] },
]
const challenges = [
  { name: 'knapsack', title: 'Knapsack, 0-1', problem: null },
  { name: 'max-csp', title: 'Maximum satisfaction', problem: null },
]
const known: Record<string, readonly object[]> = {
  'agents.list': agents,
  'contests.list': contests,
  'histories.list': matches,
}

/** Answers as the program would, with what holds the search. */
function answer(name: string, { search }: { search: string }) {
  if (name === 'challenges.list') return Promise.resolve(challenges)
  const items = known[name]!.filter((each) => JSON.stringify(each).includes(search))
  return Promise.resolve({ items, offset: 0, total: items.length })
}

const run = vi.fn()
beforeEach(() => {
  vi.mocked(call as (name: string, input: { search: string }) => Promise<unknown>).mockImplementation(answer)
  Element.prototype.scrollIntoView = vi.fn()
  run.mockClear()
  location.hash = ''
  return offer([
    { label: 'Go to Agents', keys: ['g', 'a'], run },
    { label: 'New contest', keys: ['n'], run: vi.fn() },
    { label: 'Add an agent', also: 'hand in', keys: [], run: vi.fn() },
  ])
})

function labels(): string[] {
  return screen.getAllByRole('option').map((option) => option.querySelector('bdi')!.textContent)
}
function chosen(): string {
  return screen.getByRole('option', { selected: true }).querySelector('bdi')!.textContent
}
async function type(text: string): Promise<HTMLElement> {
  const field = await screen.findByRole('combobox')
  await fireEvent.input(field, { target: { value: text } })
  return field
}

describe('palette', () => {
  test('offers verbs, contests and agents before anything is typed', async () => {
    render(Palette, { open: true })
    await waitFor(() => {
      expect(labels()).toEqual([
        'Go to Agents',
        'New contest',
        'Add an agent',
        'Sample contest',
        'baby',
        'minmax',
        'sampler',
      ])
    })
    expect(chosen()).toBe('Go to Agents')
  })

  test('finds matches, and Enter leads to what is chosen', async () => {
    render(Palette, { open: true })
    const field = await type('baby')
    await waitFor(() => expect(labels()).toEqual(['baby', 'Match 7 of Sample contest']))
    await fireEvent.keyDown(field, { key: 'ArrowDown' })
    expect(chosen()).toBe('Match 7 of Sample contest')
    expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id)
    await fireEvent.keyDown(field, { key: 'Enter' })
    expect(location.hash).toBe('#/contests/sample-1/matches/7')
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
  })

  test('ids stand below the titles', async () => {
    render(Palette, { open: true })
    await type('sample-1')
    await waitFor(() => expect(labels()).toEqual(['Sample contest', 'Match 7 of Sample contest']))
    const said = screen.getAllByRole('option').map((option) => option.textContent.trim().replace(/\s+/g, ' '))
    expect(said).toEqual(['Sample contest sample-1 Ended', 'Match 7 of Sample contest sample-1 baby, minmax'])
  })

  test.each([
    ['knapsack', 'Knapsack, 0-1'],
    ['knpsack', 'Knapsack, 0-1'],
    ['hand in', 'Add an agent'],
    ['samplr contest', 'Sample contest'],
    ['minmx', 'minmax'],
  ])('%s is found', async (typed, label) => {
    render(Palette, { open: true })
    await type(typed)
    await waitFor(() => expect(labels()).toEqual([label]))
  })

  test('the arrows go round', async () => {
    render(Palette, { open: true })
    const field = await type('sample')
    await waitFor(() => expect(labels()).toEqual(['Sample contest', 'sampler', 'Match 7 of Sample contest']))
    await fireEvent.keyDown(field, { key: 'ArrowUp' })
    expect(chosen()).toBe('Match 7 of Sample contest')
    await fireEvent.keyDown(field, { key: 'ArrowDown' })
    expect(chosen()).toBe('Sample contest')
  })

  test('sections of the manual are found by their titles', async () => {
    render(Palette, { open: true })
    const field = await type('challenge language')
    await waitFor(() => expect(labels()).toContain('The challenge language'))
    await fireEvent.keyDown(field, { key: 'Enter' })
    expect(location.hash).toBe('#/help/language')
  })

  test('a verb is done', async () => {
    render(Palette, { open: true })
    const field = await type('to ag')
    await waitFor(() => expect(labels()).toEqual(['Go to Agents']))
    await fireEvent.keyDown(field, { key: 'Enter' })
    expect(run).toHaveBeenCalledOnce()
  })

  test('an older answer that comes late does not count', async () => {
    const late: (() => void)[] = []
    vi.mocked(call as (name: string, input: { search: string }) => Promise<unknown>).mockImplementation(
      async (name, input) => {
        if (input.search === 'mi') await new Promise<void>((resolve) => late.push(resolve))
        return answer(name, input)
      },
    )
    render(Palette, { open: true })
    await type('mi')
    await waitFor(() => expect(late).toHaveLength(3))
    await type('sampler')
    await waitFor(() => expect(labels()).toEqual(['sampler']))
    late.forEach((resolve) => resolve())
    await new Promise((resolve) => setTimeout(resolve))
    expect(labels()).toEqual(['sampler'])
  })

  test('what was chosen stays chosen when an answer puts others before it, and Enter waits for the answer', async () => {
    const late: (() => void)[] = []
    vi.mocked(call as (name: string, input: { search: string }) => Promise<unknown>).mockImplementation(
      async (name, input) => {
        if (input.search !== '') await new Promise<void>((resolve) => late.push(resolve))
        return answer(name, input)
      },
    )
    render(Palette, { open: true })
    await waitFor(() => expect(labels()).toContain('sampler'))
    const field = await type('sa')
    expect(labels()).toEqual(['Sample contest', 'baby', 'minmax', 'sampler'])
    await fireEvent.keyDown(field, { key: 'ArrowUp' })
    expect(chosen()).toBe('sampler')
    late.splice(0).forEach((resolve) => resolve())
    await waitFor(() => expect(labels()).not.toContain('minmax'))
    expect(chosen()).toBe('sampler')

    await type('minmax')
    await waitFor(() => expect(late).toHaveLength(4))
    await fireEvent.keyDown(field, { key: 'Enter' })
    expect(location.hash).toBe('')
    late.forEach((resolve) => resolve())
    await waitFor(() => expect(location.hash).toBe('#/agents/minmax'))
  })

  test('a failure is said in its own words, and so is finding nothing', async () => {
    render(Palette, { open: true })
    await type('zzz')
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('No matches.'))
    vi.mocked(call).mockRejectedValue(new CallFailure({ code: 'disconnected', message: 'It is gone.' }))
    await type('zzzz')
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('It is gone.'))
  })
})
