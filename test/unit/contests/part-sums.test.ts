import { expect, test } from 'vitest'
import { createPartSums } from '../../../main/services/contests/standings/part-sums.ts'
import type { PartsForm, SeatPart } from '../../../main/contract/game/match-parts.ts'

const form: PartsForm = {
  title: 'By good',
  partWord: 'good',
  measure: 'gold',
  columns: [
    { id: 'deals', kind: 'count' },
    { id: 'profit', kind: 'amount', unit: 10 },
    { id: 'done', kind: 'count' },
    { id: 'quality', kind: 'mean', per: 'done', unit: 100 },
  ],
  amount: 'deals',
  best: 'profit',
}
const part = (seat: number, name: string | null, [deals, profit, done = 0, quality = 0]: number[]): SeatPart => {
  return { seat, part: name, role: 'seller', sums: { deals: deals!, profit: profit!, done, quality } }
}
const told = (sums: ReturnType<typeof createPartSums>) => sums.rows().map((row) => Object.values(row).join(' '))

test('matches are added up by agent, part and role; the most profitable come first', () => {
  const sums = createPartSums(form)
  sums.add(['A', 'B'], [part(0, 'wool', [2, 30, 1, 50]), part(1, 'wool', [2, -30])])
  sums.add(['B', 'A'], [part(0, 'wool', [1, 5]), part(1, 'wool', [1, 7, 2, 25]), part(1, 'salt', [1, 40])])
  // B has both seats here.
  sums.add(['B', 'B'], [part(0, 'salt', [1, 1]), part(1, 'salt', [1, 2])])
  expect(told(sums)).toEqual([
    'A salt seller 1 40 0 ',
    'A wool seller 3 37 3 0.25',
    'B salt seller 2 3 0 ',
    'B wool seller 3 -25 0 ',
  ])
  expect(sums.rows()[0]).toEqual({
    agent: 'A',
    part: 'salt',
    role: 'seller',
    deals: 1,
    profit: 40,
    done: 0,
    quality: null,
  })
})

test('an entrant that plays without counting has no row', () => {
  const sums = createPartSums(form)
  sums.add(['A', null], [part(0, 'wool', [1, 1]), part(1, 'wool', [1, -1])])
  expect(told(sums)).toEqual(['A wool seller 1 1 0 '])
})

test('parts with the fewest deals share a row at the end, and nothing is lost', () => {
  const sums = createPartSums(form, { shown: 2 })
  sums.add(['A'], [part(0, 'few', [1, 100]), part(0, 'many', [9, -5]), part(0, null, [3, 3]), part(0, 'some', [4, 2])])
  expect(told(sums)).toEqual(['A some seller 4 2 0 ', 'A many seller 9 -5 0 ', 'A  seller 4 103 0 '])
})

test('memory is bounded: parts that come too late are added up, those that are known go on', () => {
  const sums = createPartSums(form, { kept: 2 })
  for (const name of ['a', 'b', 'c', 'a', 'd']) sums.add(['A'], [part(0, name, [1, 1])])
  expect(told(sums)).toEqual(['A a seller 2 2 0 ', 'A b seller 1 1 0 ', 'A  seller 2 2 0 '])
})

test('no match, no row; the order of matches does not matter', () => {
  expect(createPartSums(form).rows()).toEqual([])
  const parts = Array.from({ length: 20 }, (_, at) => part(at % 2, `p${at % 7}`, [at, at * at - 90, 1, at]))
  const [forwards, backwards] = [createPartSums(form, { shown: 5 }), createPartSums(form, { shown: 5 })]
  for (const each of parts) forwards.add(['A', 'B'], [each])
  for (const each of parts.toReversed()) backwards.add(['A', 'B'], [each])
  expect(backwards.rows()).toEqual(forwards.rows())
})
