import { describe, expect, test, vi } from 'vitest'
import { specker } from '../../../main/referees/specker/specker.ts'
import { accept, deliver, e, match, offer, reoffer, reveal, sealed, solve } from './match.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

const mode = 'asynchronous'
const { rules } = specker

describe('everybody may act at any time', () => {
  test('a sale from offer to reveal, and the end when nothing is owed after trading', () => {
    const m = match(3, { mode, variant: 'base-ball' })
    m.race(2, 0, offer([3], 0.5))
    m.race(0, 1, offer([4], 0.5, { kind: 'secret' }))
    m.race(2, 2, accept(1))
    m.race(1, 2, accept(0))
    m.race(2, 4, deliver(0, 3))
    m.close()
    expect(m.outcome()).toBeNull()
    m.race(0, 4, deliver(1, 4, sealed(4, '1/1')))
    m.race(2, 6, solve(1, 4))
    m.race(1, 6, solve(0, 3))
    expect(m.outcome()).toBeNull()
    expect(m.race(0, 8, reveal(1, 4))).toBeNull()
    expect(m.accounts()).toEqual([e(10 + 0.5 - 0.5 - 0.5), e(10 - 0.5 + 1), e(10 + 0.5 - 1 - 0.5 + 1)])
    expect(m.outcome()?.places.map((place) => place.rank)).toEqual([3, 1, 2])
  })

  test('there are no turns: nobody has to trade, or to deliver in its next bundle', () => {
    const m = match(2, { mode })
    expect(m.race(0, 0)).toBeNull()
    m.race(0, 0, offer([3], 0.5))
    expect(m.race(1, 1, accept(0))).toBeNull()
    expect(m.race(0, 2, offer([4], 0.5))).toBeNull()
    expect(m.race(0, 3, deliver(0, 3))).toBeNull()
  })

  test('turn messages are of protocol 2 and name no turn', () => {
    const m = match(2, { mode, duration: 5_000 })
    expect(m.view()).toMatchObject({ turn: null, trading: true })
    expect(m.start(1)).toMatchObject({ protocol: 2, config: { mode, duration: 5_000, timeslot: null } })
  })
})

describe('a player that was faster', () => {
  test('one buyer; who comes later is refused in words and loses nothing', () => {
    const m = match(4, { mode })
    m.race(0, 0, offer([3], 0.5))
    for (const seat of [2, 1, 3]) expect(m.race(seat, 1, accept(0))).toBeNull()
    expect(m.accounts()).toEqual([e(10.5), e(10), e(9.5), e(10)])
    const refused = m.state.events.filter((event) => event.type === 'refused')
    expect(refused).toMatchObject([
      { seat: 1, action: 0, rule: 'bought-once', text: /was bought by seat 2/ },
      { seat: 3, action: 0, rule: 'bought-once' },
    ])
  })

  test('a player that has been told, or names what never was, breaks the rule', () => {
    const m = match(4, { mode })
    m.race(0, 0, offer([3], 0.5))
    m.race(1, 1, accept(0))
    expect(m.race(2, 2, accept(0))).toMatchObject({ rule: 'bought-once', action: 0 })
    // The removal of seat 2 has happened since, so this could be an accident; told of it, it could not.
    expect(m.race(3, m.events(), accept(99))?.rule).toBe('not-on-offer')
  })

  test('the rest of a bundle stands', () => {
    const m = match(3, { mode })
    m.race(0, 0, offer([3], 0.5), offer([4], 0.5))
    m.race(1, 2, accept(0))
    expect(m.race(2, 2, accept(0), accept(1), offer([5], 0.5))).toBeNull()
    expect(m.view().deals.map(({ challenge, buyer }) => [challenge, buyer])).toEqual([
      [0, 1],
      [1, 2],
    ])
    expect(m.store()).toEqual([2])
  })

  test('undercut, underbid, drawn from the account, gone with its buyer: refused', () => {
    const m = match(3, { mode, init: e(0.9) })
    const refused = (rule: string) => expect(m.state.events.at(-1)).toMatchObject({ type: 'refused', rule })
    m.race(0, 0, offer([3], 0.5))
    m.race(1, 1, reoffer(0, 0.4))
    expect(m.race(2, 1, accept(0))).toBeNull()
    refused('not-on-offer')
    m.race(0, 3, offer([4], 0.8))
    expect(m.race(2, 3, offer([4], 0.85))).toBeNull()
    refused('new-offer')
    // Seat 0 sells [4] to seat 1 for 0.8, and when that is solved has too little for 0.75.
    m.race(1, 5, accept(2), offer([5], 0.75))
    m.race(0, 7, deliver(2, 4))
    m.race(1, 8, solve(2, 4))
    expect(m.accounts()[0]).toBe(e(0.7))
    expect(m.race(0, 7, accept(3))).toBeNull()
    expect(m.state.removals).toEqual([])
    refused('positive-account')
    expect(m.race(0, m.events(), accept(3))?.rule).toBe('positive-account')
  })

  test('what arrives after the end of trading is refused, whatever was told', () => {
    const m = match(2, { mode })
    m.race(0, 0, offer([3], 0.5), offer([4], 0.5))
    m.race(1, 2, accept(0))
    m.close()
    expect(m.race(1, 3, accept(1))).toBeNull()
    expect(m.state.events.at(-1)).toMatchObject({
      type: 'refused',
      rule: 'completion',
      text: /after the end of trading/,
    })
  })

  test('what is wrong in itself is a violation, however fast the others are', () => {
    const m = match(3, { mode })
    m.race(0, 0, offer([3], 0.5))
    expect(m.race(1, 0, offer([99], 0.5))?.rule).toBe('illegal-predicate')
    expect(m.race(2, 0, reoffer(0, 0.4999))?.rule).toBe('price-lowering')
  })
})

