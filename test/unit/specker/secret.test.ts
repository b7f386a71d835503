import { hash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { ConfigAge } from '../../../main/contract/game/game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { games } from '../../../main/referees/games.ts'
import { commitmentOf } from '../../../main/referees/specker/secrets.ts'
import { accept, deliver, e, match, offer, reveal, sealed, solve, NONCE, type Match } from './match.ts'
import { SUMS } from './sums.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

/** Seat 0 has sold [10] at `price` to seat 1 and delivers size 10 with a secret solution and the quality it says it has. */
function delivered(
  price: number,
  secret: number,
  quality = `${secret}/10`,
  settings: Record<string, Json> = {},
): Match {
  const m = match(2, { variant: 'secret', maxTurns: 1, ...settings })
  m.act(0, offer([10], price))
  m.act(1, accept(0), offer([19], 1))
  m.act(0, deliver(0, 10, sealed(secret, quality)))
  return m
}

test('the commitment is the SHA-256 of [solution, nonce] in canonical JSON', () => {
  const text = `[{"a":1,"values":[0,1]},"${NONCE}"]`
  expect(commitmentOf({ values: [0, 1], a: 1 }, NONCE)).toBe(hash('sha256', text, 'hex'))
})

describe('a secret challenge says that price x s cannot be reached', () => {
  test.each([
    // price 0.5 and s = 8/10: discounted from quality 0.4 on
    [3, 0, false],
    [4, 0.5, true],
    [6, 0.7, true],
    [10, 1.1, true],
  ])('quality %i/10 brings %f', (reached, payoff, discounted) => {
    const m = delivered(0.5, 8)
    m.act(1, solve(0, reached))
    expect(m.accounts()).toEqual([e(10.5) - e(payoff), e(9.5) + e(payoff)])
    expect(m.state.events.at(-1)).toMatchObject({ type: 'solved', payoff: e(payoff), discounted })
    expect(m.act(0, reveal(0, 8))).toBeNull()
    expect(m.state.events.at(-1)).toEqual({ round: 3, seat: 0, type: 'revealed', challenge: 0, quality: '4/5' })
    expect(m.outcome()).not.toBeNull()
  })

  test('profitFactor multiplies what is beyond price x s', () => {
    const m = delivered(0.5, 8, '8/10', { profitFactor: 3 })
    m.act(1, solve(0, 6))
    expect(m.accounts()[1]).toBe(e(9.5 + 0.5 + 3 * 0.2))
  })

  test('price x s is compared exactly', () => {
    // 0.999999999 x 1/3 is just below 3/9, which a rounded comparison would not see.
    const m = match(2, { variant: 'secret', maxTurns: 1 })
    m.act(0, offer([9], 0.999999999))
    m.act(1, accept(0), offer([19], 1))
    m.act(0, deliver(0, 9, sealed(3, '1/3')))
    m.act(1, solve(0, 3))
    expect(m.state.events.at(-1)).toMatchObject({ discounted: true, payoff: 999_999_999 })
  })

  test('a solution that is better than the seller said keeps the promise', () => {
    const m = delivered(0.5, 8, '3/10')
    m.act(1, solve(0, 1))
    expect(m.act(0, reveal(0, 8))).toBeNull()
  })
})

describe('messages', () => {
  test('the buyer sees s and the commitment, the seller what it must reveal, and nobody the nonce before', () => {
    const m = delivered(0.5, 8)
    const secret = { quality: '8/10', commitment: commitmentOf(8, NONCE) }
    expect(m.ask()).toMatchObject({ protocol: 2, toSolve: [{ kind: 'secret', instance: 10, secret }], toReveal: [] })
    expect(m.ask().events.at(-1)).toMatchObject({ type: 'delivered', secret })
    expect(JSON.stringify([m.ask(), m.view()])).not.toContain(NONCE)
    m.act(1, solve(0, 4))
    expect(m.ask()).toMatchObject({ toDeliver: [], toReveal: [{ challenge: 0, buyer: 1, secret }] })
    expect(m.view().deals).toMatchObject([{ delivered: true, secret, answer: { quality: '2/5', discounted: true } }])
  })
})

describe('a seller that breaks a rule with its secret is removed', () => {
  const due = (secret: number, quality: string, reached: number): Match => {
    const m = delivered(0.5, secret, quality)
    m.act(1, solve(0, reached))
    return m
  }

  test.each([
    ['another solution', reveal(0, 7), /have the SHA-256 [0-9a-f]{64}, not/],
    ['another nonce', reveal(0, 8, 'ff'.repeat(32)), /have the SHA-256/],
    ['an invalid nonce', reveal(0, 8, 'FF'.repeat(32)), /256 bits in 64 lower-case hex digits/],
  ])('%s', (_name, action, text) => {
    const m = due(8, '8/10', 1)
    const violation = m.act(0, action)
    expect(violation).toMatchObject({ rule: 'broken-secret', action: 0, values: { challenge: 0, quality: '8/10' } })
    expect(violation?.text).toMatch(text)
  })

  test('a secret that is not as good as it said: a buyer that lost to it gets its price back', () => {
    const m = due(3, '9/10', 4)
    expect(m.accounts()).toEqual([e(10.5), e(9.5)])
    expect(m.act(0, reveal(0, 3))).toMatchObject({ rule: 'broken-secret', text: /quality 3\/10, not the 9\/10/ })
    expect(m.accounts()).toEqual([e(10), e(10)])
    expect(m.state.removals[0]?.refunds).toEqual([{ challenge: 0, buyer: 1, owed: e(0.5), paid: e(0.5) }])
  })

  test('a buyer that had won all the same keeps its payoff and gets nothing twice', () => {
    const m = due(3, '9/10', 5)
    const before = m.accounts()
    expect(m.act(0, reveal(0, 3))?.rule).toBe('broken-secret')
    expect(m.accounts()).toEqual(before)
    expect(m.state.events.at(-1)).toMatchObject({ type: 'voided', refund: 0, shortfall: 0 })
  })

  test('a secret solution that is not feasible', () => {
    expect(due(11, '1/1', 1).act(0, reveal(0, 11))).toMatchObject({ rule: 'broken-secret', text: /not feasible/ })
  })

  test('not revealing', () => {
    const m = due(8, '8/10', 1)
    expect(m.act(0)).toMatchObject({
      rule: 'reveal',
      action: null,
      text: /the secret solution for challenge 0 was due/,
    })
    expect(m.accounts()).toEqual([e(10), e(10)])
  })

  test('revealing before the answer', () => {
    const m = match(2, { variant: 'secret', maxTurns: 1 })
    m.act(0, offer([10], 0.5))
    m.act(1, accept(0), offer([19], 1))
    expect(m.act(0, deliver(0, 10, sealed(8)), reveal(0, 8))).toMatchObject({ rule: 'not-due', action: 1 })
  })

  test.each([
    ['no secret', undefined, /came without its secret/],
    ['a quality above 1', sealed(8, '11/10'), /from 0 to 1, not "11\/10"/],
    ['a quality below 0', sealed(8, '-1/10'), /from 0 to 1/],
    ['a quality that is not a fraction', sealed(8, '0.8'), /"p\/q"/],
    ['a quality over 0', sealed(8, '1/0'), /"p\/q"/],
    ['an invalid commitment', { quality: '8/10', commitment: 'abc' }, /64 lower-case hex digits/],
  ])('delivering %s', (_name, secret, text) => {
    const m = match(2, { variant: 'secret', maxTurns: 1 })
    m.act(0, offer([10], 0.5))
    m.act(1, accept(0), offer([19], 1))
    const violation = m.act(0, deliver(0, 10, secret))
    expect(violation).toMatchObject({ rule: 'illegal-secret', action: 0 })
    expect(violation?.text).toMatch(text)
  })

  test('a secret with raw material that has none', () => {
    const m = match(2, { maxTurns: 1 })
    m.act(0, offer([10], 0.5))
    m.act(1, accept(0), offer([19], 1))
    expect(m.act(0, deliver(0, 10, sealed(8)))).toMatchObject({
      rule: 'illegal-secret',
      text: /is no secret challenge/,
    })
  })
})

test('a buyer who solves twice owes nothing and is removed', () => {
  const m = delivered(0.5, 8)
  expect(m.act(1, solve(0, 1), solve(0, 2))).toMatchObject({ rule: 'not-due', action: 1, text: /has been solved/ })
})

test('a buyer who is removed after its answer frees the seller from revealing', () => {
  const m = match(3, { variant: 'secret' })
  m.act(0, offer([10], 0.5))
  m.act(1, accept(0), offer([11], 0.5))
  m.act(2, accept(1), offer([12], 0.5))
  m.act(0, deliver(0, 10, sealed(8)), accept(2), offer([13], 0.5))
  expect(m.act(1, deliver(1, 11, sealed(8)), solve(0, 1))?.rule).toBe('accept-or-reoffer')
  expect(m.view().deals.map((deal) => deal.challenge)).toEqual([2])
  expect(m.accounts()[0]).toBe(e(10))
})

test('a secret whose quality the challenge file cannot tell is nobody’s fault', () => {
  // Size 15 cannot rate a solution of 0.
  const m = match(2, { variant: 'secret', maxTurns: 1 })
  m.act(0, offer([15], 0.5))
  m.act(1, accept(0), offer([19], 1))
  m.act(0, deliver(0, 15, sealed(0, '1/1')))
  m.act(1, solve(0, 1))
  expect(m.act(0, reveal(0, 0))).toBeNull()
  expect(m.accounts()).toEqual([e(10), e(10)])
  expect(m.removed()).toEqual([])
})

describe('nobody loses by a lie of the seller (decision 13)', () => {
  const due = (secret: number, quality: string, reached: number, profitFactor = 1): Match => {
    const m = delivered(0.5, secret, quality, { falseSecrets: 'as-true', judgement: 'strict', profitFactor })
    m.act(1, solve(0, reached))
    return m
  }

  test.each([
    // price 0.5: what the buyer reached, what it is paid at first, and in the end for s = 5/10 instead of 10/10
    ['who discounted the claim all the same', 5, 1, 0.5, 0.75],
    ['who would have discounted the true claim', 3, 1, 0, 0.55],
    ['who would have discounted nothing gets the price back', 2, 1, 0, 0.5],
    ['the profit factor counts', 5, 3, 0.5, 1.25],
  ])('%s', (_name, reached, profitFactor, first, last) => {
    const m = due(5, '10/10', reached, profitFactor)
    expect(m.accounts()).toEqual([e(10.5) - e(first), e(9.5) + e(first)])
    expect(m.act(0, reveal(0, 5))).toMatchObject({ rule: 'broken-secret' })
    expect(m.accounts()).toEqual([e(10.5) - e(last), e(9.5) + e(last)])
    expect(m.state.removals[0]?.refunds).toMatchObject([{ challenge: 0, owed: e(last) - e(first) }])
  })

  test.each([
    ['another solution', reveal(0, 7)],
    ['a solution that is not feasible', reveal(0, 11)],
    ['no solution', null],
  ])('%s: the seller has shown none, and s is 0', (_name, action) => {
    const m = due(action !== null && (action as { solution: Json }).solution === 11 ? 11 : 8, '8/10', 4)
    expect(action === null ? m.act(0) : m.act(0, action)).not.toBeNull()
    expect(m.accounts()).toEqual([e(10.5 - 0.9), e(9.5 + 0.9)])
  })

  /** Seat 0 has sold three secrets at 0.5 to seat 1, said s = 8/10 of each, and seat 1 has reached 4/10: it lost nothing yet. */
  const threeDue = (settings: Record<string, Json> = {}): Match => {
    const m = match(2, { variant: 'secret', maxTurns: 2, falseSecrets: 'as-true', judgement: 'strict', ...settings })
    m.act(0, offer([10], 0.5), offer([10], 0.4), offer([10], 0.3))
    m.act(1, accept(0), accept(1), accept(2), offer([19], 1))
    const secret = sealed(8, '10/10')
    m.act(0, deliver(0, 10, secret), deliver(1, 10, secret), deliver(2, 10, secret), accept(3), offer([18], 1))
    m.act(1, deliver(3, 19, sealed(8, '8/19')), solve(0, 2), solve(1, 2), solve(2, 2), accept(4), offer([17], 1))
    return m
  }
  /** The payoff of quality 0.2 where s is 0 instead of 1. */
  const truth = [0.5 + 0.2, 0.4 + 0.2, 0.3 + 0.2]

  test.each([
    ['reveals nothing', (m: Match) => m.act(0, deliver(4, 18, sealed(8, '8/18')), solve(3, 1)), 'reveal'],
    ['breaks another rule first', (m: Match) => m.act(0, accept(99)), 'completion'],
    ['delivers nothing', (m: Match) => m.act(0), 'delivery'],
    ['crashes', (m: Match) => m.fail(0, { kind: 'crash', text: 'it exited' }), 'crash'],
    ['lets its time pass', (m: Match) => m.fail(0, { kind: 'timeout', text: 'no answer' }), 'time-limit'],
    ['reveals a false one first', (m: Match) => m.act(0, reveal(1, 7)), 'broken-secret'],
  ])('every buyer of a seller that %s is paid as told the truth', (_name, leave, rule) => {
    const m = threeDue()
    expect(leave(m)?.rule).toBe(rule)
    const refunds = m.state.removals[0]!.refunds.filter(({ challenge }) => challenge < 3)
    expect(refunds.map(({ owed }) => owed)).toEqual(truth.map(e))
    expect(refunds.map(({ paid }) => paid)).toEqual(truth.map(e))
  })

  test('recorded matches blame the one secret that the violation names', () => {
    const m = threeDue({ judgement: 'lenient' })
    m.act(0, deliver(4, 18, sealed(8, '8/18')), solve(3, 1))
    const owed = m.state.removals[0]!.refunds.filter(({ challenge }) => challenge < 3).map((refund) => refund.owed)
    expect(owed).toEqual([0.7, 0.4, 0.3].map(e))
  })

  test('secrets that are not due yet are refunded where a payoff leaves the seller without energy', () => {
    const m = match(2, { variant: 'secret', maxTurns: 1, init: e(0.6), profitFactor: 10, falseSecrets: 'as-true' })
    m.act(0, offer([10], 0.2), offer([10], 0.1))
    m.act(1, accept(0), accept(1), offer([19], 1))
    m.act(0, deliver(0, 10, sealed(8)), deliver(1, 10, sealed(8)))
    m.act(1, solve(0, 0), solve(1, 10))
    expect(m.state.removals[0]).toMatchObject({
      violation: { rule: 'positive-account' },
      refunds: [{ challenge: 0, owed: e(0.2), paid: 0 }],
    })
  })

  test('a secret that cannot be judged is a lie', () => {
    const m = match(2, { variant: 'secret', maxTurns: 1, falseSecrets: 'as-true', judgement: 'strict' })
    m.act(0, offer([15], 0.5))
    m.act(1, accept(0), offer([19], 1))
    m.act(0, deliver(0, 15, sealed(0, '1/1')))
    m.act(1, solve(0, 6))
    expect(m.accounts()).toEqual([e(10.5), e(9.5)])
    expect(m.act(0, reveal(0, 0))).toMatchObject({ rule: 'broken-secret', text: /cannot be judged/ })
    expect(m.accounts()).toEqual([e(10.5 - 0.9), e(9.5 + 0.9)])
  })

  test.each([
    ['a secret at which the challenge file fails voids the sale and removes nobody', 'thorough', 18, null],
    ['one that alone cannot be judged stays a lie', 'thorough', 15, 'broken-secret'],
    ['in earlier contests the file is not asked', 'full', 18, 'broken-secret'],
    ['it stays so', 'complete', 18, null],
    ['and so does the lie', 'complete', 15, 'broken-secret'],
  ])('%s', (_name, judgement, size, rule) => {
    const m = match(2, { variant: 'secret', maxTurns: 1, falseSecrets: 'as-true', judgement })
    m.act(0, offer([size], 0.5))
    m.act(1, accept(0), offer([19], 1))
    m.act(0, deliver(0, size, sealed(0, '1/1')))
    m.act(1, solve(0, 6))
    const broken = m.act(0, reveal(0, 0))
    expect(broken?.rule ?? null).toBe(rule)
    expect(m.state.removals.map(({ violation }) => violation.rule)).toEqual(rule === null ? [] : [rule])
  })

  test.each([
    ['a secret at which the demands of the file fail voids the sale', 'complete', 3, null],
    ['one that is simply not feasible stays a lie', 'complete', 21, 'broken-secret'],
    ['in earlier contests the demands are not asked', 'thorough', 3, 'broken-secret'],
  ])('%s', (_name, judgement, solution, rule) => {
    const m = match(2, { variant: 'secret', maxTurns: 1, falseSecrets: 'as-true', judgement })
    m.act(0, offer([20], 0.5))
    m.act(1, accept(0), offer([19], 1))
    m.act(0, deliver(0, 20, sealed(solution, '1/1')))
    m.act(1, solve(0, 6))
    expect(m.act(0, reveal(0, solution))?.rule ?? null).toBe(rule)
    expect(m.state.removals.map(({ violation }) => violation.rule)).toEqual(rule === null ? [] : [rule])
  })

  test('new contests have it where secrets are sold, and recorded configs do not', () => {
    const parsed = (variant: string, own = {}, age: ConfigAge = 'new'): Json =>
      (games.get('specker')!.config({ challenge: SUMS, variant, ...own }, age) as { value: Json }).value
    expect(parsed('secret')).toMatchObject({ falseSecrets: 'as-true' })
    expect(parsed('base-ball')).toMatchObject({ falseSecrets: 'as-true' })
    expect(parsed('secret', {}, 'recorded')).not.toHaveProperty('falseSecrets')
    expect(parsed('classic')).not.toHaveProperty('falseSecrets')
    expect(match(2, { variant: 'secret' }).state.config).not.toHaveProperty('falseSecrets')
  })

  test.each(['as-promised', 'as-true'])('%s stays what was chosen, however often the config is completed', (chosen) => {
    const once = games.get('specker')!.config({ challenge: SUMS, variant: 'secret', falseSecrets: chosen })
    const value = (once as { value: Json }).value
    expect(value).toMatchObject({ falseSecrets: chosen })
    for (const age of ['new', 'recorded'] as const) {
      expect(games.get('specker')!.config(value, age)).toEqual({ ok: true, value })
    }
  })
})
