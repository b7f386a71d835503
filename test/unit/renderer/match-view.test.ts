import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ComponentProps } from 'svelte'
import type { MatchDetail, MatchEvent, OutlinePage } from '../../../main/contract/procedures/procedures.ts'
import type { ListedComment } from '../../../main/contract/histories/comments.ts'
import type { OtherAnswer } from '../../../main/contract/histories/other-answers.ts'
import { call } from '../../../renderer/connection/client.ts'
import { listenForKeys } from '../../../renderer/navigation/shortcuts.svelte.ts'
import MatchView from '../../../renderer/screens/match/match-view.svelte'
import { drawn } from './counting/drawn.ts'
import { counting } from './counting/game.ts'
import { standInForLayout } from './layout.ts'
import { visit } from './visit.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: () => () => undefined,
}))
vi.mock(import('../../../renderer/games.ts'), async (original) => ({
  ...(await original()),
  gameWindow: (id) => (id === counting.id ? counting : null),
}))

const names = ['Anna', 'Ben']
const facts = {
  contest: 'c-1',
  match: 3,
  game: 'counting',
  seats: names.map((name, id) => ({ id, name, entrant: id, role: 'player', bodies: 1 })),
}
const outcome = { places: names.map((_, seat) => ({ seat, rank: seat + 1, score: 0, removed: false })) }
const added = [4, 5, 0, 3]

/** The program's answer about comments. */
let comments: readonly ListedComment[] = []

const opponents = [
  { name: 'Cleo', agent: 'c'.repeat(64), shipped: false, works: true },
  { name: 'baby', agent: 'b'.repeat(64), shipped: true, works: true },
]
/** The program's answer about another agent. */
let otherAnswer: Partial<OtherAnswer> = {}

/** The program's view of a match of additions; a number above 9 is against the rules. */
function outlineOf(adds: readonly number[]): OutlinePage {
  const bad = adds.findIndex((add) => add > 9)
  const good = bad === -1 ? adds : adds.slice(0, bad)
  return {
    from: 0,
    at: good.map((_, at) => at * 10),
    round: good.map((_, at) => 1 + Math.floor(at / 2)),
    seat: good.map((_, at) => at % 2),
    lines: good.map((add) => (add === 0 ? 1 : 2)),
    levels: good.flatMap((add, at) => (at % 2 === 0 ? [add, 0] : [0, add])),
    marks: good.flatMap((add, event): OutlinePage['marks'] => {
      if (add === 0) return [{ event, seat: event % 2, kind: 'fault' }]
      // Its second line tells it.
      return add === 3 ? [{ event, seat: event % 2, kind: 'removed', line: 1 }] : []
    }),
    // In their second lines.
    swings: good.flatMap((add, event) => (add > 3 ? [{ event, seat: event % 2, amount: -add, line: 1 }] : [])),
    restricted: [],
    initial: [7, 7],
    states: [],
    last: true,
    broken: bad === -1 ? null : `Event ${bad + 1} does not follow the rules: that is too much.`,
  }
}

function program(adds: readonly number[], game = 'counting') {
  const events = adds.map((add, at): MatchEvent => ({
    n: at,
    at: at * 10,
    kind: 'input',
    input: { seat: at % 2, add },
  }))
  // Facts of which a viewer reads as much as stands here.
  const detail = { facts: { ...facts, game }, config: null, seed: '0'.repeat(64), outcome, events: events.length }
  const answers: Record<string, (input: { offset: number; limit: number }) => unknown> = {
    'matches.get': () => detail as unknown as MatchDetail,
    'matches.outline': () => outlineOf(adds),
    'matches.state': () => null,
    'histories.comments': () => comments,
    'play.opponents': () => opponents,
    'matches.otherAnswer': () => otherAnswer,
    'matches.stopOtherAnswer': () => null,
    'matches.events': ({ offset, limit }) => ({
      items: events.slice(offset, offset + limit),
      offset,
      total: events.length,
    }),
  }
  vi.mocked(call as (name: string, input: never) => Promise<unknown>).mockImplementation((name, input) =>
    Promise.resolve(answers[name]!(input)),
  )
}