test('offersMax is what one player may have for sale at a time', () => {
  const m = match(2, { mode, offersMax: 2 })
  m.race(0, 0, offer([3], 0.5), offer([4], 0.5))
  m.race(1, 2, accept(0))
  expect(m.race(0, 3, offer([5], 0.5))).toBeNull()
  expect(m.race(0, 4, offer([6], 0.5))).toMatchObject({ rule: 'offers-max', text: /for sale by one player at a time/ })
})

describe('what is owed too long removes its debtor', () => {
  test.each([
    ['delivery', 0],
    ['solution', 1],
    ['reveal', 0],
  ] as const)('%s', (rule, debtor) => {
    const m = match(2, { mode, variant: 'secret' })
    m.race(0, 0, offer([3], 0.5))
    m.race(1, 1, accept(0))
    if (rule !== 'delivery') m.race(0, 2, deliver(0, 3, sealed(3, '1/1')))
    if (rule === 'reveal') m.race(1, 3, solve(0, 1))
    expect(m.overdue(0)).toMatchObject({ rule, action: null, values: { challenge: 0 }, text: /within the time slot/ })
    expect(m.removed()).toEqual([debtor])
    expect(m.outcome()).not.toBeNull()
  })
})

describe('refused is what cannot be', () => {
  test.each([
    [{ type: 'turn', seat: 7, actions: [] }, 'There is no seat 7.'],
    [{ type: 'turn', seat: 0, actions: [], seen: 1 }, 'There have been 0 events, not 1.'],
    [{ type: 'overdue', challenge: 0 }, 'Nothing is owed for challenge 0.'],
  ] as const)('%j', (input, text) => {
    const { state } = match(2, { mode })
    const before = JSON.stringify(rules.save(state))
    expect(rules.apply(state, specker.input.parse(input))).toBe(text)
    expect(JSON.stringify(rules.save(state))).toBe(before)
  })

  test('a second end of trading, somebody removed, the time in a game of turns', () => {
    const m = match(3, { mode })
    m.race(0, 0, offer([3], 0.5))
    m.race(1, 1, accept(0))
    m.close()
    expect(rules.apply(m.state, { type: 'close' })).toBe('Trading has ended already.')
    m.fail(2, { kind: 'crash', text: 'It fell.' })
    expect(rules.apply(m.state, { type: 'turn', seat: 2, actions: [] })).toBe('Seat 2 has been removed.')
    expect(rules.apply(match(2).state, { type: 'close' })).toBe('Only the asynchronous game knows the time.')
  })
})

test('events that all know are forgotten', () => {
  const m = match(2, { mode })
  m.race(0, 0, offer([3], 0.5))
  m.race(1, 1, reoffer(0, 0.4))
  m.race(0, 2, reoffer(1, 0.3))
  expect(m.state.dropped).toBe(1)
  expect(m.events()).toBe(3)
})
