import { describe, expect, test, vi } from 'vitest'
import type { Action } from '../../../main/referees/specker/messages.ts'
import { sentenceOf } from '../../../main/referees/specker/narration/sentences.ts'
import { accept, deliver, e, match, offer, reoffer, solve, type Match } from './match.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

/** Two players, trading for one round: seat 0 sells [size] at `price` to seat 1, who must solve. */
function soldAndDelivered(size: number, price: number, settings = {}): Match {
  const m = match(2, { maxTurns: 1, ...settings })
  m.act(0, offer([size], price))
  m.act(1, accept(0), offer([19], 1))
  m.act(0, deliver(0, size))
  return m
}

describe('1: money', () => {
  test('a payoff is rounded down to 10^-9, and debit equals credit', () => {
    const m = soldAndDelivered(3, 0.5)
    m.act(1, solve(0, 1))
    expect(m.accounts()).toEqual([e(10.5) - 333_333_333, e(9.5) + 333_333_333])
  })

  test('quality 1 at price 1 is exact', () => {
    const m = soldAndDelivered(7, 1)
    m.act(1, solve(0, 7))
    expect(m.accounts()).toEqual([e(10), e(10)])
  })
})

describe('2: a positive account', () => {
  test('one unit left is enough', () => {
    const m = match(2, { init: e(0.5) + 1 })
    m.act(0, offer([3], 0.5))
    expect(m.act(1, accept(0), offer([4], 0.5))).toBeNull()
    expect(m.accounts()[1]).toBe(1)
  })

  test('what a bundle earns first may be spent after', () => {
    const m = match(2, { init: e(0.5), mindec: e(0.1) })
    m.act(0, offer([3], 0.4), offer([4], 0.2))
    m.act(1, accept(0), offer([5], 0.3))
    m.act(0, deliver(0, 3), reoffer(2, 0.1), offer([6], 0.9))
    // seat 1 has 0.1: too little for 0.2 before its solution brings 1/3.
    expect(m.act(1, solve(0, 1), accept(1), offer([7], 0.9))).toBeNull()
  })
})

describe('3: accept or reoffer', () => {
  test('nothing on offer by others, no duty', () => {
    const m = match(2)
    expect(m.act(0, offer([3], 0.5))).toBeNull()
  })

  test('one acceptance is enough, however much is left', () => {
    const m = match(2)
    m.act(0, offer([3], 0.5), offer([4], 0.5), offer([5], 0.5))
    expect(m.act(1, accept(1), offer([6], 0.5))).toBeNull()
  })

  test('lowering all is enough; an offer at 0 is exempt from "all"', () => {
    const m = match(2)
    m.act(0, offer([3], 0.5), offer([4], 0), offer([5], 0.4))
    expect(m.act(1, reoffer(0, 0.3), reoffer(2, 0.3), offer([6], 0.5))).toBeNull()
    expect(m.store()).toEqual([1, 3, 4, 5])
  })

  test('lowering to exactly 0 needs no mindec', () => {
    const m = match(2, { mindec: e(0.5) })
    m.act(0, offer([3], 0.001))
    expect(m.act(1, reoffer(0, 0), offer([4], 0.5))).toBeNull()
  })

  test('an offer at 0 cannot be lowered', () => {
    const m = match(2)
    m.act(0, offer([3], 0))
    expect(m.act(1, reoffer(0, 0), offer([4], 0.5))).toMatchObject({ rule: 'price-lowering', action: 0 })
  })

  test('where all that others offer is free, one must be accepted', () => {
    const idle = match(3)
    idle.act(0, offer([3], 0))
    expect(idle.act(1, offer([4], 0.5))?.rule).toBe('accept-or-reoffer')
    const buyer = match(3)
    buyer.act(0, offer([3], 0))
    expect(buyer.act(1, accept(0), offer([4], 0.5))).toBeNull()
  })

  test('with "one", a single reoffer does', () => {
    const m = match(2, { acceptOrReoffer: 'one' })
    m.act(0, offer([3], 0.5), offer([4], 0.5))
    expect(m.act(1, reoffer(1, 0.4), offer([5], 0.5))).toBeNull()
    const idle = match(2, { acceptOrReoffer: 'one' })
    idle.act(0, offer([3], 0.5), offer([4], 0.5))
    expect(idle.act(1, offer([5], 0.5))).toMatchObject({ rule: 'accept-or-reoffer', values: { left: 2 } })
  })
})

