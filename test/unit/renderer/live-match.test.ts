import { cleanup, render, screen, within } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveFacts, LiveMatch as Shown } from '../../../main/contract/game/live-match.ts'
import { subscribe } from '../../../renderer/connection/client.ts'
import LiveMatch from '../../../renderer/screens/match/live-match.svelte'
import { standInForLayout } from './layout.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  subscribe: vi.fn(),
}))

let tell: (value: Shown | null) => Promise<void>
const left = vi.fn()
const over = vi.fn()

beforeEach(() => {
  standInForLayout()
  vi.mocked(subscribe as (topic: string, listener: (value: unknown) => void) => () => void).mockImplementation(
    (topic, listener) => {
      expect(topic).toBe('live:c-1/3')
      tell = async (value) => {
        listener(value)
        await tick()
      }
      return left
    },
  )
})
afterEach(() => {
  cleanup()
  vi.clearAllMocks()
})

function shown(facts: Partial<LiveFacts> = {}): void {
  const given = { game: 'haggle', names: ['Ann', 'Ben'], ground: {}, ...facts }
  const back = { href: '#/contests/c-1', label: 'The contest' }
  render(LiveMatch, { contest: 'c-1', match: 3, facts: given, title: 'Match 3', back, origin: 'Week 1', onover: over })
}

const scene = (offers: readonly (readonly number[])[]): string =>
  JSON.stringify({ counts: [2, 1, 3], maxRounds: 5, offers, turn: offers.length % 2 })
const listed = (): (string | null)[] =>
  within(screen.getByRole('list', { name: 'Events' }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent?.replaceAll(/\s+/g, ' ').trim() ?? null)

test('events are listed once each, the newest first, however often they are told', async () => {
  shown()
  const first = { number: 4, at: 1_200, lines: ['Ann wants all.', 'Ben sighs.'] }
  const second = { number: 5, at: 2_500, lines: null }
  await tell({ run: 7, events: 4, recent: [first], scene: scene([[2, 1, 3]]) })
  await tell({ run: 7, events: 5, recent: [first, second], scene: scene([[2, 1, 3]]) })
  expect(listed()).toEqual(['5 2.5 s Secret while the match is played.', '4 1.2 s Ann wants all.Ben sighs.'])
  expect(screen.getByTestId('live-events').textContent).toBe('5 events')
  expect(await screen.findByText(/It is the turn of/)).toBeTruthy()
  expect(screen.getByRole('row', { name: /book/ }).textContent).toMatch(/book\s*2\s*2\s*0/)

  // Played again from the beginning, what was is not.
  await tell({
    run: 8,
    events: 1,
    recent: [{ number: 1, at: 10, lines: ['Ann wants less.'] }],
    scene: scene([[1, 0, 0]]),
  })
  expect(listed()).toEqual(['1 10 ms Ann wants less.'])
})

test('what agents wrote is text, with signs that would turn it made visible', async () => {
  shown({ names: ['<img src=x onerror=alert(1)>', 'a\u202Eb'] })
  await tell({ run: 7, events: 1, recent: [{ number: 1, at: 10, lines: ['<b>\u202E</b>'] }], scene: scene([]) })
  expect(document.querySelector('img, ol b')).toBeNull()
  expect(listed()).toEqual(['1 10 ms <b>‹U+202E›</b>'])
  expect(screen.getByRole('list', { name: 'Players' }).textContent).toContain('a‹U+202E›b')
})

test('a game that shows nothing before the end says so', async () => {
  shown({ game: 'specker', ground: null })
  await tell({ run: 7, events: 12, recent: [], scene: null })
  expect(screen.getByText('Matches of this game are shown only once they are over.')).toBeTruthy()
  expect(screen.getByTestId('live-events').textContent).toBe('12 events')
  expect(screen.queryByRole('list', { name: 'Events' })).toBeNull()
})

test('when it is over the screen is told, and whoever leaves watches no more', async () => {
  shown()
  await tell({ run: 7, events: 0, recent: [], scene: null })
  expect(over).not.toHaveBeenCalled()
  await tell(null)
  expect(over).toHaveBeenCalledOnce()
  expect(left).not.toHaveBeenCalled()
  cleanup()
  expect(left).toHaveBeenCalledOnce()
})
