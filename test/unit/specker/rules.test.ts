import { describe, expect, test, vi } from 'vitest'
import type { Action } from '../../../main/referees/specker/messages.ts'
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

/** Each case: whose turn it is after `from`, what he does, and the rule that he breaks. */
const breaches: readonly {
  readonly name: string
  readonly rule: string
  readonly from: () => Match
  readonly seat: number
  readonly actions: readonly Action[]
  readonly action: number | null
  readonly values: Record<string, unknown>
  readonly text: RegExp
}[] = [
  {
    name: '2: neither accepts nor reoffers',
    rule: 'accept-or-reoffer',
    from: () => oneSale(),
    seat: 2,
    actions: [offer([5], 0.7)],
    action: null,
    values: { reoffered: 0, left: 1, first: 1 },
    text: /others offer 1 challenge \(1 at 0\.6 first\); accept one or lower all of them/,
  },
  {
    name: '2: reoffers one of two',
    rule: 'accept-or-reoffer',
    from() {
      const m = match(3, { offersMin: 2 })
      m.act(0, offer([3], 0.5), offer([4], 0.6))
      return m
    },
    seat: 1,
    actions: [reoffer(0, 0.4), offer([5], 0.7), offer([6], 0.7)],
    action: null,
    values: { reoffered: 1, left: 1, first: 1 },
    text: /not all were reoffered: challenge 1 at 0\.6 was left/,
  },
  {
    name: '3: offers nothing new',
    rule: 'new-offer',
    from: () => match(2),
    seat: 0,
    actions: [],
    action: null,
    values: { offered: 0, offersMin: 1 },
    text: /0 new challenges were offered; at least 1 must be in each turn/,
  },
  {
    name: '3: offers a predicate that is on offer at the same price',
    rule: 'new-offer',
    from: () => oneSale(),
    seat: 2,
    actions: [offer([4], 0.6)],
    action: 0,
    values: { price: e(0.6), lowest: e(0.6) },
    text: /^actions\.0 \(offer\): this predicate is already on offer at 0\.6/,
  },
  {
    name: '3: offers more than allowed',
    rule: 'offers-max',
    from: () => match(2, { offersMax: 1 }),
    seat: 0,
    actions: [offer([3], 0.5), offer([4], 0.5)],
    action: 1,
    values: { offersMax: 1 },
    text: /only 1 new offers/,
  },
  {
    name: '3: offers what is no predicate',
    rule: 'illegal-predicate',
    from: () => match(2),
    seat: 0,
    actions: [offer([21], 0.5)],
    action: 0,
    values: { price: e(0.5) },
    text: /the predicate is not legal: not a size/,
  },
  {
    name: '4: delivers nothing',
    rule: 'delivery',
    from: () => deliveryDue(),
    seat: 0,
    actions: [accept(2), offer([6], 0.8)],
    action: null,
    values: { challenge: 0 },
    text: /raw material for challenge 0 was due in this turn and did not come/,
  },
  {
    name: '4: delivers what does not match the predicate',
    rule: 'illegal-material',
    from: () => deliveryDue(),
    seat: 0,
    actions: [deliver(0, 4), accept(2), offer([6], 0.8)],
    action: 0,
    values: { challenge: 0 },
    text: /does not match its predicate: the size is none of the predicate/,
  },
  {
    name: '4: solves nothing',
    rule: 'solution',
    from: () => solutionDue(),
    seat: 1,
    actions: [deliver(1, 4), accept(3), offer([7], 0.9)],
    action: null,
    values: { challenge: 0 },
    text: /a solution for challenge 0 was due/,
  },
  {
    name: '4: solves infeasibly',
    rule: 'infeasible-solution',
    from: () => solutionDue(),
    seat: 1,
    actions: [deliver(1, 4), solve(0, 4)],
    action: 1,
    values: { challenge: 0 },
    text: /not feasible: not between 0 and the size/,
  },
  {
    name: '4: delivers for another',
    rule: 'not-yours',
    from: () => deliveryDue(),
    seat: 0,
    actions: [deliver(1, 4)],
    action: 0,
    values: { challenge: 1, owner: 1 },
    text: /challenge 1 was sold by seat 1, not by you/,
  },
  {
    name: '4: solves what another bought',
    rule: 'not-yours',
    from: () => deliveryDue(),
    seat: 0,
    actions: [solve(1, 4)],
    action: 0,
    values: { challenge: 1, owner: 2 },
    text: /challenge 1 was bought by seat 2, not by you/,
  },
  {
    name: '4: delivers twice',
    rule: 'not-due',
    from: () => deliveryDue(),
    seat: 0,
    actions: [deliver(0, 3), deliver(0, 3)],
    action: 1,
    values: { challenge: 0 },
    text: /its raw material has been delivered/,
  },
  {
    name: '4: solves before delivery',
    rule: 'not-due',
    from: () => deliveryDue(),
    seat: 0,
    actions: [deliver(0, 3), accept(2), solve(2, 1)],
    action: 2,
    values: { challenge: 2 },
    text: /has not been delivered yet/,
  },
  {
    name: '4: delivers what nobody bought',
    rule: 'not-due',
    from: () => oneSale(),
    seat: 2,
    actions: [deliver(1, 4)],
    action: 0,
    values: { challenge: 1 },
    text: /it was not bought, or is finished/,
  },
  {
    name: '5: lowers by less than mindec',
    rule: 'price-lowering',
    from: () => oneSale({ mindec: e(0.1) }),
    seat: 2,
    actions: [reoffer(1, 0.500000001)],
    action: 0,
    values: { challenge: 1, price: 500_000_001, old: e(0.6), mindec: e(0.1) },
    text: /costs 0\.6 and must be lowered by at least 0\.1 or to 0, not to 0\.500000001/,
  },
  {
    name: '5: "lowers" to a higher price',
    rule: 'price-lowering',
    from: () => oneSale(),
    seat: 2,
    actions: [reoffer(1, 0.9)],
    action: 0,
    values: { challenge: 1, price: e(0.9), old: e(0.6), mindec: e(0.01) },
    text: /must be lowered/,
  },
  {
    name: '6: buys what was bought',
    rule: 'bought-once',
    from: () => oneSale(),
    seat: 2,
    actions: [accept(1), accept(0)],
    action: 1,
    values: { challenge: 0, buyer: 1 },
    text: /challenge 0 was bought by seat 1; it can be bought only once/,
  },
  {
    name: '6: buys the same twice in one bundle',
    rule: 'bought-once',
    from: () => oneSale(),
    seat: 2,
    actions: [accept(1), accept(1)],
    action: 1,
    values: { challenge: 1, buyer: 2 },
    text: /only once/,
  },
  {
    name: '6: reoffers what was bought',
    rule: 'bought-once',
    from: () => oneSale(),
    seat: 2,
    actions: [reoffer(0, 0.1)],
    action: 0,
    values: { challenge: 0, buyer: 1 },
    text: /was bought by seat 1/,
  },
  {
    name: '6: buys what never was',
    rule: 'not-on-offer',
    from: () => oneSale(),
    seat: 2,
    actions: [accept(99)],
    action: 0,
    values: { challenge: 99 },
    text: /there is no challenge 99/,
  },
  {
    name: '6: buys what was undercut',
    rule: 'not-on-offer',
    from: () => oneSale(),
    seat: 2,
    actions: [reoffer(1, 0.1), accept(1)],
    action: 1,
    values: { challenge: 1 },
    text: /not on offer any more/,
  },
  {
    name: '2: buys from himself',
    rule: 'own-challenge',
    from: () => match(2),
    seat: 0,
    actions: [offer([3], 0.5), accept(0)],
    action: 1,
    values: { challenge: 0 },
    text: /is your own; only others can buy it/,
  },
  {
    name: '2: undercuts himself',
    rule: 'own-challenge',
    from: () => match(2),
    seat: 0,
    actions: [offer([3], 0.5), reoffer(0, 0.4)],
    action: 1,
    values: { challenge: 0 },
    text: /only others can lower it/,
  },
  {
    name: '7: spends all he has',
    rule: 'positive-account',
    from() {
      const m = match(2, { init: e(0.5) })
      m.act(0, offer([3], 0.5))
      return m
    },
    seat: 1,
    actions: [accept(0)],
    action: 0,
    values: { challenge: 0, price: e(0.5), account: e(0.5) },
    text: /would leave your account at 0; it must stay above 0/,
  },
  {
    name: '10: offers after maxTurns',
    rule: 'completion',
    from() {
      const m = match(2, { maxTurns: 1 })
      m.act(0, offer([3], 0.5))
      m.act(1, accept(0), offer([4], 0.6))
      return m
    },
    seat: 0,
    actions: [deliver(0, 3), offer([5], 0.5)],
    action: 1,
    values: { round: 2, maxTurns: 1 },
    text: /after round 1 nothing can be offered any more/,
  },
  {
    name: '10: buys after maxTurns',
    rule: 'completion',
    from() {
      const m = match(2, { maxTurns: 1 })
      m.act(0, offer([3], 0.5))
      m.act(1, accept(0), offer([4], 0.6))
      return m
    },
    seat: 0,
    actions: [accept(1)],
    action: 0,
    values: { round: 2, maxTurns: 1 },
    text: /nothing can be bought/,
  },
  {
    name: '10: reoffers after maxTurns',
    rule: 'completion',
    from() {
      const m = match(2, { maxTurns: 1 })
      m.act(0, offer([3], 0.5))
      m.act(1, accept(0), offer([4], 0.6))
      return m
    },
    seat: 0,
    actions: [reoffer(1, 0.1)],
    action: 0,
    values: { round: 2, maxTurns: 1 },
    text: /nothing can be reoffered/,
  },
]

describe('a player that breaks a rule is removed, and told why', () => {
  test.each(breaches)('$name', ({ rule, from, seat, actions, action, values, text }) => {
    const m = from()
    const total = m.accounts().reduce((sum, account) => sum + account)
    const violation = m.act(seat, ...actions)
    expect(violation).toMatchObject({ rule, action, values })
    expect(violation?.text).toMatch(text)
    expect(m.removed()).toEqual([seat])
    expect(m.accounts().reduce((sum, account) => sum + account)).toBe(total)
    const removed = m.state.events.filter((event) => event.type === 'removed')
    expect(removed).toEqual([{ round: m.state.removals[0]?.round, seat, type: 'removed', rule, text: violation?.text }])
  })

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