describe('4: a new offer', () => {
  test('the same predicate at a lower price is new, also against oneself', () => {
    const m = match(3)
    expect(m.act(0, offer([3], 0.5), offer([3], 0.499999999))).toBeNull()
    expect(m.act(1, reoffer(0, 0.4), reoffer(1, 0.4), offer([3], 0.399999999))).toBeNull()
  })

  test('predicates compare canonically', () => {
    const m = match(2)
    m.act(0, offer([4, 3, 3], 0.5))
    expect(m.view().store).toEqual([{ challenge: 0, seller: 0, predicate: [3, 4], price: e(0.5) }])
    expect(m.act(1, offer([3, 4], 0.5))).toMatchObject({ rule: 'new-offer', action: 0 })
  })

  test('the price must be below every offer of the predicate, also when the lowest has gone', () => {
    const m = match(3)
    m.act(0, offer([3], 0.5), offer([3], 0.2))
    m.act(1, accept(1), offer([3], 0.3))
    expect(m.act(2, accept(0), offer([3], 0.3))).toMatchObject({ rule: 'new-offer', values: { lowest: e(0.3) } })
  })

  test('a reoffer is not the new offer of the turn', () => {
    const m = match(2)
    m.act(0, offer([3], 0.5))
    expect(m.act(1, reoffer(0, 0.4))?.rule).toBe('new-offer')
  })

  test('the duty lapses only where no legal offer is left', () => {
    const full = match(2, { challengeConfig: { max: 2 }, offersMax: 3 })
    full.act(0, offer([1], 0), offer([2], 0), offer([1, 2], 0))
    expect(full.act(1, offer([1], 0))?.rule).toBe('new-offer')
    const alone = match(2, { challengeConfig: { max: 1 }, offersMin: 2 })
    expect(alone.act(0, offer([1], 0))).toBeNull()
    // The dearer of two offers of a predicate leaves no room below the free one.
    const twice = match(2, { challengeConfig: { max: 1 }, offersMin: 3 })
    expect(twice.act(0, offer([1], 0.5), offer([1], 0))).toBeNull()
    const cheaper = match(2, { challengeConfig: { max: 1 }, offersMin: 2 })
    expect(cheaper.act(0, offer([1], 0.5))?.rule).toBe('new-offer')
    const exhausted = match(3, { challengeConfig: { max: 2 }, offersMin: 3 })
    exhausted.act(0, offer([1], 0), offer([2], 0), offer([1, 2], 0))
    // Buying one frees its predicate: a legal offer is left, and the duty with it.
    expect(exhausted.act(1, accept(0))?.rule).toBe('new-offer')
    const both = match(3, { challengeConfig: { max: 2 }, offersMin: 2 })
    both.act(0, offer([1], 0), offer([2], 0), offer([1, 2], 0))
    expect(both.act(1, accept(0), offer([1], 0))).toBeNull()
  })
})

test('5: whoever lowers a price becomes the seller, under a new number', () => {
  const m = match(3)
  m.act(0, offer([3], 0.5))
  m.act(1, reoffer(0, 0.4), offer([4], 0.6))
  expect(m.view().store).toEqual([
    { challenge: 1, seller: 1, predicate: [3], price: e(0.4) },
    { challenge: 2, seller: 1, predicate: [4], price: e(0.6) },
  ])
  expect(m.view().events).toContainEqual({
    round: 1,
    seat: 1,
    type: 'reoffered',
    challenge: 1,
    undercut: 0,
    price: e(0.4),
  })
  m.act(2, accept(1), offer([5], 0.6))
  expect(m.accounts()).toEqual([e(10), e(10.4), e(9.6)])
  expect(m.act(0, deliver(1, 3))).toMatchObject({ rule: 'not-yours', values: { owner: 1 } })
})

