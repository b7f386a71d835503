import { describe, expect, test } from 'vitest'
import type { StartMessage, TurnMessage } from '../../../main/referees/specker/messages.ts'
import { maxCsp } from '../../../agents/specker/knowledge/max-csp.ts'
import { Desk } from '../../../agents/specker/trade/desk.ts'
import { Valuer } from '../../../agents/specker/trade/valuer.ts'

const challenge = maxCsp({ maxVars: 5 })

const start = (config: Partial<StartMessage['config']> = {}): StartMessage => ({
  type: 'start',
  protocol: 1,
  me: 0,
  players: 3,
  challenge: { name: 'max-csp', source: '', config: {} },
  config: { init: 1_000, maxTurns: 5, mindec: 10, acceptOrReoffer: 'all', offersMin: 1, offersMax: 2, ...config },
})

const offer = (number: number, seller: number, price: number, ...relations: number[]) => ({
  challenge: number,
  seller,
  price,
  predicate: { relations },
})

const view = (store: TurnMessage['store'], accounts = [1_000, 1_000, 1_000]): TurnMessage => ({
  type: 'turn',
  protocol: 1,
  round: 1,
  trading: true,
  account: accounts[0]!,
  players: accounts.map((account, seat) => ({ seat, account, removed: false })),
  store,
  toDeliver: [],
  toSolve: [],
  events: [],
})

describe('duties of rule 2', () => {
  test.each(['all', 'one'] as const)(
    '%s: nothing on offer, nothing owed; free offers have to be accepted',
    (acceptOrReoffer) => {
      const none = new Desk(start({ acceptOrReoffer }), challenge, view([offer(1, 0, 500, 22)]))
      expect(none.dutyOpen()).toBe(false)
      const free = new Desk(start({ acceptOrReoffer }), challenge, view([offer(1, 1, 0, 22)]))
      expect(free.dutyOpen()).toBe(true)
      free.accept(free.others()[0]!)
      expect(free.dutyOpen()).toBe(false)
    },
  )

  test('all means all that cost something, one means one', () => {
    const store = [offer(1, 1, 500, 22), offer(2, 2, 5, 6), offer(3, 2, 0, 2)]
    for (const acceptOrReoffer of ['all', 'one'] as const) {
      const desk = new Desk(start({ acceptOrReoffer }), challenge, view(store))
      const [dear, cheap] = desk.others()
      desk.reoffer(dear!, desk.lowered(dear!))
      expect(desk.dutyOpen()).toBe(acceptOrReoffer === 'all')
      desk.reoffer(cheap!, desk.lowered(cheap!))
      expect(desk.dutyOpen()).toBe(false)
      expect(desk.actions.map((step) => 'price' in step && step.price)).toEqual([490, 0])
    }
  })
})

describe('what is new (rule 3)', () => {
  test('below every offer of the predicate, whatever the order of its relations, and not above offersMax', () => {
    const desk = new Desk(start(), challenge, view([offer(1, 1, 500, 22, 6), offer(2, 0, 300, 6, 22)]))
    expect(desk.ceiling([6, 22])).toBe(299)
    expect(desk.offer([6, 22], 400)).toBe(true)
    expect(desk.ceiling([6, 22])).toBe(298)
    expect(desk.offer([1], 7)).toBe(true)
    expect(desk.offer([2], 7)).toBe(false)
    expect(desk.actions.map((step) => 'price' in step && step.price)).toEqual([299, 7])
  })

  test('a predicate whose last offer has been bought is new again; one whose cheapest is bought costs up to the next', () => {
    const desk = new Desk(start(), challenge, view([offer(1, 1, 0, 22), offer(2, 1, 0, 6), offer(3, 2, 40, 6)]))
    expect([desk.ceiling([22]), desk.ceiling([6])]).toEqual([-1, -1])
    for (const item of desk.others().slice(0, 2)) desk.accept(item)
    expect([desk.ceiling([22]), desk.ceiling([6])]).toEqual([1_000_000_000, 39])
  })
})

describe('accounts', () => {
  test('an account must stay above 0, and above what is reserved', () => {
    const desk = new Desk(start(), challenge, view([offer(1, 1, 999, 22), offer(2, 1, 1_000, 6)]))
    const [less, all] = desk.others()
    expect([desk.affords(less!), desk.affords(less!, 1), desk.affords(all!)]).toEqual([true, false, false])
  })

  test('a seller who cannot pay is removed, and its offers with it', () => {
    const desk = new Desk(start(), challenge, view([offer(1, 1, 50, 22), offer(2, 2, 60, 6)], [100, 30, 500]))
    desk.solve({ challenge: 9, seller: 1, price: 5, predicate: { relations: [2] } }, {}, 30)
    expect(desk.account).toBe(130)
    expect(desk.others().map(({ challenge: number }) => number)).toEqual([2])
    desk.solve({ challenge: 10, seller: 2, price: 5, predicate: { relations: [2] } }, {}, 499)
    expect(desk.account).toBe(629)
    expect(desk.others()).toHaveLength(1)
  })
})

test.each([
  [2, 2],
  [Infinity, 5],
])(
  'of five secrets worth buying, at most %d are bought in a turn, because their solutions are due together',
  (most, bought) => {
    const begun = start({ variant: 'secret' })
    const store = [2, 4, 6, 10, 22].map((relation, at) => ({ ...offer(at, 1, 10, relation), kind: 'secret' as const }))
    const desk = new Desk(begun, challenge, view(store))
    const estimate = () => ({ floor: 400, ask: 500 })
    new Valuer(challenge, begun, () => true, estimate, most).buy(desk)
    expect(desk.actions.filter(({ type }) => type === 'accept')).toHaveLength(bought)
  },
)