beforeEach(() => {
  comments = []
  standInForLayout()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function open(adds = added, game?: string, more: Partial<ComponentProps<typeof MatchView>> = {}) {
  program(adds, game)
  render(MatchView, {
    source: { from: 'contest', contest: 'c-1', match: 3 },
    title: 'Match 3',
    back: { href: '#/contests/c-1', label: 'The contest' },
    ...more,
  })
  await waitFor(() => expect(screen.queryByText('Opening the match…')).toBeNull())
}
const players = () => within(screen.getByRole('list', { name: 'Players' })).getAllByRole('listitem')
const slider = () => screen.getByRole('slider', { name: 'Place in the match' })

test('a game is shown in its own words, without a line about it in the screens', async () => {
  await open()
  expect(screen.getByRole('heading', { name: 'The sum' })).toBeTruthy()
  expect(players().map((each) => each.textContent.replace(/\s+/g, ' ').trim())).toEqual([
    expect.stringMatching(/Anna 7 counted ends 1st/),
    expect.stringMatching(/Ben 7 counted ends 2nd/),
  ])
  const rows = within(await screen.findByRole('listbox', { name: 'Events' })).getAllByRole('option')
  expect(rows).toHaveLength(7)
  expect(rows.map((each) => each.textContent.replace(/\s+/g, ' ').trim()).slice(0, 3)).toEqual([
    expect.stringMatching(/^1 0 ms .*Anna adds 4\. Rule 1$/),
    expect.stringMatching(/Told short\. 2: a large swing Rule 1$/),
    expect.stringMatching(/^2 10 ms .*Ben adds 5\. Rule 1$/),
  ])
})

test('its components are told where one is, and can go elsewhere', async () => {
  await open()
  await fireEvent.input(slider(), { target: { value: '4' } })
  await waitFor(() => expect(screen.getAllByText(/Sum: 12 at 4, row 5/)).toHaveLength(2))
  expect(screen.getByRole('tab', { name: /^Sum/ }).textContent).toMatch(/12/)
  await fireEvent.click(screen.getAllByRole('button', { name: 'To the first' })[0]!)
  await waitFor(() => expect(screen.getAllByText(/Sum: 4 at 1, row 0/)).toHaveLength(2))
})

test('a row that is picked shows what lies behind it; a mark is gone to', async () => {
  await open()
  await fireEvent.click(screen.getByText('Ben adds 5.'))
  await waitFor(() => expect(slider()).toHaveProperty('value', '2'))
  expect(screen.getByRole('tab', { name: 'Event' }).getAttribute('aria-selected')).toBe('true')
  await fireEvent.click(screen.getByRole('button', { name: 'Next mark' }))
  await waitFor(() => expect(slider()).toHaveProperty('value', '3'))
})

const chosenRow = () =>
  within(screen.getByRole('listbox', { name: 'Events' }))
    .getByRole('option', { selected: true })
    .getAttribute('aria-posinset')

test('each line of an event is a step, and the end is its last line', async () => {
  await open()
  const step = async (name: string): Promise<void> => {
    await fireEvent.click(screen.getByRole('button', { name }))
  }
  await step('Step')
  expect([slider(), chosenRow()]).toMatchObject([{ value: '1' }, '1'])
  await step('Step')
  expect([slider(), chosenRow()]).toMatchObject([{ value: '1' }, '2'])
  await step('Step')
  expect([slider(), chosenRow()]).toMatchObject([{ value: '2' }, '3'])
  await step('End')
  expect([slider(), chosenRow()]).toMatchObject([{ value: '4' }, '7'])
  expect(screen.getByRole('button', { name: 'Step' })).toHaveProperty('disabled', true)
  await step('Step back')
  expect([slider(), chosenRow()]).toMatchObject([{ value: '4' }, '6'])
})

test('a mark is gone to where the very line tells it', async () => {
  await open()
  await fireEvent.click(screen.getByRole('button', { name: 'Next mark' }))
  expect(chosenRow()).toBe('5')
  await fireEvent.click(screen.getByRole('button', { name: 'Next mark' }))
  expect([slider(), chosenRow()]).toMatchObject([{ value: '4' }, '7'])
})

test('the address keeps where one is: the move, its line, the panel', async () => {
  visit('#/contests/c-1/matches/3?as=panel&at=20&seat=1')
  await open()
  await fireEvent.click(screen.getByRole('button', { name: 'End' }))
  await fireEvent.click(screen.getByRole('tab', { name: 'Event' }))
  await waitFor(() => expect(location.hash).toBe('#/contests/c-1/matches/3?as=panel&move=4&line=2&tab=event'))
  cleanup()
  await open(added, undefined, { moment: { position: 4, line: 1 }, panel: 'event' })
  await waitFor(() => expect([slider(), chosenRow()]).toMatchObject([{ value: '4' }, '7']))
  expect(screen.getByRole('tab', { name: 'Event' }).getAttribute('aria-selected')).toBe('true')
})

test('it reads as text, round by round', async () => {
  await open()
  await fireEvent.click(screen.getByRole('button', { name: 'Read as text' }))
  const text = screen.getByRole('region', { name: 'The match as text' })
  expect(
    within(text)
      .getAllByRole('heading')
      .map((each) => each.textContent),
  ).toEqual(['Largest swings', 'Round 1', 'Round 2'])
  expect(within(text).getAllByText('Told exact.')).toHaveLength(3)
  expect(within(text).getByText('After 5.')).toBeTruthy()
})

test('until the first state is here the panel says that it is being read', async () => {
  const events = Promise.withResolvers<unknown>()
  program(added)
  const answers = vi.mocked(call as (name: string, input: never) => Promise<unknown>).getMockImplementation()!
  vi.mocked(call as (name: string, input: never) => Promise<unknown>).mockImplementation((name, input) =>
    name === 'matches.events' ? events.promise : answers(name, input),
  )
  render(MatchView, {
    source: { from: 'file', file: 'f-1' },
    title: 'A match from a file',
    back: { href: '#/histories', label: 'Histories' },
  })
  await screen.findByText('Reading the match…')
  events.resolve(await answers('matches.events', { offset: 0, limit: 4 } as never))
  await waitFor(() => expect(screen.queryByText('Reading the match…')).toBeNull())
})

test('what its rules refuse ends the match in words; a game without a window is said to have none', async () => {
  await open([4, 10, 1])
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('Event 2 does not follow the rules: that is too much.')
  cleanup()
  await open(added, 'of a later version')
  expect(screen.getByRole('alert').textContent).toContain('There is no viewer for the game of a later version yet.')
})

test('a step does not work out anew what hangs on the match alone', async () => {
  await open()
  const stepTo = async (position: number): Promise<void> => {
    await fireEvent.input(slider(), { target: { value: String(position) } })
    await waitFor(() => expect(screen.getAllByText(new RegExp(` at ${position}, row`))).toHaveLength(2))
  }
  await stepTo(1)
  const before = drawn.times
  await stepTo(2)
  await stepTo(3)
  expect(drawn.times).toBe(before)
})

describe('the largest swings', () => {
  const listed = () =>
    within(screen.getByRole('list', { name: 'Largest swings' }))
      .getAllByRole('listitem')
      .map((each) => each.textContent.replace(/\s+/g, ' ').trim())

  test('are listed with their rounds; the event list marks their lines, which picking and S lead to', async () => {
    const stop = listenForKeys(window)
    await open()
    await fireEvent.click(screen.getByRole('tab', { name: /^Swings/ }))
    await waitFor(() =>
      expect(listed()).toEqual([
        expect.stringMatching(/^1 .*Round 1: Ben spends 5\.$/),
        expect.stringMatching(/^2 .*Round 1: Anna spends 4\.$/),
      ]),
    )
    const marked = within(screen.getByRole('listbox', { name: 'Events' })).getAllByTitle(/^Swing/)
    expect(marked.map((each) => each.closest('[role=option]')?.getAttribute('aria-posinset'))).toEqual(['2', '4'])
    await fireEvent.click(screen.getByRole('button', { name: /Ben spends 5/ }))
    expect([slider(), chosenRow()]).toMatchObject([{ value: '2' }, '4'])
    await fireEvent.keyDown(window, { key: 'S' })
    expect([slider(), chosenRow()]).toMatchObject([{ value: '1' }, '2'])
    expect(screen.getByRole('button', { name: /Anna spends 4/ }).getAttribute('aria-current')).toBe('step')
    stop()
  })

  test('stand where a match begins and its first panel has nothing to show yet, until one goes on', async () => {
    const selected = () => screen.getByRole('tab', { selected: true }).textContent
    await open()
    await waitFor(() => expect(listed()).toHaveLength(2))
    await fireEvent.input(slider(), { target: { value: '1' } })
    await waitFor(() => expect(selected()).toMatch(/^Sum/))
    await fireEvent.input(slider(), { target: { value: '0' } })
    await fireEvent.click(await screen.findByRole('button', { name: /Ben spends 5/ }))
    expect(slider()).toMatchObject({ value: '2' })
    expect(selected()).toMatch(/^Swings/)
  })

  test('are told by the text as by the list', async () => {
    await open()
    await fireEvent.click(screen.getByRole('button', { name: 'Read as text' }))
    await waitFor(() => expect(listed()).toHaveLength(2))
    expect(listed()).toEqual([
      expect.stringContaining('Round 1: Ben spends 5.'),
      expect.stringContaining('Round 1: Anna spends 4.'),
    ])
  })

  test('are the eight largest, and one who watches as a seat knows of none before it happens', async () => {
    await open([4, 9, 5, 9, 4, 9, 5, 9, 4, 9, 5, 9], undefined, { as: '0' })
    const tab = () => screen.getByRole('tab', { name: /^Swings/ }).textContent
    expect(tab()).toMatch(/0$/)
    await fireEvent.click(screen.getByRole('button', { name: 'End' }))
    await waitFor(() => expect(tab()).toMatch(/8$/))
    await fireEvent.click(screen.getByRole('tab', { name: /^Swings/ }))
    await waitFor(() => expect(listed()).toHaveLength(8))
    expect(listed().filter((each) => each.includes('Ben spends 9'))).toHaveLength(6)
    expect(listed().filter((each) => each.includes('Anna spends 5'))).toHaveLength(2)
  })
})

describe('two viewers side by side', () => {
  /** Ben's first addition is known to Ben alone while the match runs. */
  function withSecret(): void {
    const answers = vi.mocked(call as (name: string, input: never) => Promise<unknown>).getMockImplementation()!
    vi.mocked(call as (name: string, input: never) => Promise<unknown>).mockImplementation(async (name, input) => {
      const answer = await answers(name, input)
      if (name === 'matches.outline')
        return { ...(answer as OutlinePage), restricted: [{ event: 1, audience: [1] }] } satisfies OutlinePage
      if (name !== 'matches.events') return answer
      const page = answer as { readonly items: readonly MatchEvent[] }
      return { ...page, items: page.items.map((event) => (event.n === 1 ? { ...event, audience: [1] } : event)) }
    })
  }
  async function openPair(as: string | undefined, and: string) {
    program(added)
    withSecret()
    render(MatchView, {
      source: { from: 'contest', contest: 'c-1', match: 3 },
      title: 'Match 3',
      back: { href: '#/contests/c-1', label: 'The contest' },
      as,
      and,
    })
    return Promise.all(['Anna (seat A)', 'Ben (seat B)'].map((name) => screen.findByRole('region', { name })))
  }
  const rowsOf = (view: HTMLElement) => within(within(view).getByRole('listbox', { name: 'Events' }))
  const chosenIn = (view: HTMLElement) => rowsOf(view).getByRole('option', { selected: true }).textContent

  test('show the same move, each what it knew, and a line chosen in one is chosen in both', async () => {
    const [anna, ben] = (await openPair('0', '1')) as [HTMLElement, HTMLElement]
    await waitFor(() => expect(rowsOf(ben).getAllByRole('option')).toHaveLength(7))
    expect(rowsOf(anna).getAllByRole('option')).toHaveLength(6)
    expect(within(anna).queryByText('Ben adds 5.')).toBeNull()
    await fireEvent.click(await rowsOf(ben).findByText('Ben adds 5.'))
    await waitFor(() => expect(chosenIn(anna)).toContain('Not visible to this seat at that moment.'))
    expect(chosenIn(ben)).toContain('Ben adds 5.')
    expect(slider()).toHaveProperty('value', '2')
    await fireEvent.click(screen.getByRole('button', { name: 'End' }))
    await waitFor(() => expect(chosenIn(ben)).toContain('Told short.'))
    expect(chosenIn(anna)).toContain('Told short.')
  })

  test('are kept by the address; the second view is closed where it was opened', async () => {
    visit('#/contests/c-1/matches/3?as=0&and=1')
    await openPair('0', '1')
    await fireEvent.click(screen.getByRole('button', { name: 'Step' }))
    await waitFor(() => expect(location.hash).toMatch(/^#\/contests\/c-1\/matches\/3\?as=0&and=1&move=1/))
    await fireEvent.change(screen.getByLabelText('Watch as'), { target: { value: 'panel' } })
    expect(location.hash).toMatch(/\?as=panel&and=1&move=1/)
    await fireEvent.change(screen.getByLabelText('Beside'), { target: { value: '' } })
    expect(location.hash).not.toContain('and=')
  })
})

describe('comments', () => {
  const comment = (event: number, line: number, more: Partial<ListedComment> = {}): ListedComment => ({
    id: `00000000-0000-4000-8000-00000000000${event}`,
    event,
    line,
    by: 'Panel',
    text: `About ${event}`,
    written: '2026-01-02T03:04:05.000Z',
    own: true,
    ...more,
  })
  const items = () => within(screen.getByRole('list', { name: 'Comments' })).getAllByRole('listitem')

  test('stand in the list of events and in a list of their own, as text; an own one is deleted', async () => {
    comments = [comment(1, 1, { text: '<b>why\u202e?</b>' }), comment(3, 0, { own: false })]
    await open(added, undefined, { panel: 'comments' })
    await waitFor(() => expect(items()).toHaveLength(2))
    expect(items()[0]!.textContent).toContain('<b>why‹U+202E›?</b>')
    expect(items()[1]!.textContent).toContain('from an opened archive')
    const marked = within(screen.getByRole('listbox', { name: 'Events' })).getAllByTitle('1 comment')
    expect(marked.map((each) => each.closest('[role=option]')?.getAttribute('aria-posinset'))).toEqual(['4', '6'])
    await fireEvent.click(within(items()[0]!).getByRole('button', { name: 'Event 2, line 2' }))
    expect([slider(), chosenRow()]).toMatchObject([{ value: '2' }, '4'])
    expect(within(items()[1]!).queryByRole('button', { name: /Delete/ })).toBeNull()
    const answers = vi.mocked(call as (name: string, input: never) => Promise<unknown>).getMockImplementation()!
    vi.mocked(call as (name: string, input: never) => Promise<unknown>).mockImplementation((name, input) =>
      name === 'histories.deleteComment' ? Promise.resolve([comments[1]]) : answers(name, input),
    )
    await fireEvent.click(within(items()[0]!).getByRole('button', { name: /Delete/ }))
    await waitFor(() => expect(items()).toHaveLength(1))
  })

  test('are written on the chosen line', async () => {
    await open(added, undefined, { panel: 'comments', moment: { position: 2, line: 1 } })
    const written: unknown[] = []
    const answers = vi.mocked(call as (name: string, input: never) => Promise<unknown>).getMockImplementation()!
    vi.mocked(call as (name: string, input: never) => Promise<unknown>).mockImplementation((name, input) => {
      if (name !== 'histories.comment') return answers(name, input)
      written.push(input)
      return Promise.resolve([comment(1, 1)])
    })
    await fireEvent.input(await screen.findByLabelText('Comment on Event 2, line 2'), { target: { value: ' Odd. ' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Write the comment' }))
    await waitFor(() => expect(items()).toHaveLength(1))
    const source = { from: 'contest', contest: 'c-1', match: 3 }
    expect(written).toEqual([{ source, comment: { event: 1, line: 1, by: '', text: 'Odd.' } }])
    expect(screen.getByLabelText('Comment on Event 2, line 2')).toHaveProperty('value', '')
  })

  test('on what one who watches as a seat does not know yet, or never, are not shown', async () => {
    comments = [comment(0, 0), comment(3, 0)]
    await open(added, undefined, { as: '0', panel: 'comments', moment: { position: 1, line: 0 } })
    await waitFor(() => expect(items()).toHaveLength(1))
  })
})

describe('another agent', () => {
  const unchanged = { event: 1, moves: 1, same: true, differs: null, failed: null, first: 1, console: [] }
  const adds = (add: number) => [{ n: 0, at: 10, kind: 'input', input: { seat: 1, add } }] as const
  async function ask(answer: Partial<OtherAnswer>): Promise<void> {
    otherAnswer = { ...unchanged, ...answer }
    await open()
    await fireEvent.click(screen.getByRole('tab', { name: 'What if?' }))
    const seat = await screen.findByRole('combobox', { name: 'In place of' })
    await fireEvent.change(seat, { target: { value: '1' } })
    await fireEvent.change(screen.getByRole('combobox', { name: 'Ask' }), { target: { value: 'b'.repeat(64) } })
    await fireEvent.click(screen.getByRole('button', { name: 'What would it play here?' }))
    await waitFor(() => expect(screen.getByRole('region', { name: 'The answers compared' })).toBeTruthy())
  }
  const compared = () => screen.getByRole('region', { name: 'The answers compared' }).textContent

  test('is asked in place of a seat at the moment shown, and its answer stands beside what was played', async () => {
    await ask({ events: adds(2), shown: [0], same: false, differs: 1 })
    const [, wish] = vi.mocked(call).mock.calls.find(([name]) => name === 'matches.otherAnswer')!
    const source = { from: 'contest', contest: 'c-1', match: 3 }
    expect(wish).toMatchObject({ source, position: 0, seat: 1, agent: 'b'.repeat(64) })
    expect(compared()).toMatch(/Played: Ben, event 2.*5.*baby would have played.*2.*first of 1 move/s)
    await fireEvent.click(within(screen.getByRole('region', { name: 'The answers compared' })).getByRole('button'))
    expect(slider().getAttribute('value') ?? (slider() as HTMLInputElement).value).toBe('2')
  })

  test('answers the same, or has failed before', async () => {
    await ask({ events: adds(5), shown: [0] })
    expect(compared()).toMatch(/The same\./)
    cleanup()
    const fault = { kind: 'crash', text: 'No idea.' } as const
    await ask({ events: [], shown: [], same: false, failed: { event: 1, fault } })
    expect(compared()).toMatch(/It failed at event 2: No idea\./)
  })
})
