import { describe, expect, test } from 'vitest'
import { legalOfferLeft } from '../../../main/referees/specker/analysis/predicates.ts'
import { bundle, ENERGY, type Action } from '../../../main/referees/specker/messages.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import type { State } from '../../../main/referees/specker/state.ts'
import { tables } from '../../../main/referees/specker/tables/tables.ts'
import { BAD } from '../play-test/games.ts'
import { machines } from '../play-test/own-games.ts'
import { accept, deliver, e, offer, reoffer, solve } from './match.ts'

/** Raw material is one job, and the properties draw at least two, so that nothing is ever drawn. */
const [, barren] = BAD['as many jobs as are never drawn']!

function begun(challenge: string, settings: { readonly [key: string]: string | number } = {}): State {
  const config = specker.config.parse({ challenge, maxTurns: 5, judgement: 'complete', ...settings })
  const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
  return specker.rules.initial(config, seats, '0'.repeat(64))
}

/** The rule for which the turn removed somebody, if it did. */
function act(state: State, seat: number, ...actions: Action[]): string | undefined {
  const before = state.removals.length
  expect(specker.rules.apply(state, { type: 'turn', seat, actions: bundle.parse({ actions }).actions })).toBeNull()
  return state.removals[before]?.violation.rule
}

/** The rows of the table of refunds that a turn adds. */
function refundsOf(state: State, seat: number, ...actions: Action[]): readonly unknown[] {
  const rows: unknown[] = []
  const add = (table: string, row: object): void => void (table === 'refunds' && rows.push(row))
  const fold = tables.rows(state, { add, here: () => null } as unknown as Parameters<typeof tables.rows>[1])
  const after = fold.input!({ type: 'turn', seat, actions })
  act(state, seat, ...actions)
  after?.()
  return rows
}

const accounts = (state: State): number[] => state.players.map(({ account }) => account)
const one = offer({ lengths: [3] }, 0.5)

describe('decision 20: if the file draws nothing that can be played, nobody owes anything', () => {
  test('no offer', () => {
    const state = begun(barren)
    for (let turn = 0; turn < 10; turn++) expect(act(state, turn % 2)).toBeUndefined()
    expect(specker.rules.outcome(state)?.places.map(({ rank }) => rank)).toEqual([1, 1])
  })

  test('no raw material: the sale is void, with a refund, and the file is named as at fault', () => {
    const state = begun(barren)
    expect(act(state, 0, one)).toBeUndefined()
    expect(act(state, 1, accept(0))).toBeUndefined()
    expect(accounts(state)).toEqual([10 * ENERGY + e(0.5), 10 * ENERGY - e(0.5)])
    const rows = refundsOf(state, 0)
    expect(state.removals).toEqual([])
    expect(accounts(state)).toEqual([10 * ENERGY, 10 * ENERGY])
    expect(state.deals.size).toBe(0)
    expect(rows).toMatchObject([{ seller: 0, buyer: 1, refund: 0.5, shortfall: 0, fault: 'machines' }])
  })

  test('the refund for a player that was removed names no file', () => {
    const state = begun(barren)
    act(state, 0, one)
    act(state, 1, accept(0))
    const rows = refundsOf(state, 0, deliver(0, { jobs: [4] }))
    expect(state.removals).toMatchObject([{ seat: 0, violation: { rule: 'illegal-material' } }])
    expect(rows).toMatchObject([{ seller: 0, buyer: 1, refund: 0.5, fault: null }])
  })

  test('no solution, but raw material that is not legal stays its seller’s fault', () => {
    const state = begun(barren)
    act(state, 0, one)
    act(state, 1, accept(0))
    expect(act(state, 0, deliver(0, { jobs: [3] }))).toBeUndefined()
    expect(act(state, 1)).toBeUndefined()
    expect([accounts(state), state.deals.size]).toEqual([[10 * ENERGY, 10 * ENERGY], 0])
    act(state, 0, one)
    act(state, 1, accept(1))
    expect(act(state, 0, deliver(1, { jobs: [4] }))).toBe('illegal-material')
  })

  test('a solution that comes is judged', () => {
    const state = begun(barren)
    act(state, 0, one)
    act(state, 1, accept(0))
    act(state, 0, deliver(0, { jobs: [3] }))
    expect(act(state, 1, solve(0, { machine: [1] }))).toBeUndefined()
    expect(accounts(state)).toEqual([9.5 * ENERGY, 10.5 * ENERGY])
  })

  test('without turns a debt that is overdue is void too', () => {
    const state = begun(barren, { mode: 'asynchronous' })
    const race = (seat: number, ...actions: Action[]): void => void act(state, seat, ...actions)
    race(0, one)
    race(1, accept(0))
    expect(specker.rules.apply(state, { type: 'overdue', challenge: 0 })).toBeNull()
    expect([state.removals, accounts(state)]).toEqual([[], [10 * ENERGY, 10 * ENERGY]])
  })
})

test.each([
  ['a file that draws something', machines, 'complete'],
  ['an earlier contest', barren, 'thorough'],
])('in %s offers, raw material and solutions are owed', (_, challenge, judgement) => {
  expect(act(begun(challenge, { judgement }), 0)).toBe('new-offer')
  const state = begun(challenge, { judgement })
  act(state, 0, one)
  act(state, 1, accept(0), offer({ lengths: [4] }, 0.5))
  expect(act(state, 0, offer({ lengths: [5] }, 0.5), accept(1))).toBe('delivery')
})

