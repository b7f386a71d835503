import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../../renderer/connection/client.ts'
import ContestFacts from '../../../renderer/screens/contests/contest/contest-facts.svelte'
import { pictures } from '../../../renderer/charts/pictures.svelte.ts'
import ContestStandings from '../../../renderer/screens/contests/standings/contest-standings.svelte'
import Chosen from '../../../renderer/screens/histories/selected-match.svelte'
import { contest } from './contest-detail.ts'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

beforeEach(() => {
  standInForLayout()
  vi.mocked(call).mockReturnValue(new Promise(() => undefined))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** The link of each name; null: none. */
function namesLead(place: HTMLElement): Record<string, string | null> {
  const lead = (name: string): string | null =>
    within(place).getByText(name, { selector: 'bdi' }).closest('a[href]')?.getAttribute('href') ?? null
  return Object.fromEntries(['anna', 'anna 2', 'Human'].map((name) => [name, lead(name)]))
}
const expected = { anna: '#/agents/anna', 'anna 2': '#/agents/anna', Human: null }

test('a name in the standings leads to its agent, and that of a person nowhere: as ladder and as table', async () => {
  render(ContestStandings, { detail: contest })
  expect(namesLead(screen.getByRole('list'))).toEqual(expected)
  await fireEvent.click(screen.getAllByRole('button', { name: /Table/ })[0]!)
  expect(namesLead(screen.getByRole('table', { name: 'Standings' }))).toEqual(expected)
})

test('so do the names in the set-up, and those of a chosen history', () => {
  render(ContestFacts, { detail: contest })
  expect(namesLead(screen.getByRole('region'))).toEqual(expected)
  expect(screen.getByText('a person')).toBeTruthy()
  cleanup()
  const seats = [
    { name: 'Human', agent: null, rank: 1, score: 0, removed: false },
    { name: 'anna', agent: 'anna', rank: 2, score: 0, removed: false },
    { name: 'anna 2', agent: 'anna', rank: 3, score: 0, removed: true },
  ]
  render(Chosen, {
    match: { contest: 'c-1', title: 'Week 1', match: 0, seats, faults: 0, genuine: null },
    selected: false,
    onselect: () => undefined,
    onverdict: () => undefined,
  })
  expect(namesLead(screen.getByRole('region'))).toEqual(expected)
})

test('a contest without intelligence tells who treats others differently, how sure that is, and in which matches', () => {
  const finding = { about: 'Prices asked', other: 'anna 2', mean: 0.25, expected: 0.5 }
  const events = [
    { match: 4, input: 17, what: 'asks anna 2 for 0.25' },
    { match: 9, input: 3, what: 'asks <b>anna 2</b> for 0.2' },
  ]
  const report = {
    matches: 1_200,
    agents: [
      { agent: 'anna', p: 0.000_04, flagged: true, finding: { ...finding, events } },
      { agent: 'Human', p: 0.02, flagged: true, finding: { ...finding, other: 'anna', events: events.slice(0, 1) } },
      { agent: 'anna 2', p: 0.6, flagged: false, finding: { ...finding, other: 'anna', events: [] } },
    ],
  }
  render(ContestFacts, { detail: { ...contest, targeting: report } })
  const section = screen.getByRole('heading', { name: 'Targeting' }).closest('section')!
  expect(section.textContent).toMatch(/In 1,200 matches\s.*chance alone would almost never/s)
  // Those of whom nothing is clear are not told of.
  expect(
    [...section.querySelectorAll('ul > li > a')].map((name) => [name.textContent, name.getAttribute('href')]),
  ).toEqual([
    ['anna', '#/agents/anna'],
    ['Human', null],
  ])
  expect(
    within(section)
      .getAllByText(/^p [=<]/)
      .map(({ textContent }) => textContent),
  ).toEqual(['p < 0.0001', 'p = 0.02'])
  expect(section.textContent.replaceAll(/\s+/g, ' ')).toContain(
    'Prices asked: 0.25 with anna 2, where equal treatment would give about 0.5.',
  )
  expect(
    within(section)
      .getAllByRole('link', { name: 'Match 4' })
      .map((link) => link.getAttribute('href')),
  ).toEqual(['#/contests/c-1/matches/4', '#/contests/c-1/matches/4'])
  expect(within(section).getByRole('link', { name: 'Match 9' }).closest('li')!.textContent).toContain(
    'asks <b>anna 2</b> for 0.2',
  )
})

test('where nobody does, the clearest stands there with its probability; where nothing could be compared, that', () => {
  const finding = { about: 'Prices asked', other: 'Human', mean: 0.48, expected: 0.5, events: [] }
  const agents = [
    { agent: 'anna', p: 0.31, flagged: false, finding },
    { agent: 'anna 2', p: 0.9, flagged: false, finding },
  ]
  render(ContestFacts, { detail: { ...contest, targeting: { matches: 12, agents } } })
  expect(screen.getByText(/No sign in 12 matches that an agent treats others differently/)).toBeTruthy()
  expect(screen.getByText('p = 0.31')).toBeTruthy()
  expect(screen.queryByText('p = 0.9')).toBeNull()
  cleanup()
  render(ContestFacts, { detail: { ...contest, targeting: { matches: 1, agents: [] } } })
  expect(screen.getByText('Nothing in 1 match can be compared.')).toBeTruthy()
  cleanup()
  render(ContestFacts, { detail: contest })
  expect(screen.queryByRole('heading', { name: 'Targeting' })).toBeNull()
})

test('the round that an agent reached is beside its name, and intervals have a column where there are any', () => {
  const standings = contest.standings.map((each) => ({ ...each, stage: 2 }))
  if (pictures.asTables) pictures.toggle()
  render(ContestStandings, { detail: { ...contest, standings } })
  const [first] = within(screen.getByRole('list')).getAllByRole('listitem')
  expect(first!.textContent).toMatch(/anna\s*round 2.* points in round 2,/s)
  cleanup()
  pictures.toggle()
  render(ContestStandings, { detail: contest })
  expect(screen.queryByText('95 % interval')).toBeNull()
  cleanup()
  render(ContestStandings, { detail: { ...contest, intervals: [[1, 2], null, null] } })
  expect(screen.getByText('95 % interval')).toBeTruthy()
})

test('of more agents than are counted against each other that is said, where a picture would be blank', async () => {
  const many = { ...contest, summary: { ...contest.summary, entrants: 201 } }
  render(ContestStandings, { detail: many })
  const said = 'Too many agents to set against each other'
  expect(screen.getByText(said)).toBeTruthy()
  cleanup()
  render(ContestStandings, { detail: { ...many, summary: { ...many.summary, entrants: 200 } } })
  expect(screen.queryByText(said)).toBeNull()
})
