import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { call } from '../../../renderer/connection/client.ts'
import OrderList from '../../../renderer/screens/contests/entrants/order-list.svelte'
import {
  arranged,
  drawnOrder,
  initialOrder,
  moved,
  orderMeaning,
} from '../../../renderer/screens/contests/entrants/order.ts'
import { settings as cops } from '../../../renderer/games/cops/settings.ts'

vi.mock(import('../../../renderer/connection/client.ts'), async (original) => ({
  ...(await original()),
  call: vi.fn(),
}))
afterEach(cleanup)

const usual = { ties: 'play-on' as 'play-on' | 'seed', finalists: 50 }

test('the house is the agent that ships as the house, not the last name of the alphabet', () => {
  const names = ['anna', 'house', 'tartaglia']
  expect(arranged(names, initialOrder(names))).toEqual(['anna', 'tartaglia', 'house'])
  const meaning = orderMeaning({ ...usual, format: 'game:pods', formatSettings: {} }, cops.formats ?? [])
  expect(names.map((_, at) => meaning?.part(at, 3))).toEqual(['', '', 'house agent'])
})

test('an agent that comes later is a contestant, not the house', () => {
  const order = initialOrder(['anna', 'house', 'tartaglia'])
  expect(arranged(['anna', 'house', 'tartaglia', 'late', 'remote'], order, 1)).toEqual([
    ...['anna', 'tartaglia', 'late', 'remote'],
    'house',
  ])
  expect(arranged(['late', 'remote'], order, 1)).toEqual(['late', 'remote'])
})

test('formats say what the order means, and those without a meaning say nothing', () => {
  const parts = (format: string, formatSettings = {}, more: Partial<typeof usual> = {}) => {
    const meaning = orderMeaning({ ...usual, format, formatSettings, ...more }, [])
    return meaning === null ? null : [0, 1, 2].map((at) => meaning.part(at, 3))
  }
  expect(parts('knockout', { seeding: 'listed' })).toEqual(['seed 1', 'seed 2', 'seed 3'])
  expect(parts('gauntlet', { challengers: 2 })).toEqual(['challenger', 'challenger', ''])
  expect(parts('pools', { house: 1 })).toEqual(['', '', 'house agent'])
  expect(parts('ladder')).toEqual(['', '', ''])
  expect(parts('ordered-pairs', {}, { ties: 'seed' })).toEqual(['', '', ''])
  expect([parts('ordered-pairs'), parts('ordered-pairs', {}, { ties: 'seed', finalists: 0 })]).toEqual([null, null])
  expect([parts('knockout', { seeding: 'drawn' }), parts('pools', { house: 0 }), parts('swiss')]).toEqual([
    null,
    null,
    null,
  ])
})

test('an entrant moves, the lot depends on the seed alone, and new entrants follow those in order', () => {
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
  expect(arranged(['a', 'b', 'c', 'd'], ['d', 'x', 'b'])).toEqual(['d', 'b', 'a', 'c'])
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const drawn = drawnOrder(names, 'seed')
  expect(drawnOrder(names.toReversed(), 'seed')).toEqual(drawn)
  expect(drawn.toSorted()).toEqual(names)
  expect(drawnOrder(names, 'other')).not.toEqual(drawn)
})

describe('the list of the order', () => {
  const names = ['anna', 'bea', 'carl', 'house']
  const open = (house: number) => {
    const onorder = vi.fn()
    const part = (index: number, count: number) => (index >= count - house ? 'house agent' : '')
    render(OrderList, { game: 'haggle', names, seed: 'x', meaning: { hint: 'It counts.', part, house }, onorder })
    return { onorder, rows: screen.getAllByRole('listitem') }
  }

  test.each([
    [{ key: 'ArrowDown', altKey: true }, 1, ['anna', 'carl', 'bea', 'house']],
    [{ key: 'ArrowUp', altKey: true }, 1, ['bea', 'anna', 'carl', 'house']],
    [{ key: 'Home' }, 2, ['carl', 'anna', 'bea', 'house']],
    [{ key: 'End' }, 0, ['bea', 'carl', 'house', 'anna']],
  ])('%j moves an entrant', async (key, at, expected) => {
    const { onorder, rows } = open(0)
    await fireEvent.keyDown(rows[at]!, key)
    expect(onorder).toHaveBeenCalledExactlyOnceWith(expected)
  })

  test('an arrow alone moves the focus, and an entrant stays within the list', async () => {
    const { onorder, rows } = open(0)
    await fireEvent.keyDown(rows[0]!, { key: 'ArrowDown' })
    expect(document.activeElement).toBe(rows[1])
    await fireEvent.keyDown(rows[0]!, { key: 'ArrowUp', altKey: true })
    expect(onorder).not.toHaveBeenCalled()
  })

  test('an entrant is dragged to the place of another', async () => {
    const { onorder, rows } = open(0)
    await fireEvent.dragStart(rows[0]!)
    await fireEvent.drop(rows[2]!)
    expect(onorder).toHaveBeenCalledExactlyOnceWith(['bea', 'carl', 'anna', 'house'])
  })

  test('the lot and the ratings leave the house where it is; another one can become the house', async () => {
    const { onorder, rows } = open(1)
    await fireEvent.click(screen.getByRole('button', { name: 'By lot with the seed' }))
    expect(onorder).toHaveBeenLastCalledWith([...drawnOrder(['anna', 'bea', 'carl'], 'x'), 'house'])
    await fireEvent.click(within(rows[0]!).getByRole('button', { name: 'Make it the house' }))
    expect(onorder).toHaveBeenLastCalledWith(['bea', 'carl', 'house', 'anna'])
    const ended = { contest: 'c-1', title: 'Week 1', game: 'haggle', state: 'ended', added: '2026-01-01T00:00:00Z' }
    const newer = { ...ended, contest: 'c-2', state: 'open', added: '2026-01-02T00:00:00Z' }
    const standings = ['anna', 'carl', 'house'].map((agent) => ({ agent }))
    const ratings = [{ rating: -50 }, { rating: 80 }, { rating: 500 }]
    vi.mocked(call as (name: string, input: object) => Promise<unknown>).mockImplementation((name, input) => {
      if (name === 'contests.list') return Promise.resolve({ items: [newer, ended] })
      expect(input).toEqual({ contest: 'c-1' })
      return Promise.resolve({ standings, ratings })
    })
    await fireEvent.click(screen.getByRole('button', { name: 'By rating' }))
    await waitFor(() => expect(onorder).toHaveBeenLastCalledWith(['carl', 'anna', 'bea', 'house']))
  })
})
