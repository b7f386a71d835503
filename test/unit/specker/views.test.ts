import { describe, expect, test, vi } from 'vitest'
import { startMessage } from '../../../main/referees/specker/referee/views.ts'
import { accept, deliver, e, match, offer, reoffer, solve } from './match.ts'
import { SUMS } from './sums.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

test('the start names the game that is played', () => {
  expect(startMessage(match(3, { mindec: 7 }).state, 1)).toEqual({
    type: 'start',
    protocol: 1,
    me: 1,
    players: 3,
    challenge: { name: 'sums', source: SUMS, config: { max: 20 } },
    config: { init: e(10), maxTurns: 10, mindec: 7, acceptOrReoffer: 'all', offersMin: 1, offersMax: 10 },
  })
})

test('a turn shows accounts, store and obligations', () => {
  const m = match(3)
  m.act(0, offer([3], 0.5))
  m.act(1, accept(0), offer([4], 0.6))
  expect(m.ask()).toEqual({
    type: 'turn',
    protocol: 1,
    round: 1,
    trading: true,
    account: e(10),
    players: [
      { seat: 0, account: e(10.5), removed: false },
      { seat: 1, account: e(9.5), removed: false },
      { seat: 2, account: e(10), removed: false },
    ],
    store: [{ challenge: 1, seller: 1, predicate: [4], price: e(0.6) }],
    toDeliver: [],
    toSolve: [],
    events: [
      { round: 1, seat: 0, type: 'offered', challenge: 0, price: e(0.5) },
      { round: 1, seat: 1, type: 'accepted', challenge: 0, price: e(0.5) },
      { round: 1, seat: 1, type: 'offered', challenge: 1, price: e(0.6) },
    ],
  })
})

describe('events', () => {
  test('each player is told of each event once, from the beginning of its last turn on', () => {
    const m = match(2)
    m.act(0, offer([3], 0.5))
    m.act(1, reoffer(0, 0.4), offer([4], 0.6))
    expect(m.ask().events.map((event) => event.type)).toEqual(['offered', 'reoffered', 'offered'])
    m.act(0, reoffer(1, 0.3), reoffer(2, 0.5), offer([5], 0.6))
    expect(m.ask().events.map((event) => `${event.round}.${event.seat}`)).toEqual(['1.1', '1.1', '2.0', '2.0', '2.0'])
  })

  test('the state forgets what all have been told, however long the match', () => {
    const m = match(2, { maxTurns: 1_000 })
    m.act(0, offer([1], 0.5))
    for (let turn = 1; turn < 200; turn++) {
      const others = m.ask().store.map((entry) => entry.challenge)
      const bought = m.ask().toDeliver.map((deal) => deliver(deal.challenge, (deal.predicate as number[])[0]!))
      const due = m.ask().toSolve.map((deal) => solve(deal.challenge, 0))
      expect(m.act(turn % 2, ...bought, ...due, accept(others[0]!), offer([1 + (turn % 5)], 0.5))).toBeNull()
      expect(m.state.events.length).toBeLessThan(20)
    }
    expect(m.state.round).toBe(101)
  })
})

test('everybody sees raw material once it is delivered', () => {
  const m = match(2)
  m.act(0, offer([3], 0.5))
  m.act(1, accept(0), offer([4], 0.6))
  expect(m.view().deals).toMatchObject([{ challenge: 0, delivered: false, instance: null }])
  m.act(0, deliver(0, 3), accept(1), offer([5], 0.6))
  expect(m.view().deals).toMatchObject([
    { challenge: 0, delivered: true, instance: 3 },
    { challenge: 1, delivered: false, instance: null },
  ])
})
