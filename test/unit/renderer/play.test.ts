import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import type { Play, PlayLine } from '../../../main/contract/procedures/human-match.ts'
import { call, subscribe } from '../../../renderer/connection/client.ts'
import HagglePlay from '../../../renderer/games/haggle/play.svelte'
import { sessionOf } from '../../../renderer/games/haggle/session.ts'
import { leaving } from '../../../renderer/navigation/leaving.svelte.ts'
import PlayScreen from '../../../renderer/screens/play/play.svelte'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
  subscribe: vi.fn(),
}))

beforeEach(() => {
  vi.mocked(subscribe).mockReturnValue(() => undefined)
})
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

const table = (value: Json): PlayLine => ({ from: 'table', value })
const person = (value: Json): PlayLine => ({ from: 'person', value })
const start = (me: 0 | 1, maxRounds = 3): PlayLine =>
  table({ type: 'start', me, counts: [4, 1, 1], values: [0, 8, 2], maxRounds })
const turn = (offer: Json): PlayLine => table({ type: 'turn', offer })

const beginning: Play = {
  contest: 'human-1',
  game: 'haggle',
  seat: 0,
  names: ['Human', 'baby'],
  dialogue: [start(0), turn(null)],
  question: { number: 2, msLeft: 60_000 },
  questions: [],
  result: null,
}
const offered: Play = {
  ...beginning,
  dialogue: [...beginning.dialogue, person({ value: [4, 1, 1] }), turn([1, 0, 1])],
  question: { number: 3, msLeft: 60_000 },
}

function sit(play: Play) {
  const onanswer = vi.fn()
  const onsay = vi.fn()
  render(HagglePlay, { play, busy: false, onanswer, onsay })
  return { onanswer, onsay }
}
const fields = (): HTMLInputElement[] => screen.getAllByRole('spinbutton')
const set = (at: number, value: string): Promise<boolean> =>
  fireEvent.input(fields()[at]!, { target: { value } }) as unknown as Promise<boolean>

test('a number is changed in steps, as far as there are objects', async () => {
  sit(offered)
  const step = (name: string): HTMLButtonElement => screen.getByRole('button', { name })
  expect(fields().map(({ value }) => value)).toEqual(['4', '1', '1'])
  expect(step('One more book').disabled).toBe(true)
  await fireEvent.click(step('One less book'))
  await fireEvent.click(step('One less hat'))
  expect(fields().map(({ value }) => value)).toEqual(['3', '0', '1'])
  expect(step('One less hat').disabled).toBe(true)
  expect(screen.getByTestId('worth').textContent).toMatch(/Worth \$2 of \$10/)
})

test('a session is told as its player sees it', () => {
  expect(sessionOf({ dialogue: [] })).toBeNull()
  const first = sessionOf(beginning)!
  expect(first).toMatchObject({ counts: [4, 1, 1], values: [0, 8, 2], offer: null, round: 1, last: false, turns: [] })
  const session = sessionOf({ dialogue: [...offered.dialogue, person({ value: null })] })!
  expect(session).toMatchObject({ offer: [1, 0, 1], round: 2, last: false })
  expect(session.turns).toEqual([
    { by: 'me', kind: 'demand', mine: [4, 1, 1], theirs: [0, 0, 0], worth: 10 },
    { by: 'partner', kind: 'demand', mine: [1, 0, 1], theirs: [3, 1, 0], worth: 2 },
    { by: 'me', kind: 'accept', mine: [1, 0, 1], theirs: [3, 1, 0], worth: 2 },
  ])
})

test('a person who moves second has the last turn of the last round', () => {
  const dialogue = [start(1, 1), turn([1, 0, 0])]
  expect(sessionOf({ dialogue })).toMatchObject({ round: 1, last: true })
  expect(sessionOf({ dialogue: [start(0, 1), turn(null)] })).toMatchObject({ round: 1, last: false })
})

test('an offer is put together with its worth, and sent once it is right', async () => {
  const { onanswer } = sit(beginning)
  await waitFor(() => expect(fields().map(({ value }) => value)).toEqual(['4', '1', '1']))
  expect(screen.getByTestId('worth').textContent).toMatch(/Worth \$10 of \$10/)
  await set(0, '0')
  await set(2, '0')
  expect(screen.getByTestId('worth').textContent).toMatch(/Worth \$8 of \$10/)

  await set(0, '5')
  expect(screen.getByText('Of book you can take a whole number from 0 to 4.')).toBeTruthy()
  await fireEvent.submit(screen.getByRole('form', { name: 'Your offer' }))
  expect(onanswer).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(fields()[0])

  await set(0, '')
  await fireEvent.submit(screen.getByRole('form', { name: 'Your offer' }))
  expect(onanswer).not.toHaveBeenCalled()
  await set(0, '3')
  await fireEvent.submit(screen.getByRole('form', { name: 'Your offer' }))
  expect(onanswer.mock.calls).toEqual([[{ value: [3, 1, 0] }]])
})