describe('6: each action meets the state that those before it left', () => {
  test('buy first, then offer the predicate that is free again', () => {
    const m = match(2)
    m.act(0, offer([3], 0.5))
    expect(m.act(1, accept(0), offer([3], 0.9))).toBeNull()
  })

  test('the other way round it breaks rule 3', () => {
    const m = match(2)
    m.act(0, offer([3], 0.5))
    expect(m.act(1, offer([3], 0.9), accept(0))).toMatchObject({ rule: 'new-offer', action: 0 })
  })

  describe('a seller is removed in the middle of a buyer’s bundle', () => {
    /** Seat 1's turn: it must deliver 3 and solve 0, whose seller 0 cannot pay and also offers 1 and 2. Seat 2 offers 5. */
    function brittle(): Match {
      const m = match(3, { init: e(0.9) })
      m.act(0, offer([3], 0.1), offer([4], 0.1), offer([5], 0.7))
      m.act(1, accept(0), offer([6], 0.1))
      m.act(2, accept(3), offer([7], 0.9), offer([10], 0.9))
      m.act(0, deliver(0, 3), accept(4), offer([8], 0.3))
      return m
    }

    test('buying or lowering its challenges afterwards has no effect, breaks no rule, and counts as done', () => {
      const m = brittle()
      expect(m.act(1, deliver(3, 6), solve(0, 3), accept(1), reoffer(2, 0.2), offer([9], 0.5))).toBeNull()
      expect(m.removed()).toEqual([0])
      expect(m.view().deals.map((deal) => deal.challenge)).toEqual([3])
      expect(m.store()).toEqual([5, 7])
      expect(m.state.turn).toBe(2)
    })

    test('lowering the rest counts together with lowering its own', () => {
      const m = brittle()
      const rest = [reoffer(1, 0.05), reoffer(2, 0.2), reoffer(6, 0.1), reoffer(5, 0.5)]
      expect(m.act(1, deliver(3, 6), solve(0, 3), ...rest, offer([9], 0.5))).toBeNull()
      expect(m.removed()).toEqual([0])
    })

    test('what others offer still binds', () => {
      const m = brittle()
      const violation = m.act(1, deliver(3, 6), solve(0, 3), reoffer(1, 0.05), offer([9], 0.5))
      expect(violation).toMatchObject({ rule: 'accept-or-reoffer', values: { reoffered: 1, left: 1, first: 5 } })
    })

    test('its solutions that are due become void too', () => {
      const m = match(3, { init: e(0.9) })
      m.act(0, offer([3], 0.1), offer([4], 0.1))
      m.act(1, accept(0), accept(1), offer([6], 0.1))
      m.act(2, accept(2), offer([7], 0.9), offer([10], 0.9))
      m.act(0, deliver(0, 3), deliver(1, 4), accept(3), offer([8], 0.3))
      // Seat 0 has 0.9 + 0.2 - 0.9 = 0.2: the first solution takes it all, the second meets a void challenge.
      expect(m.act(1, deliver(2, 6), solve(0, 3), solve(1, 4), accept(4), offer([9], 0.5))).toBeNull()
      expect(m.removed()).toEqual([0])
    })
  })
})

describe('7: when obligations are due', () => {
  test('the seller who sits behind the buyer delivers in the same round', () => {
    const m = match(3)
    m.act(0, offer([3], 0.5))
    m.act(1, reoffer(0, 0.4), offer([4], 0.6))
    m.act(2, reoffer(1, 0.3), reoffer(2, 0.5), offer([5], 0.6))
    m.act(0, accept(3), offer([6], 0.5))
    expect(m.act(1, accept(4), offer([7], 0.5))).toBeNull()
    expect(m.ask().toDeliver.map((deal) => deal.challenge)).toEqual([3, 4])
    expect(m.act(2, deliver(4, 4), accept(6), offer([8], 0.5))).toMatchObject({
      rule: 'delivery',
      values: { challenge: 3 },
    })
  })
})

