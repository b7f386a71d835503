import { describe, expect, test, vi } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { accept, deliver, e, match, offer, reoffer, solve, type Match } from './match.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

/** Seat 0 has sold [10] at 0.5 to seat 1 and delivered it; the offer may say more. */
function delivered(settings: Record<string, Json> = {}, more: { readonly f?: number } = {}, size = 10): Match {
  const m = match(2, { variant: 'belief', maxTurns: 1, ...settings })
  m.act(0, offer([size], 0.5, more))
  m.act(1, accept(0), offer([19], 1))
  m.act(0, deliver(0, size))
  return m
}

describe('a belief says that quality f cannot be reached', () => {
  test.each([
    // quality in tenths, what the buyer gets for its 0.5
    [0, 0, false],
    [4, 0, false],
    [5, 0.5, true],
    [6, 0.6, true],
    [10, 1, true],
  ])('at f = price = 0.5, quality %i/10 brings %f', (reached, payoff, discounted) => {
    const m = delivered()
    m.act(1, solve(0, reached))
    expect(m.accounts()).toEqual([e(10.5) - e(payoff), e(9.5) + e(payoff)])
    expect(m.state.events.at(-1)).toMatchObject({ type: 'solved', quality: /\//, payoff: e(payoff), discounted })
  })

  test('profitFactor multiplies what is beyond f', () => {
    const m = delivered({ profitFactor: 2.5 })
    m.act(1, solve(0, 7))
    expect(m.accounts()[1]).toBe(e(9.5 + 0.5 + 2.5 * 0.2))
  })

  test('with profitFactor 0 a discounted belief gives the price back and no more', () => {
    const m = delivered({ profitFactor: 0 })
    m.act(1, solve(0, 10))
    expect(m.accounts()).toEqual([e(10), e(10)])
  })

  test('f is compared exactly: 3/9 is not below a third rounded down, and is below one rounded up', () => {
    const third = 333_333_333
    const below = delivered({ f: 'free' }, { f: third }, 9)
    below.act(1, solve(0, 3))
    // price + (1/3 - 0.333333333), which is below one unit
    expect(below.accounts()[1]).toBe(e(10))
    const above = delivered({ f: 'free' }, { f: third + 1 }, 9)
    above.act(1, solve(0, 3))
    expect(above.accounts()[1]).toBe(e(9.5))
  })

  test('a free f is the price where the offer does not say', () => {
    const m = delivered({ f: 'free' })
    m.act(1, solve(0, 5))
    expect(m.accounts()[1]).toBe(e(10))
  })

  test('a free f stays with the challenge when its price is lowered; otherwise it falls with it', () => {
    for (const [settings, more, f] of [
      [{ f: 'free' }, { f: e(0.8) }, e(0.8)],
      [{}, {}, e(0.3)],
    ] as const) {
      const m = match(2, { variant: 'belief', ...settings })
      m.act(0, offer([10], 0.5, more))
      m.act(1, reoffer(0, 0.3), offer([4], 0.9))
      expect(m.view().store[0]).toMatchObject({ challenge: 1, kind: 'belief', price: e(0.3), f })
    }
  })

  test('an offer that says f where f is the price is a violation', () => {
    const m = match(2, { variant: 'belief' })
    expect(m.act(0, offer([10], 0.5, { f: e(0.5) }))).toMatchObject({ rule: 'wrong-kind', action: 0 })
    const classic = match(2)
    expect(classic.act(0, offer([10], 0.5, { f: e(0.5) }))?.text).toMatch(/classic challenges have no f/)
  })

  test('the challenge’s own belief decides; below f the price comes back', () => {
    // Size 12 believes that no solution is even.
    const m = delivered({}, {}, 12)
    m.act(1, solve(0, 2))
    expect(m.accounts()).toEqual([e(10), e(10)])
    const odd = delivered({}, {}, 12)
    odd.act(1, solve(0, 11))
    expect(odd.accounts()).toEqual([e(10.5), e(9.5)])
  })

  test('a belief that the challenge file cannot decide voids the sale', () => {
    const m = delivered({}, {}, 11)
    m.act(1, solve(0, 2))
    expect(m.accounts()).toEqual([e(10), e(10)])
    expect(m.state.events.at(-1)).toMatchObject({ type: 'voided', refund: e(0.5), shortfall: 0 })
  })

  test('a seller who cannot pay the profit pays all it has and is removed', () => {
    const m = delivered({ init: e(0.6), profitFactor: 100 })
    m.act(1, solve(0, 10))
    expect(m.accounts()).toEqual([0, e(1.2)])
    expect(m.state.removals[0]?.violation).toMatchObject({
      rule: 'positive-account',
      values: { owed: e(50.5), paid: e(1.1), shortfall: e(49.4) },
    })
  })

  test('messages say what is claimed, in protocol 2', () => {
    const m = match(2, { variant: 'belief', f: 'free', profitFactor: 3 })
    m.act(0, offer([10], 0.5, { f: e(0.7) }))
    expect(m.ask()).toMatchObject({ protocol: 2, store: [{ kind: 'belief', price: e(0.5), f: e(0.7) }] })
  })
})
