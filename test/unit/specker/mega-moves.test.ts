import { describe, expect, test, vi } from 'vitest'
import { specker } from '../../../main/referees/specker/specker.ts'
import { accept, deliver, e, match, offer, reoffer, reveal, sealed, solve } from './match.ts'
import { SUMS } from './sums.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

const mode = 'mega-moves'

test('a round is White/Black and Black/White: offer, decide, deliver, solve', () => {
  const m = match(2, { mode, maxTurns: 2 })
  const asked: string[] = []
  const act: typeof m.act = (seat, ...actions) => {
    asked.push(`${m.state.round} ${seat} ${m.ask().step ?? '-'}`)
    return m.act(seat, ...actions)
  }
  act(0, offer([3], 0.5), offer([4], 0.6))
  act(1, accept(0))
  act(0, deliver(0, 3))
  act(1, solve(0, 3))
  act(1, offer([5], 0.7))
  act(0, accept(2))
  act(1, deliver(2, 5))
  act(0, solve(2, 5))
  act(0, offer([6], 0.8))
  // Challenge 1 is still for sale.
  act(1, accept(1), accept(3))
  act(0, deliver(1, 4), deliver(3, 6))
  act(1, solve(1, 0), solve(3, 0))
  act(1, offer([7], 0.1))
  expect(m.outcome()).toBeNull()
  act(0, reoffer(4, 0))
  expect(asked).toEqual([
    ...['1 0 offer', '1 1 decide', '1 0 deliver', '1 1 solve', '1 1 offer', '1 0 decide', '1 1 deliver', '1 0 solve'],
    ...['2 0 offer', '2 1 decide', '2 0 deliver', '2 1 solve', '2 1 offer', '2 0 decide'],
  ])
  expect(m.accounts()).toEqual([e(10 + 0.5 - 1 - 0.7 + 1 + 0.6 + 0.8), e(10 - 0.5 + 1 + 0.7 - 1 - 0.6 - 0.8)])
  expect(m.outcome()?.places.map((place) => place.rank)).toEqual([1, 2])
})

test('a player that buys nothing lowers all, and then sells them; nothing is delivered', () => {
  const m = match(2, { mode })
  m.act(0, offer([3], 0.5), offer([4], 0.6))
  m.act(1, reoffer(0, 0.4), reoffer(1, 0.5))
  expect([m.state.turn, m.state.step]).toEqual([1, 'offer'])
  m.act(1, offer([5], 0.9))
  expect([m.state.turn, m.state.step]).toEqual([0, 'decide'])
  expect(m.view().store.every(({ seller }) => seller === 1)).toBe(true)
})

test('secrets are revealed at the end of the mega-move', () => {
  const m = match(2, { mode, variant: 'base-ball' })
  m.act(0, offer([10], 0.5, { kind: 'secret' }), offer([10], 0.5))
  m.act(1, accept(0), accept(1))
  m.act(0, deliver(0, 10, sealed(8)), deliver(1, 10))
  m.act(1, solve(0, 1), solve(1, 1))
  expect(m.ask()).toMatchObject({ step: 'reveal', toReveal: [{ challenge: 0 }] })
  expect(m.act(0, reveal(0, 8))).toBeNull()
  expect([m.state.turn, m.state.step]).toEqual([1, 'offer'])
})

test('a player that has nothing for sale is not decided about', () => {
  const m = match(2, { mode, offersMin: 0 })
  m.act(0)
  expect([m.state.turn, m.state.step]).toEqual([1, 'offer'])
})

describe('what belongs to another step is a violation', () => {
  test('offering while deciding, deciding while offering, delivering while solving', () => {
    const offers = match(2, { mode })
    offers.act(0, offer([3], 0.5))
    expect(offers.act(1, accept(0), offer([4], 0.5))).toMatchObject({
      rule: 'mega-move',
      action: 1,
      values: { step: 'decide', type: 'offer' },
      text: /only challenges can be accepted or reoffered/,
    })
    const decides = match(2, { mode })
    expect(decides.act(0, accept(0))).toMatchObject({
      rule: 'mega-move',
      action: 0,
      text: /only challenges can be offered/,
    })
    const delivers = match(2, { mode })
    delivers.act(0, offer([3], 0.5))
    delivers.act(1, accept(0))
    delivers.act(0, deliver(0, 3))
    expect(delivers.act(1, deliver(0, 3))).toMatchObject({ rule: 'mega-move', text: /only raw material can be solved/ })
  })

  test('the duties are those of the step', () => {
    const idle = match(2, { mode })
    expect(idle.act(0)?.rule).toBe('new-offer')
    const deaf = match(2, { mode })
    deaf.act(0, offer([3], 0.5))
    expect(deaf.act(1)?.rule).toBe('accept-or-reoffer')
    const lazy = match(2, { mode })
    lazy.act(0, offer([3], 0.5))
    lazy.act(1, accept(0))
    expect(lazy.act(0)?.rule).toBe('delivery')
    expect(lazy.accounts()).toEqual([e(10), e(10)])
    expect(lazy.outcome()?.places.map((place) => place.rank)).toEqual([2, 1])
  })
})

test('are for two', () => {
  const config = specker.config.parse({ challenge: SUMS, mode })
  expect(specker.seats(config, 2)).toHaveLength(2)
  expect(specker.seats(config, 3)).toBe('Mega-moves are for two players, not 3.')
})
