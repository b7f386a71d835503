import { expect, test } from 'vitest'
import { cardsOf, newestOf, obligationsOf } from '../../../renderer/games/specker/market.ts'
import { linesIn } from '../../../renderer/games/specker/sentences.ts'
import { createRows } from '../../../renderer/games/event-rows.ts'
import { ruleNames, ruleOf } from '../../../main/referees/specker/narration/rule-names.ts'
import { foldStretch } from '../../../renderer/games/fold.ts'
import { reader } from '../../../renderer/games/specker/digests.ts'
import { rules, type PublicEvent } from '../../../renderer/games/specker/rules.ts'
import { beginning, events, offer, sale, turn, viewAfter } from './played.ts'

const start = beginning(2)

test('cards stand in the order of their prices, the older first among equals; the new ones are marked', () => {
  const view = viewAfter(start, [
    turn(0, offer([22], 500), offer([2], 100), offer([4], 500)),
    turn(1, { type: 'accept', challenge: 1 }, offer([6], 0)),
  ])
  expect(cardsOf(view, 3).map(({ challenge, price, fresh }) => [challenge, price, fresh])).toEqual([
    [3, 0, true],
    [0, 500, false],
    [2, 500, false],
  ])
})

test('what an event has put on sale is new, and nothing where it put nothing there', () => {
  const { digests } = foldStretch(rules, start, 'public', reader, 0, null, events(sale))
  expect([undefined, ...digests].map(newestOf)).toEqual([Infinity, 0, Infinity, 1, 2, Infinity])
})

test('a sale obliges the seller first, then the buyer, then nobody', () => {
  const owed = (count: number) => obligationsOf(viewAfter(start, sale.slice(0, count)), 'public')
  expect(owed(1)).toEqual([])
  expect(owed(2)).toEqual([{ challenge: 0, owes: 'raw material', debtor: 0, to: 1, price: 500_000_000 }])
  expect(owed(3)).toEqual([{ challenge: 0, owes: 'a solution', debtor: 1, to: 0, price: 500_000_000 }])
  expect(owed(4)).toEqual([])
})

test('each happening has a row, and an event without any has one too', () => {
  const { digests } = foldStretch(rules, start, 'public', reader, 0, null, [
    ...events([...sale.slice(0, 1), turn(1, { type: 'accept', challenge: 0 }, offer([2], 5))]),
    { n: 3, at: 1, kind: 'console', seat: 0, text: 'hm' },
  ])
  const rows = createRows()
  const linesOf = (index: number) => linesIn(digests[index]!)
  rows.grow(2, linesOf)
  rows.grow(3, linesOf)
  expect(Array.from({ length: rows.length }, (_, row) => rows.at(row))).toEqual([
    { index: 0, part: 0 },
    { index: 1, part: 0 },
    { index: 1, part: 1 },
    { index: 2, part: 0 },
  ])
  expect([rows.first(0), rows.first(1), rows.first(2)]).toEqual([0, 1, 3])
})

test('a violation is told by the rule that it broke', () => {
  const removed = (rule: string): PublicEvent => ({ type: 'removed', round: 1, seat: 0, rule, text: '' })
  expect(ruleOf(removed('price-lowering'))).toBe(ruleNames['price-lowering'])
  expect(ruleOf(removed('price-lowering')).number).toBe(5)
  expect(ruleOf(removed('of-a-later-version'))).toEqual({ number: 9, title: 'of-a-later-version' })
  expect(ruleOf({ type: 'accepted', round: 1, seat: 0, challenge: 1, price: 1 }).number).toBe(2)
})