/** The predicates 1 to `count`, of which those up to `last` alone have raw material. */
const few = (last: number, count = 10): string => `challenge few "Few predicates"
config { last = ${last} in 1..${count} }
dictionary {{
  Predicate = <n> int.
  Instance = "i" <n> int.
  Solution = "s" <s> int.
}}
legal predicate { require predicate.n in 1..${count} else "No." }
legal instance { require instance.n = predicate.n else "No." }
feasible solution { require solution.s in 1..3 else "No." }
measure = solution.s
goal = max
bound = 4
property predicate { Predicate.n: range 1 ${count} }
property instance { Instance.n: range predicate.n (if predicate.n <= config.last then predicate.n else 0) }
property solution { Solution.s: range 1 3 }
example "one" { predicate {{ 1 }} instance {{ i 1 }} solution {{ s 2 }} quality = 1/2 }
`
const n = (number: number, price: number): Action => offer({ n: number }, price)

describe('decision 21: predicates of which the file draws nothing', () => {
  test.each([
    ['are not owed', few(1), 'complete', undefined],
    ['are owed if one of them has raw material', few(2), 'complete', 'new-offer'],
    ['are owed in an earlier contest', few(1), 'thorough', 'new-offer'],
  ])('%s', (_, challenge, judgement, rule) => {
    // The second offer has to be another predicate, since the first one is free.
    expect(act(begun(challenge, { judgement, offersMin: 2 }), 0, n(1, 0))).toBe(rule)
    // The second of the two that are offered could be offered for less.
    expect(act(begun(challenge, { judgement, offersMin: 3 }), 0, n(1, 0), n(2, 0.5))).toBe(rule)
  })

  test('the search ends when its looks are used up', () => {
    const state = begun(few(20, 40), { offersMin: 21, offersMax: 40 })
    const offers = Array.from({ length: 20 }, (_, index) => n(index + 1, 0))
    expect(act(state, 0, ...offers)).toBeUndefined()
    let checked = 0
    const predicate: typeof state.challenge.predicate = (...args) => {
      checked += 1
      return state.challenge.predicate(...args)
    }
    expect(legalOfferLeft({ ...state, challenge: { ...state.challenge, predicate } })).toBe(false)
    // The small ones up to 30 and some 20 random ones; without an end all 4,096 and 200.
    expect(checked).toBeLessThan(100)
  })

  test('a seller that has chosen one owes its raw material', () => {
    const state = begun(few(1))
    expect(act(state, 0, n(2, 0.5))).toBeUndefined()
    expect(act(state, 1, accept(0), n(1, 0.5))).toBeUndefined()
    expect(act(state, 0)).toBe('delivery')
  })
})

describe('decision 22: nobody has to lower the price of a predicate of which the file draws nothing', () => {
  /** The rule that seat 1 breaks in its turn after these offers, and the challenge that the violation names. */
  function brokenBy(
    account: number,
    offers: readonly Action[],
    actions: readonly Action[],
    judgement = 'complete',
  ): readonly [rule: string, first: unknown] | null {
    // Raw material can be drawn for predicate 1 alone.
    const state = begun(few(1), { init: e(account), offersMax: 9, judgement })
    expect(act(state, 0, ...offers)).toBeUndefined()
    act(state, 1, ...actions, n(9, 0.1))
    const [removal] = state.removals
    return removal === undefined ? null : [removal.violation.rule, removal.violation.values['first']]
  }
  const broken = (first: number): readonly [string, number] => ['accept-or-reoffer', first]
  const [poor, rich] = [0.4, 10]
  const both = [n(2, 0.6), n(1, 0.5)]

  test.each([
    ['a player that can pay for nothing else need do nothing', poor, [n(2, 0.6)], [], null],
    ['one that can pay accepts', rich, [n(2, 0.6)], [], broken(0)],
    ['one that can pay for another offer accepts that one', poor, [n(2, 0.6), n(3, 0.3)], [], broken(1)],
    ['an offer of another predicate is lowered', poor, both, [], broken(1)],
    ['that one alone is enough', poor, both, [reoffer(1, 0.3)], null],
    ['for a player that could pay as well', rich, both, [reoffer(1, 0.3)], null],
    ['the other one alone is not', poor, both, [reoffer(0, 0.3)], broken(1)],
    ['a free offer is accepted', poor, [n(2, 0.6), n(3, 0)], [], broken(1)],
  ] as const)('%s', (_, account, offers, actions, expected) => {
    expect(brokenBy(account, offers, actions)).toEqual(expected)
  })

  test.each([
    ['nothing was done', []],
    ['not all was lowered', [reoffer(1, 0.3)]],
  ] as const)('in an earlier contest all are lowered: %s', (_, actions) => {
    expect(brokenBy(poor, both, actions, 'thorough')).toEqual(broken(0))
    expect(brokenBy(poor, [n(2, 0.6), n(3, 0.3)], [], 'thorough')).toEqual(broken(0))
  })

  test('the seller that is accepted owes the raw material, and its buyer loses nothing', () => {
    const state = begun(few(1))
    act(state, 0, n(2, 0.5))
    expect(act(state, 1, accept(0), n(1, 0.5))).toBeUndefined()
    expect(act(state, 0)).toBe('delivery')
    expect(accounts(state)).toEqual([10 * ENERGY, 10 * ENERGY])
  })
})
