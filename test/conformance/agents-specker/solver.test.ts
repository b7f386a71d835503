import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { maxCsp } from '../../../agents/specker/knowledge/max-csp.ts'
import { type Formula, satisfiedWeight } from '../../../agents/specker/solvers/formula.ts'
import { grayCode } from '../../../agents/specker/solvers/gray-code.ts'
import { lookAhead } from '../../../agents/specker/solvers/look-ahead.ts'
import { search } from '../../../main/services/games/specker/solve.ts'
import { mixedInstance } from '../../bench/max-csp.ts'
import { optimumOf } from '../../bench/oracle.ts'
import { generator } from '../../unit/agents-specker/table.ts'

const formulaOf = (relations: readonly number[], n: number, m: number): Formula =>
  maxCsp({}).formula(mixedInstance(relations, n, m))!

/** Stops when it has been asked so often: no clock, so that a slow machine finds as much. */
function after(questions: number): () => boolean {
  let asked = 0
  return () => ++asked > questions
}

test('up to 22 variables the answer is the best there is, and says so', () => {
  for (const [n, relations] of [
    [10, [22]],
    [14, [1, 22]],
    [16, [6, 104, 150]],
  ] as const) {
    const formula = formulaOf(relations, n, 80)
    const found = search(formula, generator(n), () => false)
    expect(found).toMatchObject({ optimal: true, satisfied: grayCode(formula).satisfied })
    expect(satisfiedWeight(formula, found.values)).toBe(found.satisfied)
  }
})

test('stopped at once it is never below the look-ahead, and claims nothing', () => {
  for (const n of [21, 40]) {
    const formula = formulaOf([22, 126], n, 200)
    const found = search(formula, generator(n), () => true)
    expect(found.satisfied).toBeGreaterThanOrEqual(lookAhead(formula).satisfied)
    expect(found.optimal).toBe(false)
  }
})

test('raw material that can be met is met, and the search ends by itself', () => {
  const formula = formulaOf([254], 30, 300)
  expect(search(formula, generator(1), () => false)).toMatchObject({ optimal: true, satisfied: formula.totalWeight })
})

describe.skipIf(spawnSync('toulbar2', ['--help']).error !== undefined)('held against toulbar2 (needs toulbar2)', () => {
  test.each([
    [[22], 20, 100],
    [[22], 28, 160],
    [[254], 30, 300],
    [[1, 22], 30, 160],
    [[2, 8, 150], 24, 120],
    [[10, 14], 26, 120],
  ] as const)('relations %j, n %i, m %i', (relations, n, m) => {
    const oracle = optimumOf(mixedInstance(relations, n, m), 40)
    if (typeof oracle === 'string') throw new Error(`toulbar2: ${oracle}`)
    expect(search(formulaOf(relations, n, m), generator(n), after(30)).satisfied).toBe(oracle.optimum)
  })
})