test('arrows lead from object to object, and A accepts, but only what has been offered', async () => {
  const none = sit(beginning)
  await waitFor(() => expect(document.activeElement).toBe(fields()[0]))
  await fireEvent.keyDown(fields()[0]!, { key: 'ArrowRight' })
  expect(document.activeElement).toBe(fields()[1])
  await fireEvent.keyDown(fields()[1]!, { key: 'ArrowLeft' })
  await fireEvent.keyDown(fields()[0]!, { key: 'ArrowLeft' })
  expect(document.activeElement).toBe(fields()[0])
  await fireEvent.keyDown(fields()[0]!, { key: 'a' })
  expect(none.onanswer).not.toHaveBeenCalled()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Accept' }).disabled).toBe(true)
  cleanup()

  const some = sit(offered)
  expect(screen.getByRole('status').textContent).toMatch(/baby leaves you 1 book and 1 ball, worth\s+\$2 to you/)
  const rows = within(screen.getByRole('table', { name: /Offers so far/ })).getAllByRole('row')
  expect(rows.slice(1).map((row) => row.textContent)).toEqual([
    expect.stringMatching(/1.*baby offers.*1 book and 1 ball.*\$2.*3 books and 1 hat/) as string,
    expect.stringMatching(/1.*You offer.*\$10.*nothing/) as string,
  ])
  await fireEvent.keyDown(fields()[2]!, { key: 'A' })
  expect(some.onanswer.mock.calls).toEqual([[{ value: null }]])
})

test('out of turn nothing can be sent, except that one walks away', async () => {
  const { onanswer, onsay } = sit({ ...offered, question: null })
  expect(screen.getByRole('status').textContent).toMatch(/baby is thinking/)
  await fireEvent.keyDown(fields()[0]!, { key: 'a' })
  await fireEvent.submit(screen.getByRole('form', { name: 'Your offer' }))
  expect(onanswer).not.toHaveBeenCalled()
  await fireEvent.click(screen.getByRole('button', { name: 'Walk away…' }))
  await fireEvent.click(await screen.findByRole('button', { name: 'Walk away' }))
  expect(onsay.mock.calls).toEqual([[{ threw: 'Walked away.' }]])
})

test.each<[string, NonNullable<Play['result']>, RegExp]>([
  [
    'a deal',
    { outcome: { agreed: true, places: [place(0, 8), place(1, 10)] } },
    /You have agreed: \$8 for you, \$10 for baby\./,
  ],
  ['no deal', { outcome: { agreed: false, places: [place(0, 0), place(1, 0)] } }, /No deal: the last turn is over/],
  [
    'a partner who left',
    { outcome: { agreed: false, places: [place(0, 0), { ...place(1, 0), removed: true, reason: 'AI timeout' }] } },
    /No deal: baby has walked away\. AI timeout/,
  ],
  ['nothing at all', { stopped: 'The machine fell asleep.' }, /Nobody gets anything/],
])('%s is told in the end, and nothing can be sent any more', (_, result, says) => {
  sit({ ...offered, question: null, result })
  expect(screen.getByRole('status').textContent).toMatch(says)
  expect(screen.queryByRole('form')).toBeNull()
})

function place(seat: number, score: number) {
  return { seat, rank: 1, score, removed: false }
}

test('the screen answers the open question, counts its time, and says that one has gone', async () => {
  const calls: [string, unknown][] = []
  vi.mocked(call as (name: string, input: unknown) => Promise<unknown>).mockImplementation((name, input) => {
    calls.push([name, input])
    return Promise.resolve(name === 'play.get' ? beginning : null)
  })
  const { unmount } = render(PlayScreen, { contest: 'human-1' })
  await screen.findByRole('heading', { name: 'You against baby' })
  expect(screen.getByRole('timer').textContent).toMatch(/1 min left/)
  expect(vi.mocked(subscribe).mock.calls.map(([topic]) => topic)).toEqual(['play:human-1'])
  await screen.findByRole('form', { name: 'Your offer' })
  await fireEvent.submit(screen.getByRole('form', { name: 'Your offer' }))
  expect(calls.at(-1)).toEqual(['play.answer', { contest: 'human-1', question: 2, value: { value: [4, 1, 1] } }])
  // It is under way: a second press sends nothing.
  await fireEvent.submit(screen.getByRole('form', { name: 'Your offer' }))
  expect(calls.filter(([name]) => name === 'play.answer')).toHaveLength(1)
  // Leaving asks for confirmation first: the match would be given up.
  expect(leaving.cost?.leave).toBe('Give up and leave')
  unmount()
  expect(leaving.cost).toBeNull()
  expect(calls.at(-1)).toEqual(['play.leave', { contest: 'human-1' }])
})
