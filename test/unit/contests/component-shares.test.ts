import { expect, test } from 'vitest'
import { standingsWithShares } from '../../../main/services/contests/standings/component-shares.ts'

const anna = { agent: 'anna', team: 'Anna' }
const bruno = { agent: 'bruno', team: 'Bruno' }

test('a worked example: 10 % of 7 points to two authors, of whom one does not play', () => {
  const standings = [
    { agent: 'anna', points: 7 },
    { agent: 'bruno', points: 6.5 },
  ]
  const entrants = [
    { ...anna, authors: ['Bruno', 'Carla'] },
    { ...bruno, authors: [] },
  ]
  expect(standingsWithShares(standings, entrants, 10)).toEqual([
    { rank: 1, team: 'Bruno', points: 6.5, given: 0, received: 35, total: 6.85 },
    { rank: 2, team: 'Anna', points: 7, given: 70, received: 0, total: 6.3 },
    { rank: 3, team: 'Carla', points: 0, given: 0, received: 35, total: 0.35 },
  ])
})

test('what cannot be divided into hundredths stays where it was won', () => {
  const entrants = [{ ...anna, authors: ['x', 'y', 'z'] }]
  const [own, ...others] = standingsWithShares([{ agent: 'anna', points: 1 }], entrants, 10)
  expect(own).toMatchObject({ team: 'Anna', given: 9 })
  expect(others.map(({ received }) => received)).toEqual([3, 3, 3])
  // 1.15 as a binary fraction is a little less than 1.15.
  expect(standingsWithShares([{ agent: 'anna', points: 1.15 }], [{ ...anna, authors: ['x'] }], 20)[1]).toMatchObject({
    received: 23,
  })
})

test('nothing is given to the own team, of points below zero, or for too little', () => {
  const given = (points: number, authors: readonly string[]) =>
    standingsWithShares([{ agent: 'anna', points }], [{ ...anna, authors }], 10)
  const untouched = (points: number) => [{ rank: 1, team: 'Anna', points, given: 0, received: 0, total: points }]
  expect(given(5, ['ANNA'])).toEqual(untouched(5))
  expect(given(-5, ['x'])).toEqual(untouched(-5))
  expect(given(0, ['x'])).toEqual(untouched(0))
  expect(given(0.05, ['x'])).toEqual(untouched(0.05))
  expect(standingsWithShares([], [], 10)).toEqual([])
})

test('entrants of one team are one row, and an entrant whose team is not known is a team of its own', () => {
  const standings = [
    { agent: 'anna', points: 3 },
    { agent: 'anna 2', points: 2 },
    { agent: 'guest', points: 1 },
  ]
  const entrants = [
    { ...anna, authors: [] },
    { agent: 'anna 2', team: 'anna', authors: ['guest'] },
  ]
  expect(standingsWithShares(standings, entrants, 50)).toEqual([
    { rank: 1, team: 'Anna', points: 5, given: 100, received: 0, total: 4 },
    { rank: 2, team: 'guest', points: 1, given: 0, received: 100, total: 2 },
  ])
})
