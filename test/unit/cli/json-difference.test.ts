import { expect, test } from 'vitest'
import { differenceLines, replayLines } from '../../../main/cli/verbs/match.ts'

test('a differing answer is shown by the parts that differ, however large it is', () => {
  const long = Array.from({ length: 4_000 }, (_, at) => at)
  const recorded = { actions: [{ type: 'offer', price: 1, instance: long }, { type: 'solve' }], round: 2 }
  const answered = { actions: [{ type: 'offer', price: 3, instance: long }], round: 2, note: 'x' }
  expect(differenceLines(recorded, answered)).toEqual([
    'actions[0].price: 1 in the history, 3 from the agent',
    'actions[1]: {"type":"solve"} in the history, nothing from the agent',
    'note: nothing in the history, "x" from the agent',
  ])
  const report = { seat: 0, until: 3, differs: 3, recorded, answered: { answer: answered }, console: [], file: null }
  const lines = replayLines(report)
  expect(lines).toContain('    actions[0].price: 1 in the history, 3 from the agent')
  expect(lines.join('\n').length).toBeLessThan(1_200)
})

test('equal answers have no difference; many differences are counted', () => {
  expect(differenceLines({ a: [1, null] }, { a: [1, null] })).toEqual([])
  const lines = differenceLines(Array<number>(100).fill(0), Array<number>(100).fill(1))
  expect(lines).toHaveLength(9)
  expect(lines.at(-1)).toBe('and 92 more')
  expect(differenceLines('a'.repeat(10_000), [])[0]!.length).toBeLessThan(300)
})