describe('8: removal', () => {
  test('offers leave the store, buyers are refunded, what it bought stays paid, earlier actions stand', () => {
    const m = match(3)
    m.act(0, offer([3], 0.5), offer([4], 0.6))
    m.act(1, accept(0), offer([5], 0.7))
    m.act(2, accept(1), offer([6], 0.8))
    const violation = m.act(0, accept(2), deliver(0, 99))
    expect(violation).toMatchObject({ rule: 'illegal-material', action: 1 })
    // 0 sold two (0.5, 0.6) that are refunded and paid 0.7 for challenge 2, which stays with seat 1.
    expect(m.accounts()).toEqual([e(10 - 0.7), e(10.7), e(10)])
    expect(m.view().deals).toEqual([])
    expect(m.view().store.map((entry) => entry.seller)).toEqual([2])
    expect(m.state.removals).toEqual([
      {
        seat: 0,
        round: 2,
        violation,
        refunds: [
          { challenge: 0, buyer: 1, owed: e(0.5), paid: e(0.5) },
          { challenge: 1, buyer: 2, owed: e(0.6), paid: e(0.6) },
        ],
      },
    ])
    expect(m.view().events.filter((event) => event.type === 'voided')).toMatchObject([
      { seat: 0, challenge: 0, buyer: 1, refund: e(0.5), shortfall: 0 },
      { seat: 0, challenge: 1, buyer: 2, refund: e(0.6), shortfall: 0 },
      { seat: 1, challenge: 2, buyer: 0, refund: 0, shortfall: 0 },
    ])
    expect(m.state.turn).toBe(1)
    expect(m.ask()).toMatchObject({ toDeliver: [], toSolve: [] })
  })

  test('too little for all refunds: pro rata, to the last unit, the shortfall recorded', () => {
    const m = match(3, { init: 1_000, mindec: 1 })
    const sell = (size: number, price: number): Action => ({ type: 'offer', predicate: [size], price })
    m.act(0, sell(3, 500), sell(4, 301))
    m.act(1, accept(0), sell(5, 900))
    m.act(2, accept(1), sell(6, 800))
    // 1,801 less 1,700 leave 101 for claims of 500 and 301: 63.04 and 37.95, so the odd unit goes to the second.
    m.act(0, accept(2), accept(3), deliver(0, 'nothing'))
    expect(m.state.removals[0]?.refunds).toEqual([
      { challenge: 0, buyer: 1, owed: 500, paid: 63 },
      { challenge: 1, buyer: 2, owed: 301, paid: 38 },
    ])
    expect(m.accounts()).toEqual([0, 1_000 - 500 + 900 + 63, 1_000 - 301 + 800 + 38])
    expect(m.view().events.filter((event) => event.type === 'voided')).toMatchObject([
      { refund: 63, shortfall: 437 },
      { refund: 38, shortfall: 263 },
      { challenge: 2, refund: 0 },
      { challenge: 3, refund: 0 },
    ])
  })

  test('later removals rank above earlier ones, and all below those who finished', () => {
    const m = match(4, { maxTurns: 1 })
    m.fail(0, { kind: 'crash', text: 'It fell.' })
    m.fail(1, { kind: 'crash', text: 'It fell.' })
    m.act(2, offer([3], 1))
    m.act(3, accept(0), offer([4], 1))
    m.act(2, deliver(0, 3))
    m.act(3, solve(0, 0))
    expect(m.outcome()?.places).toEqual([
      { seat: 0, rank: 4, score: e(10), removed: true, reason: 'It fell.' },
      { seat: 1, rank: 3, score: e(10), removed: true, reason: 'It fell.' },
      { seat: 2, rank: 1, score: e(11), removed: false },
      { seat: 3, rank: 2, score: e(9), removed: false },
    ])
  })

  test('the match ends at once when one player is left', () => {
    const m = match(3)
    m.fail(0, { kind: 'crash', text: 'It fell.' })
    expect(m.outcome()).toBeNull()
    m.fail(1, { kind: 'timeout', text: 'It slept.' })
    expect(m.outcome()?.places.map((place) => place.rank)).toEqual([3, 2, 1])
  })
})

describe('9: a seller who cannot pay', () => {
  test('pays all it has and is removed; the buyer is not charged', () => {
    const m = match(3, { init: e(0.3) })
    m.act(0, offer([3], 0.1))
    m.act(1, accept(0), offer([4], 0.2))
    m.act(2, accept(1), offer([5], 0.2))
    m.act(0, deliver(0, 3), accept(2), offer([6], 0.9))
    // Seat 0 has 0.3 + 0.1 - 0.2 = 0.2 and owes 1.
    expect(m.act(1, deliver(1, 4), solve(0, 3), offer([7], 0.9))).toBeNull()
    expect(m.removed()).toEqual([0])
    expect(m.accounts()).toEqual([0, e(0.3 - 0.1 + 0.2 + 0.2), e(0.3)])
    expect(m.state.removals[0]?.violation).toEqual({
      rule: 'positive-account',
      action: null,
      values: { challenge: 0, owed: e(1), paid: e(0.2), shortfall: e(0.8) },
      text: 'The payoff of 1 for challenge 0 is more than the 0.2 on the account.',
    })
    expect(m.state.events).toContainEqual({
      round: 2,
      seat: 1,
      type: 'solved',
      challenge: 0,
      quality: '1/1',
      payoff: e(0.2),
    })
  })

  test('a player that pays in full but has nothing left has no positive account', () => {
    const even = soldAndDelivered(4, 0.25, { init: e(0.5) })
    even.act(1, solve(0, 3))
    expect(even.state.removals[0]?.violation).toMatchObject({ rule: 'positive-account', values: { shortfall: 0 } })
    expect(even.accounts()).toEqual([0, e(1)])
  })
})

