import { describe, expect, test, vi } from 'vitest'
import { accept, deliver, e, match, offer, reoffer, solve } from './match.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

describe('faults of the first implementations, never again', () => {
  test('a bundle cannot spend the same balance twice', () => {
    const m = match(2, { init: e(1) })
    m.act(0, offer([3], 0.6), offer([4], 0.6))
    const violation = m.act(1, accept(0), accept(1), offer([5], 0.5))
    expect(violation).toMatchObject({ rule: 'positive-account', action: 1, values: { account: e(0.4) } })
    // The first purchase stands; with the removal the sale is void and what was paid stays paid.
    expect(m.accounts()).toEqual([e(1.6), e(0.4)])
  })

  test('a bundle may spend what it has just earned', () => {
    const m = match(2, { init: e(0.2) })
    m.act(0, offer([2], 0.1))
    m.act(1, accept(0), offer([4], 0.05))
    m.act(0, deliver(0, 2), accept(1), offer([5], 0.3))
    // Seat 1 has 0.15 and gets all of seat 0's 0.25 by its solution; only then can it pay.
    expect(m.act(1, deliver(1, 4), solve(0, 2))).toBeNull()
    expect(m.accounts()).toEqual([0, e(0.4)])
  })

  test('a removal takes all of a player’s offers and sales, not every second one', () => {
    const m = match(3)
    m.act(0, ...[3, 4, 5, 6, 7, 8].map((size) => offer([size], 0.5)))
    m.act(1, accept(0), accept(1), accept(2), offer([9], 0.5))
    m.act(2, accept(3), offer([10], 0.5))
    m.fail(0, { kind: 'crash', text: 'It fell.' })
    expect(m.view().store.map((entry) => entry.seller)).toEqual([1, 2])
    expect(m.view().deals).toEqual([])
    expect(m.accounts()).toEqual([e(10), e(10), e(10)])
    expect(m.state.removals[0]?.refunds).toHaveLength(4)
  })

  test('several sellers removed within one bundle do not disturb each other', () => {
    const m = match(4, { init: e(0.5), maxTurns: 1, acceptOrReoffer: 'one' })
    m.act(0, offer([3], 0.1), offer([4], 0.1))
    m.act(1, reoffer(1, 0.09), offer([5], 0.1))
    m.act(2, accept(0), accept(2), offer([6], 0.2))
    m.act(3, accept(3), offer([7], 0.2))
    m.act(0, deliver(0, 3))
    m.act(1, deliver(2, 4), deliver(3, 5))
    // Seat 0 (0.6) and seat 1 (0.69) owe 1 each.
    m.act(2, solve(0, 3), solve(2, 4))
    expect(m.removed()).toEqual([0, 1])
    expect(m.accounts()).toEqual([0, 0, e(0.31 + 0.6 + 0.69), e(0.4)])
    expect(m.outcome()?.places.map((place) => place.rank)).toEqual([4, 3, 1, 2])
  })

  test('the seller is charged, and the seller is removed, when the money does not suffice', () => {
    const m = match(3, { init: e(0.3) })
    m.act(0, offer([2], 0.2))
    m.act(1, accept(0), offer([4], 0.05))
    m.act(2, accept(1), offer([5], 0.05))
    m.act(0, deliver(0, 2), accept(2), offer([6], 0.2))
    expect(m.act(1, deliver(1, 4), solve(0, 2), accept(3), offer([7], 0.2))).toBeNull()
    expect(m.removed()).toEqual([0])
    expect(m.accounts()[2]).toBe(e(0.3))
  })

  test('the same predicate at a lower price is a new offer', () => {
    const m = match(2)
    m.act(0, offer([3], 0.5))
    expect(m.act(1, accept(0), offer([3], 0.4))).toBeNull()
    expect(m.act(0, deliver(0, 3), reoffer(1, 0.3), offer([3], 0.2))).toBeNull()
  })
})
