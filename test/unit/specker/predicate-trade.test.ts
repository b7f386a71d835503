import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { PART_NAME_MAX } from '../../../main/contract/game/match-parts.ts'
import { predicateTrade } from '../../../main/referees/specker/analysis/predicate-trade.ts'
import { accept, deliver, e, match, offer, reoffer, sealed, solve, type Match } from './match.ts'
import { readChallenge, SUMS } from './sums.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

afterEach(() => void vi.restoreAllMocks())

/** The parts of a match: seat, predicate and role, then deals, paid, received, profit, solved and the sum of qualities. */
function partsOf(m: Match): Record<string, readonly number[]> {
  const { state, inputs } = m
  const parts = predicateTrade(state.config, state.players.length, inputs)
  const columns = ['deals', 'paid', 'received', 'profit', 'solved', 'quality']
  return Object.fromEntries(
    parts.map(({ seat, part, role, sums }) => [`${seat} ${String(part)} ${role}`, columns.map((id) => sums[id]!)]),
  )
}

describe('by predicate, worked by hand', () => {
  test('prices and payoffs of both sides; the buyer counts with whom it bought from, not with the first seller', () => {
    const m = match(2, { maxTurns: 2 })
    m.act(0, offer([10], 0.5), offer([4], 0.2))
    // Buys [10] for 0.5, lowers [4] to 0.1, and sells [5].
    m.act(1, accept(0), reoffer(1, 0.1), offer([5], 1))
    m.act(0, deliver(0, 10), accept(2), reoffer(3, 0.9), offer([20], 1))
    // 7 of 10: 0.7.
    m.act(1, solve(0, 7), deliver(2, 4), reoffer(4, 0.8), reoffer(5, 0.8), offer([19], 1))
    m.act(0, solve(2, 1))
    expect(m.outcome()).not.toBeNull()
    expect(m.accounts()).toEqual([e(10 + 0.5 - 0.7 - 0.1 + 0.25), e(10 - 0.5 + 0.7 + 0.1 - 0.25)])
    expect(partsOf(m)).toEqual({
      '0 [10] seller': [1, e(0.7), e(0.5), e(-0.2), 1, e(0.7)],
      '1 [10] buyer': [1, e(0.5), e(0.7), e(0.2), 1, e(0.7)],
      '1 [4] seller': [1, e(0.25), e(0.1), e(-0.15), 1, e(0.25)],
      '0 [4] buyer': [1, e(0.1), e(0.25), e(0.15), 1, e(0.25)],
    })
  })

  test('a refund is a payment, of a sale that nobody solved', () => {
    const m = match(3, { maxTurns: 3 })
    m.act(0, offer([10], 0.5))
    m.act(1, accept(0), offer([19], 1))
    expect(m.fail(2, { kind: 'crash', text: 'It fell.' })).not.toBeNull()
    expect(m.fail(0, { kind: 'crash', text: 'It fell.' })).not.toBeNull()
    expect(partsOf(m)).toEqual({
      '0 [10] seller': [1, e(0.5), e(0.5), 0, 0, 0],
      '1 [10] buyer': [1, e(0.5), e(0.5), 0, 0, 0],
    })
  })

  test('a secret that is not kept costs its seller more after it was solved', () => {
    const m = match(2, { variant: 'secret', falseSecrets: 'as-true', maxTurns: 1 })
    m.act(0, offer([10], 0.5))
    m.act(1, accept(0), offer([19], 1))
    m.act(0, deliver(0, 10, sealed(8)))
    m.act(1, solve(0, 3))
    expect(m.accounts()).toEqual([e(10.5), e(9.5)])
    // It does not reveal; 3 of 10 then pays 0.5 + 0.3.
    m.act(0)
    expect(m.removed()).toEqual([0])
    expect(m.accounts()).toEqual([e(9.7), e(10.3)])
    expect(partsOf(m)).toEqual({
      '0 [10] seller': [1, e(0.8), e(0.5), e(-0.3), 1, e(0.3)],
      '1 [10] buyer': [1, e(0.5), e(0.8), e(0.3), 1, e(0.3)],
    })
  })

  test('equal predicates are one, of two kinds two; nothing sold has no row', () => {
    const m = match(2, { variant: 'base-ball', maxTurns: 2 })
    m.act(0, offer([3, 10], 0.5), offer([10, 3], 0.4), offer([10, 3], 0.4, { kind: 'secret' }), offer([7], 0.1))
    m.act(1, accept(0), accept(1), accept(2), reoffer(3, 0), offer([19], 1))
    expect(Object.keys(partsOf(m)).sort()).toEqual([
      '0 classic [3,10] seller',
      '0 secret [3,10] seller',
      '1 classic [3,10] buyer',
      '1 secret [3,10] buyer',
    ])
    expect(partsOf(m)['0 classic [3,10] seller']).toEqual([2, 0, e(0.9), e(0.9), 0, 0])
  })
})

describe('names of predicates', () => {
  const names = (predicates: readonly Json[]): (string | null)[] => {
    const m = match(2, { maxTurns: 1, challengeConfig: { max: 5_000 } })
    m.act(0, ...predicates.map((each) => offer(each, 0)))
    m.act(1, ...predicates.map((_, at) => accept(at)), offer([4_999], 1))
    const { state, inputs } = m
    return predicateTrade(state.config, 2, inputs).flatMap(({ part, role }) => (role === 'seller' ? [part] : []))
  }

  test('long ones are cut, and stay different', () => {
    const sizes = Array.from({ length: 500 }, (_, at) => at + 1)
    const [long, longer] = names([sizes, [...sizes, 501]])
    expect(long).toMatch(/^\[1,2,3,[\d,]+… #[0-9a-f]{12}$/)
    expect(long).toHaveLength(PART_NAME_MAX)
    expect(longer!.slice(0, 60)).toBe(long!.slice(0, 60))
    expect(longer).not.toBe(long)
  })

  test('markup is text, and what cannot be seen is left out', () => {
    const { print } = readChallenge(SUMS).challenge!.values
    const spy = vi.spyOn(readChallenge(SUMS).challenge!.values, 'print')
    spy.mockReturnValueOnce('<img src=x onerror=alert(1)>')
    spy.mockReturnValueOnce('a\u202e\u001b[31m\nb\ud800')
    spy.mockReturnValueOnce('a b')
    const [markup, unseen, plain] = names([[1], [2], [3]])
    expect(markup).toBe('<img src=x onerror=alert(1)>')
    expect(unseen).toMatch(/^a \[31m b … #[0-9a-f]{12}$/)
    expect(plain).toBe('a b')
    spy.mockRestore()
    expect(print([1], 'Predicate')).toBe('[1]')
  })

  test('the thousand that are sold first have one; the sums of the others stay', () => {
    const offers = Array.from({ length: 1_200 }, (_, at) => offer([at + 1], 0.001))
    const m = match(3, { maxTurns: 1, offersMax: 1_000, challengeConfig: { max: 5_000 } })
    m.act(0, ...offers.slice(0, 600))
    m.act(1, accept(0), ...offers.slice(600))
    m.act(2, ...offers.slice(1).map((_, at) => accept(at + 1)), offer([4_999], 1))
    const parts = partsOf(m)
    expect(Object.keys(parts)).toHaveLength(2 * 1_000 + 2)
    expect(parts['1 [1000] seller']).toEqual([1, 0, e(0.001), e(0.001), 0, 0])
    expect(parts['1 null seller']).toEqual([200, 0, e(0.2), e(0.2), 0, 0])
    expect(parts['2 null buyer']).toEqual([200, e(0.2), 0, e(-0.2), 0, 0])
  })
})