test('10: two rounds after maxTurns settle everything, whatever the order of seats', () => {
  const m = match(3, { maxTurns: 2, order: 'rotating' })
  m.act(0, offer([3], 0.5))
  m.act(1, reoffer(0, 0.4), offer([4], 0.5))
  m.act(2, reoffer(1, 0.3), reoffer(2, 0.4), offer([5], 0.5))
  // Round 2 begins with seat 1.
  m.act(1, reoffer(3, 0.2), reoffer(4, 0.3), reoffer(5, 0.4), offer([6], 0.5))
  m.act(2, reoffer(6, 0.1), reoffer(7, 0.1), reoffer(8, 0.1), reoffer(9, 0.1), offer([7], 0.5))
  m.act(0, accept(14), offer([8], 0.5))
  // Round 3 begins with seat 2, the seller; seat 0 solves in the same round.
  expect([m.state.round, m.state.turn]).toEqual([3, 2])
  m.act(2, deliver(14, 7))
  expect([m.state.round, m.state.turn]).toEqual([3, 0])
  m.act(0, solve(14, 7))
  expect(m.outcome()).not.toBeNull()
})

test('12: the outcome repeats the sentence, cut to a length that everything can carry', () => {
  const m = match(2)
  const violation = m.act(0, { type: 'offer', predicate: 'x'.repeat(100_000), price: 1 })
  expect(m.outcome()?.places[0]?.reason).toBe(violation?.text)
  const long = match(2).fail(0, { kind: 'crash', text: `${'x'.repeat(1_999)}\u{1f600}` })
  expect(long?.text).toHaveLength(2_004)
  expect(long?.text.isWellFormed()).toBe(true)
})

test('12: a violation is plain JSON in the saved state', () => {
  const m = match(3)
  const violation = m.act(0, offer([3], 0.5), accept(0))
  expect(JSON.parse(JSON.stringify(m.state.removals))).toEqual([{ seat: 0, round: 1, violation, refunds: [] }])
  expect(violation).toEqual({
    rule: 'own-challenge',
    action: 1,
    values: { challenge: 0 },
    text: 'actions.1 (accept): challenge 0 is your own; only others can buy it.',
  })
})

