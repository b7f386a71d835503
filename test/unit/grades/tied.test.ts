import { expect, test } from 'vitest'
import { tiedPlaces, type RatedEntrant } from '../../../main/services/grades/schemes/tied.ts'

type Entrant = Omit<RatedEntrant, 'isLast'> & Partial<RatedEntrant>
const told = (entrants: readonly Entrant[]) =>
  Object.fromEntries(
    [...tiedPlaces(entrants.map((each) => ({ isLast: false, ...each })))].map(([name, { tied, tiedWith }]) => [
      name,
      [tied, tiedWith],
    ]),
  )

test('two whose intervals overlap get the same place, and so do the ends of a chain', () => {
  // a and b overlap, b and c overlap, a and c do not; d is alone. a, b and c: one behind, two beside them: (1 + 1) / 3.
  const entrants = [
    { agent: 'd', rating: 1_200, interval: [1_100, 1_299] as const },
    { agent: 'a', rating: 1_700, interval: [1_600, 1_800] as const },
    { agent: 'c', rating: 1_400, interval: [1_300, 1_510] as const },
    { agent: 'b', rating: 1_550, interval: [1_500, 1_600] as const },
  ]
  const chain = [200 / 3, 3]
  expect(told(entrants)).toEqual({ a: chain, b: chain, c: chain, d: [0, 1] })
})

test('an entrant without an interval counts with its rating, and one alone is first', () => {
  const entrants = [
    { agent: 'a', rating: 1_600, interval: [1_550, 1_650] as const },
    { agent: 'b', rating: 1_500, interval: null },
  ]
  expect(told(entrants)).toEqual({ a: [100, 1], b: [0, 1] })
  expect(told(entrants.slice(0, 1))).toEqual({ a: [100, 1] })
})

test('those that were removed are behind all others, whatever their ratings are', () => {
  const entrants = [
    { agent: 'a', rating: 1_600, interval: [1_450, 1_750] as const },
    { agent: 'removed', rating: 1_500, interval: null, isLast: true },
    { agent: 'gone', rating: 1_900, interval: [1_800, 2_000] as const, isLast: true },
    { agent: 'b', rating: 1_300, interval: [1_250, 1_350] as const },
  ]
  const last = [100 / 6, 2]
  expect(told(entrants)).toEqual({ a: [100, 1], b: [200 / 3, 1], removed: last, gone: last })
})
