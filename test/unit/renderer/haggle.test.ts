import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { MatchDetail, MatchEvent, OutlinePage } from '../../../main/contract/procedures/procedures.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { config, newContestSettings } from '../../../main/referees/haggle/config.ts'
import { haggle } from '../../../main/referees/haggle/haggle.ts'
import type { Input } from '../../../main/referees/haggle/input.ts'
import { worth } from '../../../main/referees/haggle/rules.ts'
import { scenariosOf } from '../../../main/referees/haggle/scenario.ts'
import { call } from '../../../renderer/connection/client.ts'
import { frontierOf, nashPoint } from '../../../renderer/games/haggle/frontier.ts'
import { settings } from '../../../renderer/games/haggle/settings.ts'
import { story } from '../../../renderer/games/haggle/story.ts'
import MatchView from '../../../renderer/screens/match/match-view.svelte'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))

const game = eraseGame(haggle)
const names = ['Anna', 'Ben']
const facts = {
  contest: 'c-1',
  match: 3,
  game: 'haggle',
  seats: names.map((name, id) => ({ id, name, entrant: id, role: 'negotiator', bodies: 1 })),
}
/** Seed 1: objects 4 1 1, worth 0 8 2 to the first side and 2 0 2 to the second. */
const seed = `00000001${'0'.repeat(56)}`

/** A program that has this session's history, as the worker folds it. */
function program(inputs: readonly Input[]): void {
  const complete = config.parse({}) as unknown as Json
  const fold = game.fold(complete, facts.seats, seed)
  const initial = fold.levels()
  const told = inputs.map((input) => {
    const outline = fold.outline(input as unknown as Json)
    if (typeof outline === 'string') throw new Error(outline)
    return { ...outline, levels: fold.levels() }
  })
  const events = inputs.map((input, n): MatchEvent => {
    return { n, at: n * 10, kind: 'input', input: input as unknown as Json }
  })
  const page: OutlinePage = {
    from: 0,
    at: events.map(({ at }) => at),
    round: told.map(({ round }) => round),
    seat: told.map(({ seat }) => seat ?? -1),
    lines: told.map(({ lines }) => lines),
    levels: told.flatMap(({ levels }) => levels),
    marks: told.flatMap(({ marks }, event) => marks.map((mark) => ({ ...mark, event }))),
    swings: told.flatMap(({ swings }, event) => swings.map((swing) => ({ ...swing, event }))),
    restricted: [],
    initial,
    states: [],
    last: true,
    broken: null,
  }
  const detail = { facts, config: complete, seed, outcome: fold.outcome(), events: events.length }
  const answers: Record<string, (input: { offset: number; limit: number }) => unknown> = {
    'matches.get': () => detail as unknown as MatchDetail,
    'matches.outline': () => page,
    'matches.state': () => null,
    'histories.comments': () => [],
    'matches.events': ({ offset, limit }) => {
      return { items: events.slice(offset, offset + limit), offset, total: events.length }
    },
  }
  vi.mocked(call as (name: string, input: never) => Promise<unknown>).mockImplementation((name, input) =>
    Promise.resolve(answers[name]!(input)),
  )
}