describe('a challenge file that cannot tell a quality costs no player its place', () => {
  test.each([
    [13, /divides by 0/],
    [14, /3\/2, which is not between 0 and 1/],
  ])('size %i', (size, text) => {
    const m = soldAndDelivered(size, 0.5)
    m.act(1, solve(0, 1))
    expect(m.removed()).toEqual([])
    expect(m.accounts()).toEqual([e(10), e(10)])
    const voided = m.state.events.find((event) => event.type === 'voided')
    expect(voided).toMatchObject({ seat: 0, buyer: 1, refund: e(0.5), shortfall: 0 })
    expect(voided?.text).toMatch(text)
  })

  test('the file is named in the sentence of the history; where a player was removed, it is not', () => {
    const telling = {
      name: (seat: number) => `seat ${seat}`,
      energy: String,
      text: (text: string) => text,
      challenge: 'sums',
    }
    const told = (m: Match): readonly string[] =>
      m.state.events.flatMap((event) => (event.type === 'voided' ? [sentenceOf({ event, seller: null }, telling)] : []))
    const m = soldAndDelivered(13, 0.5)
    m.act(1, solve(0, 1))
    expect(told(m)).toEqual([expect.stringMatching(/^Challenge 0 .*\bsums\b.*divides by 0/)])
    const other = soldAndDelivered(4, 0.5)
    // Not a solution of this size.
    other.act(1, solve(0, 5))
    expect(other.removed()).toHaveLength(1)
    expect(told(other)).toEqual([expect.not.stringContaining('sums')])
  })

  test.each([13, 14])('strictly too: size %i', (size) => {
    const m = match(2, { maxTurns: 2, judgement: 'strict' })
    m.act(0, offer([size], 0.5))
    m.act(1, accept(0), offer([19], 1))
    m.act(0, deliver(0, size), accept(1), offer([18], 1))
    m.act(1, solve(0, 1), deliver(1, 19), accept(2), offer([17], 1))
    expect(m.removed()).toEqual([])
    expect(m.state.events.find((event) => event.type === 'voided')).toMatchObject({ refund: e(0.5) })
  })

  test('the refund leaves the seller a positive account', () => {
    const m = match(3, { init: e(0.5) })
    m.act(0, offer([13], 0.3))
    m.act(1, accept(0), offer([4], 0.7))
    m.act(2, reoffer(1, 0.2), offer([5], 0.4))
    m.act(0, deliver(0, 13), accept(2), accept(3), offer([6], 0))
    // 0.5 + 0.3 - 0.6 = 0.2 is left of the 0.3 that it got.
    m.act(1, solve(0, 1), accept(4), offer([7], 0.9))
    expect(m.removed()).toEqual([])
    expect(m.accounts()[0]).toBe(1)
    const voided = m.state.events.find((event) => event.type === 'voided')
    expect(voided).toMatchObject({ refund: e(0.2) - 1, shortfall: e(0.1) + 1 })
  })
})

describe('raw material without a bound', () => {
  test.each([
    ['voids the sale if the file bounds no raw material of the predicate', 'complete', [16], null],
    ['is the fault of a seller that could have delivered other', 'complete', [15, 16], 'illegal-material'],
    ['is always its fault in earlier contests', 'thorough', [16], 'illegal-material'],
  ])('%s', (_, judgement, sizes, rule) => {
    const m = match(2, { maxTurns: 2, judgement })
    m.act(0, offer(sizes, 0.5))
    m.act(1, accept(0), offer([19], 1))
    const broken = m.act(0, deliver(0, 16), accept(1), offer([18], 1))
    expect(broken?.rule ?? null).toBe(rule)
    expect(m.removed()).toEqual(rule === null ? [] : [0])
    const voided = m.state.events.find((event) => event.type === 'voided')
    expect(voided).toMatchObject({ seat: 0, buyer: 1, refund: e(0.5), shortfall: 0 })
    if (rule === null) expect(voided?.text).toMatch(/The bound takes too many steps/)
  })
})

describe('a player answers for a value of its own that cannot be judged', () => {
  const sold = (size: number): Match => {
    const m = match(2, { maxTurns: 2, judgement: 'strict' })
    m.act(0, offer([size], 0.5))
    m.act(1, accept(0), offer([19], 1))
    return m
  }

  test('a buyer with its solution', () => {
    const m = sold(15)
    m.act(0, deliver(0, 15), accept(1), offer([18], 1))
    expect(m.act(1, solve(0, 0))).toMatchObject({ rule: 'infeasible-solution', action: 0, text: /cannot be judged/ })
    expect(m.accounts()[0]).toBe(e(10.5))
  })

  test('a seller with raw material that has no bound', () => {
    const m = sold(16)
    expect(m.act(0, deliver(0, 16))).toMatchObject({ rule: 'illegal-material', action: 0, text: /cannot be judged/ })
    expect(m.accounts()).toEqual([e(10), e(10)])
  })

  test('a seller with raw material of which no solution can be judged', () => {
    const m = sold(17)
    m.act(0, deliver(0, 17), accept(1), offer([18], 1))
    expect(m.act(1, solve(0, 1), deliver(1, 19))).toBeNull()
    expect(m.state.removals[0]).toMatchObject({ seat: 0, violation: { rule: 'illegal-material', action: null } })
    expect(m.accounts()[1]).toBe(e(11))
  })

  test('recorded matches void the sale', () => {
    const m = match(2, { maxTurns: 1 })
    m.act(0, offer([15], 0.5))
    m.act(1, accept(0), offer([19], 1))
    m.act(0, deliver(0, 15))
    expect(m.act(1, solve(0, 0))).toBeNull()
    expect(m.accounts()).toEqual([e(10), e(10)])
  })
})
