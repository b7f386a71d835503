import { expect, test } from 'vitest'
import {
  arranged,
  drawnOrder,
  initialOrder,
  moved,
  orderMeaning,
} from '../../../renderer/screens/contests/entrants/order.ts'
import { settings as cops } from '../../../renderer/games/cops/settings.ts'

test('the house is the agent that ships as the house, not the last name of the alphabet', () => {
  const names = ['anna', 'house', 'tartaglia']
  expect(arranged(names, initialOrder(names))).toEqual(['anna', 'tartaglia', 'house'])
  const meaning = orderMeaning({ format: 'game:pods', formatSettings: {} }, cops.formats ?? [])
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
  const parts = (format: string, formatSettings = {}) => {
    const meaning = orderMeaning({ format, formatSettings }, [])
    return meaning === null ? null : [0, 1, 2].map((at) => meaning.part(at, 3))
  }
  expect(parts('knockout', { seeding: 'listed' })).toEqual(['seed 1', 'seed 2', 'seed 3'])
  expect(parts('gauntlet', { challengers: 2 })).toEqual(['challenger', 'challenger', ''])
  expect(parts('pools', { house: 1 })).toEqual(['', '', 'house agent'])
  expect(parts('ladder')).toEqual(['', '', ''])
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