beforeEach(() => {
  standInForLayout()
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function open(inputs: readonly Input[], as?: string): Promise<void> {
  program(inputs)
  render(MatchView, {
    source: { from: 'contest', contest: 'c-1', match: 3 },
    title: 'Match 3',
    back: { href: '#/contests/c-1', label: 'The contest' },
    as,
  })
  await waitFor(() => expect(screen.queryByText(/^(Opening|Reading) the match…$/)).toBeNull())
}
const words = (element: Element): string => (element.textContent ?? '').replace(/\s+/g, ' ').trim()
const players = () =>
  within(screen.getByRole('list', { name: 'Players' }))
    .getAllByRole('listitem')
    .map(words)
const slider = () => screen.getByRole('slider', { name: 'Place in the match' })
const shares = () => within(screen.getByRole('region', { name: 'Shares, turn by turn' })).getAllByRole('listitem')

const deal: readonly Input[] = [
  { type: 'answer', seat: 0, value: [4, 1, 1] },
  { type: 'answer', seat: 1, value: [4, 0, 1] },
  { type: 'answer', seat: 0, value: null },
]

describe('a session in the window', () => {
  test('is told in sentences, with what each offer is worth to both', async () => {
    await open(deal)
    const rows = within(await screen.findByRole('listbox', { name: 'Events' })).getAllByRole('option')
    await waitFor(() =>
      expect(rows.map(words)).toEqual([
        expect.stringContaining(
          'Anna wants 4 books, 1 hat and 1 ball and leaves Ben nothing: $10 for Anna, $0 for Ben.',
        ),
        expect.stringContaining('Ben wants 4 books and 1 ball and leaves Anna 1 hat: $8 for Anna, $10 for Ben.'),
        expect.stringContaining('Anna accepts: $8 for Anna, $10 for Ben.'),
      ]),
    )
  })

  test('shows both shares turn by turn and goes to the turn that is chosen', async () => {
    await open(deal)
    expect(players()).toEqual([expect.stringMatching(/Anna \$0/), expect.stringMatching(/Ben \$0/)])
    await waitFor(() => expect(shares()).toHaveLength(3))
    const second = shares()[1]!
    expect(within(second).getByRole('img', { name: '0 book, 1 hat, 0 ball' })).toBeTruthy()
    expect(within(second).getByRole('img', { name: '4 book, 0 hat, 1 ball' })).toBeTruthy()
    await fireEvent.click(within(second).getByRole('button'))
    await waitFor(() => expect(slider()).toHaveProperty('value', '2'))
    expect(players()).toEqual([expect.stringMatching(/Anna \$8 ends 2nd/), expect.stringMatching(/Ben \$10 ends 1st/)])
    expect(shares()[1]!.getAttribute('aria-current')).toBe('step')
  })

  test('says so where nothing has been offered yet, as when an agent only prints', () => {
    const told = story({ facts, config: config.parse({}), seed } as unknown as MatchDetail, 'public')
    const table = { at: 1, seat: 0, round: 1, kind: 'console', text: 'x', ending: null }
    const state = (shares: unknown) => told.state({ ...table, shares, worths: [0, 0] } as never)
    expect(state(null)).toBe('Nothing has been offered yet.')
    expect(state([[], []])).toBe('On the table: $0 for Anna, $0 for Ben.')
  })

  test('draws the path of the offers over the frontier, and says the same to those who cannot see it', async () => {
    await open(deal)
    const picture = await screen.findByRole('img', {
      name: '2 offers; the deal is worth 8 to Anna and 10 to Ben. The Nash point is worth 10 and 8.',
    })
    // The hat and the ball to Anna and the books to Ben: $10 and $8. The ball to Ben as well: $8 and $10. Nothing else is as good.
    expect(picture.querySelectorAll('.best')).toHaveLength(2)
    expect(picture.querySelectorAll('.offer')).toHaveLength(2)
    expect(picture.querySelectorAll('.deal')).toHaveLength(1)
    await fireEvent.click(screen.getByRole('button', { name: 'Read as text' }))
    const text = screen.getByRole('region', { name: 'The match as text' })
    await waitFor(() => expect(words(text)).toContain('On the table: $8 for Anna, $10 for Ben.'))
    expect(words(text)).toContain('They have agreed.')
  })

  test('says who walked away and why; then nobody has anything', async () => {
    await open([deal[0]!, { type: 'abort', seat: 1, reason: 'AI timeout' }])
    await fireEvent.input(slider(), { target: { value: '2' } })
    await waitFor(() => expect(players()[1]).toMatch(/Ben \$0 removed/))
    expect(screen.getAllByText(/Ben walks away: AI timeout/).length).toBeGreaterThan(0)
    expect(
      await screen.findByRole('img', { name: '1 offer and no deal. The Nash point is worth 10 and 8.' }),
    ).toBeTruthy()
  })
})

describe('a session that is watched as somebody', () => {
  const everything = (): string => words(document.body)

  test('as a side: what it valued, in sentences, pictures and shares, and not what the other did before the end', async () => {
    await open(deal, '0')
    expect(screen.getByRole('combobox', { name: 'Watch as' })).toHaveProperty('value', '0')
    expect(words(screen.getByRole('status'))).toBe('What is shown is what Anna could know at each moment.')
    const rows = within(await screen.findByRole('listbox', { name: 'Events' })).getAllByRole('option')
    await waitFor(() => expect(words(rows[1]!)).toContain('leaves Anna 1 hat: $8 for Anna.'))
    await fireEvent.input(slider(), { target: { value: '2' } })
    await waitFor(() => expect(shares()).toHaveLength(2))
    expect(players()).toEqual([expect.stringMatching(/Anna \$8$/), expect.stringMatching(/Ben not known$/)])
    const table = within(screen.getByRole('table', { name: 'What one object is worth' }))
    expect(table.getAllByText('not known')).toHaveLength(3)
    expect(await screen.findByRole('img', { name: '2 offers; the last one is worth $8 to Anna.' })).toBeTruthy()
    expect(everything()).not.toMatch(/\$\d+ (for|to) Ben/)
    expect(words(rows[2]!)).toContain('Anna accepts: $8 for Anna.')
    await fireEvent.click(screen.getByRole('tab', { name: 'Event' }))
    expect(words(screen.getByRole('region', { name: 'The chosen event' }))).toMatch(/To Ben ?4 books and 1 ball$/)
    await fireEvent.input(slider(), { target: { value: '3' } })
    await waitFor(() =>
      expect(players()).toEqual([
        expect.stringMatching(/Anna \$8 ends 2nd/),
        expect.stringMatching(/Ben \$10 ends 1st/),
      ]),
    )
  })

  test('as the panel: both sides’ values, and not yet what comes', async () => {
    await open(deal, 'panel')
    await fireEvent.input(slider(), { target: { value: '1' } })
    await waitFor(() =>
      expect(players()).toEqual([expect.stringMatching(/Anna \$10$/), expect.stringMatching(/Ben \$0$/)]),
    )
    expect(
      await screen.findByRole('img', { name: '1 offer and no deal so far. The Nash point is worth 10 and 8.' }),
    ).toBeTruthy()
  })

  test('as somebody else from now on, by an address', async () => {
    location.hash = '#/contests/c-1/matches/3?as=0'
    await open(deal, '0')
    await fireEvent.change(screen.getByRole('combobox', { name: 'Watch as' }), { target: { value: '1' } })
    expect(location.hash).toBe('#/contests/c-1/matches/3?as=1')
  })

  test('as a seat that the match has not: that is said, and it is shown as everybody sees it', async () => {
    await open(deal, '7')
    expect(words(screen.getByRole('status'))).toBe('This match has no viewer called “7”: the public view is shown.')
    expect(screen.getByRole('combobox', { name: 'Watch as' })).toHaveProperty('value', 'public')
    expect(await screen.findByRole('heading', { name: 'Path of the offers' })).toBeTruthy()
  })
})

describe('the frontier', () => {
  test('is that of all divisions, tried one by one', () => {
    const space = { types: 3, minObjects: 1, maxObjects: 8, totalValue: 12, generator: 'original' as const }
    const scenarios = scenariosOf(space)
    if (typeof scenarios === 'string') throw new Error(scenarios)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 32 - 1 }), (number) => {
        const { counts, values } = scenarios.scenario(number)
        let shares: number[][] = [[]]
        for (const count of counts) {
          shares = shares.flatMap((share) => Array.from({ length: count + 1 }, (_, taken) => [...share, taken]))
        }
        const all = shares.map((share) => {
          const rest = counts.map((count, type) => count - share[type]!)
          return [worth(share, values[0]), worth(rest, values[1])] as const
        })
        const best = all.filter(([a, b]) => !all.some(([c, d]) => c >= a && d >= b && (c > a || d > b)))
        const unique = [...new Map(best.map((pair) => [pair.join(), pair])).values()].sort((p, q) => q[0] - p[0])
        expect(frontierOf({ counts, values })).toEqual(unique)
      }),
    )
  })

  test('of a scenario that is too large is left out', () => {
    const values = [[1_000_000], [1_000_000]] as const
    expect(frontierOf({ counts: [100], values })).toBeNull()
  })
})

