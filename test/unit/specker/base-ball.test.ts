import { expect, test, vi } from 'vitest'
import { accept, deliver, e, match, offer, reoffer, reveal, sealed, solve } from './match.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

const secret = { kind: 'secret' } as const

test('classic and secret challenges are sold side by side and each is settled by its own terms', () => {
  const m = match(2, { variant: 'base-ball', maxTurns: 1 })
  m.act(0, offer([10], 0.5), offer([10], 0.5, secret), offer([8], 0.5, { kind: 'classic' }))
  expect(m.ask().store.map(({ kind }) => kind)).toEqual(['classic', 'secret', 'classic'])
  m.act(1, accept(0), accept(1), offer([19], 1))
  m.act(0, deliver(0, 10), deliver(1, 10, sealed(8)))
  // The same solution: quality 3/10 is paid for the one; for the other it is below 0.5 x 8/10.
  m.act(1, solve(0, 3), solve(1, 3))
  expect(m.accounts()).toEqual([e(10 + 1 - 0.3), e(10 - 1 + 0.3)])
  expect(m.act(0, reveal(1, 8))).toBeNull()
  expect(m.outcome()).not.toBeNull()
})

test('an offer without a kind is a classic one', () => {
  const m = match(2, { variant: 'base-ball' })
  m.act(0, offer([10], 0.5))
  expect(m.view().store).toMatchObject([{ kind: 'classic' }])
})

test('3: a predicate sold as the other kind is new; as the same kind it must be cheaper', () => {
  const m = match(3, { variant: 'base-ball' })
  m.act(0, offer([3], 0.2))
  expect(m.act(1, accept(0), offer([3], 0.9, secret))).toBeNull()
  expect(m.act(2, accept(1), offer([3], 0.5), offer([3], 0.9, secret), offer([3], 0.9, secret))).toMatchObject({
    rule: 'new-offer',
    action: 3,
    values: { lowest: e(0.9) },
  })
})

test('3: the duty lapses only when neither kind of any predicate is left', () => {
  const full = match(2, { variant: 'base-ball', challengeConfig: { max: 1 }, offersMin: 3 })
  expect(full.act(0, offer([1], 0), offer([1], 0, secret))).toBeNull()
  const half = match(2, { variant: 'base-ball', challengeConfig: { max: 1 }, offersMin: 3 })
  expect(half.act(0, offer([1], 0))?.rule).toBe('new-offer')
})

test('a reoffer keeps the kind', () => {
  const m = match(2, { variant: 'base-ball' })
  m.act(0, offer([3], 0.5, secret))
  m.act(1, reoffer(0, 0.4), offer([3], 0.4))
  expect(m.view().store).toMatchObject([{ kind: 'secret' }, { kind: 'classic' }])
})

test.each([
  ['base-ball', 'belief', 'only classic and secret ones'],
  ['classic', 'secret', 'only classic ones'],
  ['secret', 'classic', 'only secret ones'],
] as const)('in a %s market nobody sells %s challenges', (variant, kind, text) => {
  const m = match(2, { variant })
  const violation = m.act(0, offer([3], 0.5, { kind }))
  expect(violation).toMatchObject({ rule: 'wrong-kind', action: 0, values: { kind } })
  expect(violation?.text).toContain(text)
})
