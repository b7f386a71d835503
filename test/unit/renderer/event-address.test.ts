import { expect, test } from 'vitest'
import { links } from '../../../renderer/navigation/links.ts'
import { eventAt } from '../../../renderer/screens/hearings/event-address.ts'

const place = { contest: 'week-1', match: 4, move: 37, part: null }

test.each([
  [links.event('week-1', 4, 37, 1), place],
  [`https://192.0.2.7:8443/${links.event('week-1', 4, 37, 2)}`, { ...place, part: 2 }],
  [' tartaglia://match/week-1/4?move=37&class=0123456789abcdef ', place],
  ['#/contests/week-1/matches/4', null],
  ['#/contests/week-1/matches/4?move=0', null],
  ['#/contests/-/matches/4?move=37', null],
  ['week-1', null],
  ['', null],
])('%s', (address, expected) => {
  expect(eventAt(address)).toEqual(expected)
})
