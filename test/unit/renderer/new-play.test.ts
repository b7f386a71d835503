import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import knapsack from '../../../grammars/challenges/knapsack.challenge?raw'
import { call, sharedClient, type LinkState } from '../../../renderer/connection/client.ts'
import { followLink } from '../../../renderer/connection/link.svelte.ts'
import NewPlay from '../../../renderer/screens/play/new-play.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  sharedClient: vi.fn(),
}))

const calls: [string, unknown][] = []
let names: readonly string[] = []
beforeEach(() => {
  calls.length = 0
  names = ['baby', 'greedy']
  vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).mockImplementation((name, input) => {
    calls.push([name, input])
    if (name === 'play.opponents') {
      return Promise.resolve(names.map((each) => ({ name: each, agent: `${each}-hash`, shipped: true, works: true })))
    }
    if (name === 'challenges.list') return Promise.resolve([{ name: 'max-csp', title: 'Max CSP', problem: null }])
    if (name === 'texts.list') return Promise.resolve([])
    if (name === 'challenges.get') return Promise.resolve({ source: knapsack })
    return Promise.resolve({ contest: 'human-against-baby-1' })
  })
})
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

const choose = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const begun = () => calls.find(([name]) => name === 'play.begin')?.[1]
const begin = () => fireEvent.click(screen.getByRole('button', { name: 'Begin' }))

test('several agents sit at a table where the game has room for them', async () => {
  render(NewPlay, { game: 'specker', against: 'greedy' })
  await screen.findByLabelText('Against')
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Against').value).toBe('greedy-hash'))
  await choose('2nd opponent', 'baby-hash')
  await choose('3rd opponent', 'baby-hash')
  expect(screen.getByLabelText('4th opponent')).toBeTruthy()
  // A player that is removed leaves no gap.
  await choose('2nd opponent', '')
  expect(screen.queryByLabelText('4th opponent')).toBeNull()
  await choose('Who begins', 'others')
  await begin()
  await waitFor(() => expect(begun()).toBeDefined())
  expect(begun()).toMatchObject({
    game: 'specker',
    opponents: ['greedy-hash', 'baby-hash'],
    seat: 2,
    moveMs: 300_000,
    config: { challenge: 'max-csp', maxTurns: 5, mode: 'synchronous' },
  })
})

test('a connection that comes back leaves what has been filled in', async () => {
  let tell: (state: LinkState) => void = () => undefined
  const onLink = (listener: typeof tell): (() => void) => {
    tell = listener
    return () => undefined
  }
  vi.mocked(sharedClient).mockReturnValue({ onLink } as unknown as ReturnType<typeof sharedClient>)
  const end = followLink()
  tell('up')
  render(NewPlay, { game: 'specker' })
  await screen.findByLabelText('Timing of turns')
  await choose('Against', 'greedy-hash')
  await choose('Timing of turns', 'mega-moves')
  names = [...names, 'newcomer']
  tell('lost')
  tell('up')
  await screen.findAllByText('newcomer (comes with Tartaglia)')
  await begin()
  await waitFor(() => expect(begun()).toMatchObject({ opponents: ['greedy-hash'], config: { mode: 'mega-moves' } }))
  end()
})

test('nothing is begun while another game is loading: the settings are those of the game before', async () => {
  render(NewPlay, { game: 'haggle' })
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Against').value).toBe('baby-hash'))
  const answer = vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).getMockImplementation()!
  let loaded = (): void => undefined
  const held = new Promise<void>((resolve) => (loaded = resolve))
  vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).mockImplementation(async (name, input) => {
    if (name === 'play.opponents') await held
    return answer(name, input)
  })
  await choose('Game', 'specker')
  await fireEvent.submit(screen.getByLabelText('Against').closest('form')!)
  loaded()
  await screen.findByLabelText('Timing of turns')
  expect(begun()).toBeUndefined()
  await begin()
  await waitFor(() => expect(begun()).toMatchObject({ game: 'specker', config: { mode: 'synchronous' } }))
})

test('where there is room for one agent, one sits there', async () => {
  render(NewPlay, { game: 'haggle' })
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Against').value).toBe('baby-hash'))
  expect(screen.queryByLabelText('2nd opponent')).toBeNull()
  await begin()
  await waitFor(() => expect(begun()).toMatchObject({ game: 'haggle', opponents: ['baby-hash'], seat: 0 }))
})

test('a role is chosen where the game has roles, and the person sits where that role is', async () => {
  render(NewPlay, { game: 'cops', against: 'baby' })
  await screen.findByLabelText('You play')
  expect(screen.queryByLabelText('Who begins')).toBeNull()
  await choose('You play', 'cop')
  expect(screen.getByLabelText<HTMLSelectElement>('The first entrant plays').value).toBe('cop')
  for (const place of ['2nd', '3rd', '4th', '5th']) await choose(`${place} opponent`, 'baby-hash')
  await begin()
  // Six entrants sit as they come, the robber first.
  await waitFor(() => expect(begun()).toMatchObject({ seat: 1, config: { first: 'cop' } }))
  calls.length = 0
  await choose('5th opponent', '')
  await begin()
  await waitFor(() => expect(begun()).toMatchObject({ seat: 0, config: { first: 'cop' } }))
})

test('what only agents can play is not begun', async () => {
  render(NewPlay, { game: 'specker' })
  await screen.findByLabelText('Timing of turns')
  await choose('Timing of turns', 'asynchronous')
  expect(screen.getByText(/only agents can play/)).toBeTruthy()
  await begin()
  expect(begun()).toBeUndefined()
  await choose('Timing of turns', 'mega-moves')
  await begin()
  await waitFor(() => expect(begun()).toMatchObject({ config: { mode: 'mega-moves' } }))
})

test('one package that was handed in under two names is one opponent, by either name', async () => {
  const twins = ['baby', 'walker'].map((name) => ({ name, agent: 'baby-hash', shipped: false, works: null }))
  const others = [{ name: 'greedy', agent: 'greedy-hash', shipped: true, works: true }]
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation((name) =>
    Promise.resolve(name === 'play.opponents' ? [...others, ...twins] : []),
  )
  render(NewPlay, { game: 'haggle', against: 'walker' })
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Against').value).toBe('baby-hash'))
  const labels = Array.from(screen.getByLabelText<HTMLSelectElement>('Against').options, ({ label }) => label)
  expect(labels).toEqual(['greedy (comes with Tartaglia)', 'baby, walker'])
})

test('an agent that fails its trial match is said to, stands last, and is not the first choice', async () => {
  const agent = (name: string, works: boolean | null) => ({ name, agent: `${name}-hash`, shipped: false, works })
  vi.mocked(call as (name: string) => Promise<unknown>).mockImplementation((name) =>
    Promise.resolve(
      name === 'play.opponents' ? [agent('broken', false), agent('untried', null), agent('good', true)] : [],
    ),
  )
  render(NewPlay, { game: 'haggle' })
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Against').value).toBe('untried-hash'))
  const labels = Array.from(screen.getByLabelText<HTMLSelectElement>('Against').options, ({ label }) => label)
  expect(labels).toEqual(['untried', 'good', 'broken: fails its trial match'])
})