test('the settings of a session are fields with words, and what no scenario fits is said', () => {
  expect(config.parse(settings.config(settings.initial))).toEqual(config.parse(newContestSettings))
  expect(settings.problems(settings.initial)).toEqual({})
  expect(Object.values(settings.problems({ ...settings.initial, types: 9 }))).toEqual([
    expect.stringContaining('9 types'),
  ])
  expect(settings.words({})).toContainEqual(['Rounds', '5'])
})

test('the Nash point has the largest product of what both get; of equal ones it is the more equal', () => {
  expect(
    nashPoint([
      [10, 2],
      [8, 5],
      [5, 8],
      [1, 10],
    ]),
  ).toEqual([8, 5])
  expect(
    nashPoint([
      [9, 4],
      [6, 6],
    ]),
  ).toEqual([6, 6])
  expect(nashPoint([])).toBeNull()
})

describe('the largest swings of a session', () => {
  const listed = async () => {
    await fireEvent.click(screen.getByRole('tab', { name: /^Swings/ }))
    const list = await screen.findByRole('list', { name: 'Largest swings' })
    await waitFor(() => expect(list.textContent).not.toContain('…'))
    return within(list).getAllByRole('listitem').map(words)
  }

  test('are what a side gives up against its last demand', async () => {
    await open(deal)
    expect(await listed()).toEqual([
      expect.stringContaining('Round 2: Anna accepts $8, $2 less than it demanded last.'),
    ])
  })

  test('are what lay on the table where there is no deal, told to each side of its own only', async () => {
    const parted: readonly Input[] = [
      { type: 'answer', seat: 0, value: [0, 1, 0] },
      { type: 'abort', seat: 1, reason: 'No.' },
    ]
    await open(parted)
    expect(await listed()).toEqual([
      expect.stringContaining('Round 1: Ben loses $10 that lay on the table: there is no deal.'),
      expect.stringContaining('Round 1: Anna loses $8 that lay on the table: there is no deal.'),
    ])
    cleanup()
    await open(parted, '1')
    await fireEvent.click(screen.getByRole('button', { name: 'End' }))
    expect(await listed()).toEqual([expect.stringContaining('Ben loses $10')])
  })
})
