import { expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { commitmentOf } from '../../../main/referees/specker/secrets.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { knownSwings, largestSwings } from '../../../renderer/games/swings.ts'
import { reader } from '../../../renderer/games/specker/digests.ts'
import { rules } from '../../../renderer/games/specker/rules.ts'
import { swingOf } from '../../../renderer/games/specker/sentences.ts'
import { foldStretch } from '../../../renderer/games/fold.ts'
import { allOf, beginning, events, material, offer, sale, turn } from './played.ts'

const game = eraseGame(specker)
const telling = {
  name: (seat: number) => ['Anna', 'Ben'][seat]!,
  energy: (amount: number) => String(amount / ENERGY),
  text: (text: string) => text,
}

/** The swings of these inputs in sentences, as the window tells them. */
function told(inputs: readonly Json[], start = beginning(2)): readonly (string | null)[] {
  const fold = game.fold(start.config, start.seats, start.seed)
  const digests = allOf(foldStretch(rules, start, 'public', reader, 0, null, events(inputs)))
  return inputs.flatMap((input, event) => {
    const outline = fold.outline(input)
    if (typeof outline === 'string') throw new Error(outline)
    return outline.swings.map(({ line = 0, ...swing }) => swingOf(digests[event]!, { ...swing, line }, telling))
  })
}

test('a sale that is settled is a swing against its seller by what the solution costs more than was paid', () => {
  expect(told(sale)).toEqual(['Anna loses 0.5 on challenge 0: sold for 0.5, and Ben is paid 1 for the solution.'])
})

test('and against its buyer where the solution is worth less', () => {
  const bought = [
    turn(0, offer([22], 500_000_000)),
    turn(1, { type: 'accept', challenge: 0 }),
    turn(0, { type: 'deliver', challenge: 0, instance: material }),
    turn(1, { type: 'solve', challenge: 0, solution: { values: [0, 0, 0] } }),
  ]
  expect(told(bought)).toEqual(['Ben loses 0.5 on challenge 0: bought from Anna for 0.5, and paid 0 for the solution.'])
})

test('all sales that one turn settles are one swing for a seat, by their sum', () => {
  const prices = [600_000_000, 500_000_000, 400_000_000]
  const bought = [
    turn(0, ...prices.map((price) => offer([22], price))),
    turn(1, ...prices.map((_, challenge) => ({ type: 'accept', challenge }))),
    turn(0, ...prices.map((_, challenge) => ({ type: 'deliver', challenge, instance: material }))),
    turn(1, ...prices.map((_, challenge) => ({ type: 'solve', challenge, solution: { values: [0, 0, 0] } }))),
  ]
  expect(told(bought)).toEqual(['Ben loses 1.5 in one turn, on challenges 0, 1 and 2.'])
})

test('a payment for a secret that does not hold is a swing against its seller', () => {
  const liars = beginning(2, { variant: 'secret', falseSecrets: 'as-true', judgement: 'strict' })
  const nonce = '5'.repeat(64)
  const bad = { values: [0, 0, 0] }
  const secret = { quality: '1/1', commitment: commitmentOf(bad, nonce) }
  const sold = (count: number): readonly Json[] => {
    const numbers = [...Array(count).keys()]
    return [
      turn(0, ...numbers.map((number) => offer([22], 500_000_000 - number * 100_000_000))),
      turn(1, ...numbers.map((challenge) => ({ type: 'accept', challenge }))),
      turn(0, ...numbers.map((challenge) => ({ type: 'deliver', challenge, instance: material, secret }))),
      turn(1, ...numbers.map((challenge) => ({ type: 'solve', challenge, solution: bad }))),
      turn(0, { type: 'reveal', challenge: 0, solution: bad, nonce }),
    ]
  }
  const paid = 'the secret was not revealed as promised, and Ben is paid 0.5.'
  expect(told(sold(1), liars)).toEqual([
    'Ben loses 0.5 on challenge 0: bought from Anna for 0.5, and paid 0 for the solution.',
    `Anna loses 0.5 on challenge 0: ${paid}`,
  ])
  expect(told(sold(2), liars)).toEqual([
    'Ben loses 0.9 in one turn, on challenges 0 and 1.',
    'Anna loses 0.9 in one turn, on challenges 0 and 1.',
  ])
})

test('the largest are kept, largest first; of equal ones the earlier first', () => {
  const amounts = [-1, 5, -7, 2, -5, 5, 6, -9, 5, 5, 5]
  const swings = amounts.map((amount, row) => ({ seat: 0, amount, line: 0, row, position: row + 1 }))
  const largest = largestSwings(swings)
  expect(largest.map(({ number, amount, row }) => [number, amount, row])).toEqual([
    [1, -9, 7],
    [2, -7, 2],
    [3, 6, 6],
    [4, 5, 1],
    [5, -5, 4],
    [6, 5, 5],
    [7, 5, 8],
    [8, 5, 9],
  ])
  // One who sees as a seat does not learn from the numbers that larger ones follow.
  expect(knownSwings({ swings: largest, viewer: 0 }, 6).map(({ number, row }) => [number, row])).toEqual([
    [1, 2],
    [2, 1],
    [3, 4],
    [4, 5],
  ])
})
