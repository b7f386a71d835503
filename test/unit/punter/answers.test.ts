import { expect, test } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import { punter } from '../../../main/referees/punter/punter.ts'

const { unreadable } = eraseGame(punter)

test.each([
  [{}, 'it has none of the fields claim, pass, splurge, option, ready and stopped'],
  [{ move: { claim: { source: 0, target: 1 } } }, /^it has none of the fields claim, pass, /],
  [{ claim: { source: 0 } }, /^claim\.target: it is missing/],
  [{ claim: { source: '0', target: 1 } }, /^claim\.source: expected a whole number/],
  [[], /expected an object/],
  [null, /expected an object/],
])('%j is refused by what it lacks', (value, told) => {
  expect(unreadable(value)).toMatch(told)
})

test('moves and answers to the map are read', () => {
  for (const value of [
    { pass: {} },
    { claim: { punter: 3, source: 0, target: 1, more: 1 } },
    { ready: 1 },
    { stopped: true },
  ])
    expect(unreadable(value)).toBeNull()
})
