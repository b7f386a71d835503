import { describe, expect, test, vi } from 'vitest'
import { accept, deliver, e, match, offer, reoffer, solve, type Match } from './match.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

/** Seat 0 offers [3] at 0.5 as challenge 0, seat 1 offers [4] at 0.6 as challenge 1 and accepts challenge 0. */
function oneSale(settings = {}): Match {
  const m = match(3, settings)
  m.act(0, offer([3], 0.5))
  m.act(1, accept(0), offer([4], 0.6))
  return m
}

/** As above, and seat 2 accepts challenge 1 and offers [5] at 0.7 as challenge 2: seat 0's delivery is due. */
function deliveryDue(settings = {}): Match {
  const m = oneSale(settings)
  m.act(2, accept(1), offer([5], 0.7))
  return m
}

/** Seat 0 has delivered, bought challenge 2 and offered [6] as challenge 3: seat 1 must deliver 1 and solve 0. */
function solutionDue(settings = {}): Match {
  const m = deliveryDue(settings)
  m.act(0, deliver(0, 3), accept(2), offer([6], 0.8))
  return m
}

describe('the rules of section 4.3', () => {
  test('1: the account ranks the players, equal accounts share a rank', () => {
    const m = match(3, { maxTurns: 1 })
    m.act(0, offer([3], 0.5))
    m.act(1, accept(0), offer([4], 0.6))
    m.act(2, accept(1), offer([5], 0.6))
    m.act(0, deliver(0, 3))
    m.act(1, solve(0, 3), deliver(1, 4))
    m.act(2, solve(1, 2))
    // 0: 10 + 0.5 - 1, 1: 10 - 0.5 + 0.6 + 1 - 0.5, 2: 10 - 0.6 + 0.5
    expect(m.outcome()).toEqual({
      places: [
        { seat: 0, rank: 3, score: e(9.5), removed: false },
        { seat: 1, rank: 1, score: e(10.6), removed: false },
        { seat: 2, rank: 2, score: e(9.9), removed: false },
      ],
    })
  })

  test('2: the price goes from the buyer to the seller', () => {
    const m = oneSale()
    expect(m.accounts()).toEqual([e(10.5), e(9.5), e(10)])
    expect(m.view().deals).toEqual([
      { challenge: 0, seller: 0, buyer: 1, predicate: [3], price: e(0.5), delivered: false, instance: null },
    ])
  })

  test('4: the seller delivers, the buyer solves, the seller pays the quality', () => {
    const m = solutionDue()
    expect(m.ask()).toMatchObject({
      round: 2,
      toDeliver: [{ challenge: 1, seller: 1, buyer: 2, predicate: [4] }],
      toSolve: [{ challenge: 0, seller: 0, predicate: [3], instance: 3 }],
    })
    expect(m.act(1, solve(0, 2), deliver(1, 4), accept(3), offer([7], 0.9))).toBeNull()
    const payoff = 666_666_666
    expect(m.accounts()[0]).toBe(e(10.5 - 0.7 + 0.8) - payoff)
    expect(m.accounts()[1]).toBe(e(9.5 + 0.6 - 0.8) + payoff)
    expect(m.view().events).toContainEqual({
      round: 2,
      seat: 1,
      type: 'solved',
      challenge: 0,
      quality: '2/3',
      payoff,
    })
  })

  test('6: what was bought leaves the store at once', () => {
    expect(oneSale().store()).toEqual([1])
  })

  test('10: after maxTurns only deliveries and solutions are asked for, of those who owe them', () => {
    const m = match(3, { maxTurns: 1 })
    m.act(0, offer([3], 0.5))
    m.act(1, reoffer(0, 0.4), offer([4], 0.6))
    m.act(2, accept(1), offer([5], 0.7))
    expect(m.state.turn).toBe(1)
    expect(m.ask()).toMatchObject({ round: 2, trading: false, toDeliver: [{ challenge: 1 }], toSolve: [] })
    m.act(1, deliver(1, 3))
    expect(m.state.turn).toBe(2)
    expect(m.ask()).toMatchObject({ round: 2, trading: false, toDeliver: [], toSolve: [{ challenge: 1, instance: 3 }] })
    m.act(2, solve(1, 3))
    expect(m.outcome()).not.toBeNull()
  })

  test('10: a match without debts ends with its last round', () => {
    const m = match(2, { maxTurns: 1 })
    m.act(0, offer([3], 0.5))
    expect(m.outcome()).toBeNull()
    m.act(1, reoffer(0, 0.4), offer([4], 0.6))
    expect(m.outcome()?.places.map((place) => place.rank)).toEqual([1, 1])
  })
})

describe('a player that fails outside its answer is removed', () => {
  test.each([
    ['timeout', 'time-limit'],
    ['stall', 'time-limit'],
    ['invalid', 'unreadable'],
    ['protocol', 'unreadable'],
    ['crash', 'crash'],
    ['memory', 'memory'],
    ['isolation', 'isolation'],
  ] as const)('8: a %s counts as %s', (kind, rule) => {
    const m = oneSale()
    const violation = m.fail(2, { kind, text: 'Seen from outside.' })
    expect(violation).toEqual({ rule, action: null, values: { fault: kind }, text: 'Seen from outside.' })
    expect(m.removed()).toEqual([2])
    expect(m.state.turn).toBe(0)
  })
})
