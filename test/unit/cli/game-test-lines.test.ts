import { expect, test } from 'vitest'
import { gameTestLines } from '../../../main/cli/game-test-lines.ts'
import { saying } from '../../refusal.ts'

type Report = Parameters<typeof gameTestLines>[0]

const usual = {
  config: {},
  predicates: { tried: 10, found: 9, refused: null },
  instances: { tried: 40, found: 10, refused: 'illegal' },
  solutions: { tried: 0, found: 0, refused: null },
  sizes: { least: 12, median: 345, most: 678 },
  judgements: [
    { what: 'legal instance', steps: 1_234, ms: 7 },
    { what: 'measure', steps: null, ms: 88 },
  ],
}
const reference = {
  ...{ title: 'by value', kind: 'greedy', language: 'formulas', share: 0.5, instances: 9, late: false, refused: 2 },
  ...{ quality: 0.625, best: 0.75, steps: 99, ok: false, problem: null },
} as const
const whole = {
  draws: { usual, largest: { ...usual, judgements: [{ what: 'measure', steps: 5_678, ms: 91 }] } },
  bound: { instances: 24, solutions: 4_321, reached: 0.96, counterexample: null },
  spread: {
    ...{ instances: 17, chance: 0.31, baby: 0.42, best: 0.83, zero: 0.11, one: 0.05, flat: 0.02 },
    margins: Array.from({ length: 7 }, (_, at) => ({
      predicate: `p${at}\n x`,
      price: 0.9,
      chance: 0.35,
      margin: 0.55,
    })),
  },
  references: [reference],
  difficulty: {
    curves: [{ parameter: 'noise', points: [{ value: 3, chance: 0, baby: 0.25, best: 0.5, planted: 1 }] }],
  },
  complete: true,
  match: {
    ...{ game: 'specker', traded: true },
    seats: [
      { agent: 'baby', score: '3 gold', removed: 'it left', faults: ['too late'] },
      { agent: 'sampler', score: '5 gold', removed: null, faults: [] },
    ],
  },
} as unknown as Report
const lines = gameTestLines(whole)

test.each<readonly [part: string, ...facts: string[]]>([
  ['tallies', 'instances', '40', '25%'],
  ['a tally of nothing', 'solutions', '0', '-'],
  ['sizes', '12', '678', '345'],
  ['judgements', 'legal instance', '1,234', '7', '-'],
  ['judgements at the largest settings', 'measure', 'over the limit', '88', '5,678', '91'],
  ['the bound', '24', '4321', '96%'],
  ['qualities', '17', '31%', '42%', '83%'],
  ['shares', '11%', '5%', '2%'],
  ['margins', 'p4 x', '0.90', '0.35', '0.55'],
  ['references', 'by value', 'greedy', '9', '2', '63%', '75%', 'at least 50%', 'NOT'],
  ['curves', '3', '0.00', '0.25', '0.50', '1.00', 'c·····b·····S···········P'],
  ['scores', 'baby 3 gold', 'sampler 5 gold'],
  ['removals', 'baby', 'it left'],
  ['faults', 'baby', 'too late'],
])('%s are told in one line', (_, ...facts) => {
  expect(lines).toContainEqual(saying(...facts))
})

test('only the five best margins are told; a test that ran out of time, a wrong bound and an untested file say so', () => {
  expect(lines.filter((line) => /\bp\d x\b/.test(line))).toHaveLength(5)
  const cut = gameTestLines({ ...whole, complete: false })
  expect(cut.filter((line) => !lines.includes(line))).toHaveLength(1)
  const counterexample = { predicate: '', instance: '', solution: '', measure: '2', bound: '1' }
  const wrong = gameTestLines({ ...whole, bound: { ...whole.bound!, counterexample } })
  expect(wrong).not.toContainEqual(saying('96%'))
  expect(gameTestLines({ warnings: [] } as unknown as Report)).toEqual([])
})
