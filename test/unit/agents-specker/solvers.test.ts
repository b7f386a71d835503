import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fraction, compare } from '../../../grammars/formulas/numbers/fraction.ts'
import { maxCsp } from '../../../agents/specker/knowledge/max-csp.ts'
import { maxSat } from '../../../agents/specker/knowledge/max-sat.ts'
import { finiteBreakEven } from '../../../agents/specker/mathematics/break-even.ts'
import { satisfiedWeight, type Formula } from '../../../agents/specker/solvers/formula.ts'
import { grayCode } from '../../../agents/specker/solvers/gray-code.ts'
import { solveEquations } from '../../../agents/specker/solvers/linear.ts'
import { lookAhead } from '../../../agents/specker/solvers/look-ahead.ts'
import { effortFor, solve, solvesExactly } from '../../../agents/specker/solvers/solve.ts'
import { PlantedTrials } from '../../../agents/specker/trade/planted-trials.ts'
import { tabuSearch } from '../../../agents/specker/solvers/tabu.ts'
import { mixedInstance } from '../../bench/max-csp.ts'
import { generator } from './table.ts'

const csp = maxCsp({ maxVars: 20, maxConstraints: 200, maxWeight: 10 })
const sat = maxSat({ maxVars: 20, maxClauses: 200, maxWeight: 10, maxClauseLength: 4 })

/** A random formula of 3 to 9 variables, the items it uses, and its number of variables. */
const problems = fc
  .record({
    seed: fc.integer(),
    boolean: fc.boolean(),
    n: fc.integer({ min: 4, max: 9 }),
    size: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ seed, boolean, n, size }) => {
    const random = generator(seed)
    const challenge = boolean ? csp : sat
    const items = Array.from(
      { length: size },
      () => challenge.items[Math.floor(random() * challenge.items.length)]!,
    ).filter((item) => challenge.kind(item).arity <= n)
    const instance = challenge.random(n, items, random)
    return { challenge, items, n, random, formula: challenge.formula(instance)! }
  })

function best(formula: Formula): number {
  let top = 0
  for (let code = 0; code < 2 ** formula.variables; code++) {
    const values = Array.from({ length: formula.variables }, (_, v) => (code >> v) & 1)
    top = Math.max(top, satisfiedWeight(formula, values))
  }
  return top
}

test('the first listed variable is the high bit: relation 2 is 001, the last variable alone', () => {
  const formula = csp.formula({ variables: 3, constraints: [{ weight: 5, relation: 2, variables: [3, 1, 2] }] })!
  expect(satisfiedWeight(formula, [0, 1, 0])).toBe(5)
  expect(
    [
      [1, 0, 0],
      [0, 0, 1],
      [0, 0, 0],
      [1, 1, 0],
    ].map((values) => satisfiedWeight(formula, values)),
  ).toEqual([0, 0, 0, 0])
})

test('a clause holds when one literal does, also a clause of more than 32', () => {
  const literals = Array.from({ length: 40 }, (_, v) => (v % 2 === 0 ? v + 1 : -v - 1))
  const long = sat.formula({ variables: 40, clauses: [{ weight: 1, literals }] })!
  const failing = literals.map((literal) => (literal > 0 ? 0 : 1))
  expect(satisfiedWeight(long, failing)).toBe(0)
  expect(satisfiedWeight(long, failing.with(39, 0))).toBe(1)
  expect(
    satisfiedWeight(
      long,
      failing.map((value) => 1 - value),
    ),
  ).toBe(1)
})

test('gray code finds the optimum', () => {
  fc.assert(
    fc.property(problems, ({ formula }) => {
      const found = grayCode(formula)
      expect(found.satisfied).toBe(best(formula))
      expect(satisfiedWeight(formula, found.values)).toBe(found.satisfied)
    }),
    { numRuns: 60 },
  )
})

test('tabu search reports what it has, is never below its start, and finds the optimum of small formulas', () => {
  fc.assert(
    fc.property(problems, ({ formula, random }) => {
      const start = Uint8Array.from({ length: formula.variables }, () => (random() < 0.5 ? 0 : 1))
      const found = tabuSearch(formula, start, 400, random)
      expect(satisfiedWeight(formula, found.values)).toBe(found.satisfied)
      expect(found.satisfied).toBeGreaterThanOrEqual(satisfiedWeight(formula, start))
      expect(found.satisfied).toBe(best(formula))
    }),
    { numRuns: 60, seed: 1535 },
  )
})

test('the look-ahead reaches V_n of the items that a formula is made of', () => {
  fc.assert(
    fc.property(problems, ({ challenge, formula, items, n }) => {
      fc.pre(items.length > 0)
      const { satisfied, values } = lookAhead(formula)
      expect(satisfiedWeight(formula, values)).toBe(satisfied)
      const floor = finiteBreakEven(items.map(challenge.kind), n)!.value
      expect(compare(fraction(satisfied, formula.totalWeight), floor)).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 150 },
  )
})

test('known optima: symmetric 22 on twelve variables by both ways', () => {
  const formula = maxCsp({}).formula(csp.symmetric(12, [{ item: 22, weight: 1 }]))!
  expect(formula.totalWeight).toBe(220)
  expect(grayCode(formula).satisfied).toBe(112)
  expect(solve(formula, { exhaustive: 0, flips: 200 }, generator(1)).satisfied).toBe(112)
})

test('raw material that cannot be read is undefined, never an exception', () => {
  for (const value of [
    null,
    3,
    [],
    {},
    { variables: 2 },
    { variables: 3, constraints: [{}] },
    { variables: 3, clauses: [{ weight: 1, literals: [4] }] },
  ]) {
    expect(csp.formula(value)).toBeUndefined()
    expect(sat.formula(value)).toBeUndefined()
    expect(csp.read(value)).toBeUndefined()
    expect(sat.read(value)).toBeUndefined()
  }
})

describe('up to 22 variables all assignments are tried in a turn of a second', () => {
  test.each([
    [22, 100],
    [22, 1_540],
    [20, 1_140],
  ])('%i variables, %i constraints: by Gray code when one is due', (n, m) => {
    const formula = csp.formula(mixedInstance([22], n, m))!
    const found = solve(formula, effortFor(null, 1, 400), generator(1))
    // Not all can be met, so only who has tried all knows that there is no better one.
    expect(found.satisfied).toBeLessThan(formula.totalWeight)
    expect(found.optimal).toBe(true)
  })

  test('by tabu search where many are due at once, or the turn is short', () => {
    const formula = csp.formula(mixedInstance([22], 22, 100))!
    expect(solve(formula, effortFor(null, 30, 400), generator(1)).optimal).toBe(false)
    expect(solve(formula, effortFor(20, 1, 400), generator(1)).optimal).toBe(false)
  })

  test('what is said beforehand of a size is what happens', () => {
    const sized = (
      variables: number,
      constraints: number,
      longest = 3,
    ): { variables: number; constraints: number; longest: number } => {
      return { variables, constraints, longest }
    }
    expect(solvesExactly(sized(22, 100_000), null)).toBe(true)
    expect(solvesExactly(sized(22, 100), 100)).toBe(false)
    expect(solvesExactly(sized(23, 100), null)).toBe(false)
    expect(solvesExactly(sized(23, 100), 10_000)).toBe(false)
    // Long clauses make no polynomial of the third degree.
    expect(solvesExactly(sized(22, 200, 4), null)).toBe(false)
    expect(solvesExactly(sized(16, 200, 4), null)).toBe(true)
  })
})

describe('linear systems', () => {
  /** Relation 105 is an even number of true variables, 150 an odd one. */
  const planted = (n: number, size: number, seed: number, wrong = 0): Formula => {
    const random = generator(seed)
    const values = Array.from({ length: n }, () => (random() < 0.5 ? 0 : 1))
    const constraints = Array.from({ length: size }, (_, at) => {
      const variables: number[] = []
      while (variables.length < 3) {
        const next = 1 + Math.floor(random() * n)
        if (!variables.includes(next)) variables.push(next)
      }
      const odd = variables.reduce((sum, variable) => sum ^ values[variable - 1]!, 0) ^ (at < wrong ? 1 : 0)
      return { weight: 1 + (at % 3), relation: odd === 1 ? 150 : 105, variables }
    })
    return maxCsp({ maxVars: n, maxConstraints: size, maxWeight: 10 }).formula({ variables: n, constraints })!
  }

  test.each([30, 60, 200, 500])('exclusive-or that a solution was planted in is solved, %s variables', (n) => {
    const formula = planted(n, 2 * n, n)
    const { satisfied, optimal } = solve(formula, effortFor(1_000, 1, 4_000), generator(1))
    expect([satisfied, optimal]).toEqual([formula.totalWeight, true])
  })

  test('a constraint that contradicts the others is found and left out', () => {
    const formula = planted(60, 600, 5, 1)
    const { satisfied } = solve(formula, effortFor(1_000, 1, 4_000), generator(2))
    expect(satisfied).toBe(formula.totalWeight - formula.weights[0]!)
  })

  test('parity with noise is solved, also where ten are due in one turn', () => {
    const n = 60
    for (const seed of [11, 12, 13]) {
      const random = generator(seed)
      const hidden = Array.from({ length: n }, () => (random() < 0.5 ? 0 : 1))
      const constraints = Array.from({ length: 8 * n }, (_, at) => {
        const chosen = new Set<number>()
        while (chosen.size < 3) chosen.add(1 + Math.floor(random() * n))
        const variables = [...chosen]
        const odd = variables.reduce<number>((sum, variable) => sum ^ hidden[variable - 1]!, at % 10 === 0 ? 1 : 0)
        return { weight: 1, relation: odd === 1 ? 150 : 105, variables }
      })
      const formula = maxCsp({ maxVars: n, maxConstraints: 8 * n }).formula({ variables: n, constraints })!
      const { satisfied } = solve(formula, effortFor(1_000, 10, 10_000), random)
      expect(satisfied).toBeGreaterThanOrEqual(satisfiedWeight(formula, hidden))
    }
  })

  test('relations that only imply equations are a start for the search', () => {
    // 40 holds for 011 and 101: the third variable is true and the first two differ.
    const n = 80
    const random = generator(7)
    const values = Array.from({ length: n }, (_, at) => (at < n / 2 ? 1 : 0))
    const constraints = Array.from({ length: 4 * n }, () => {
      const [a, b, c] = [0, n / 2, 0].map((from) => 1 + from + Math.floor((random() * n) / 2)) as [
        number,
        number,
        number,
      ]
      const third = c === a ? (a % (n / 2)) + 1 : c
      return { weight: 1, relation: 40, variables: random() < 0.5 ? [a, b, third] : [b, a, third] }
    })
    const formula = maxCsp({ maxVars: n, maxConstraints: 4 * n }).formula({ variables: n, constraints })!
    expect(satisfiedWeight(formula, values)).toBe(formula.totalWeight)
    const none = { values: new Uint8Array(n), satisfied: 0 }
    expect(solveEquations(formula, none, 1e7, random).satisfied).toBe(formula.totalWeight)
  })

  test('what is there is never made worse, and nothing is read beyond the budget', () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 0, max: 3_000 }), ({ formula, random }, budget) => {
        const from = lookAhead(formula)
        const found = solveEquations(formula, from, budget, random)
        expect(found.satisfied).toBeGreaterThanOrEqual(from.satisfied)
        expect(found.satisfied).toBe(satisfiedWeight(formula, found.values))
      }),
    )
  })
})

describe('trials with planted solutions', () => {
  const challenge = maxCsp({ maxVars: 60, maxConstraints: 600, maxWeight: 5 })
  const search = (formula: Formula): { readonly satisfied: number } =>
    solve(formula, effortFor(1_000, 4, 10_000), generator(3))
  const trialsWith = (solver: (formula: Formula) => { readonly satisfied: number }): PlantedTrials =>
    new PlantedTrials(challenge, solver, generator(4))
  const tabu = (formula: Formula) => tabuSearch(formula, new Uint8Array(60), 200, generator(5))

  test('tell a solver that finds what was planted from one that does not', () => {
    expect([trialsWith(search).relyOn([105, 150]), trialsWith(tabu).relyOn([105, 150])]).toEqual([true, false])
    expect(trialsWith(tabu).relyOn([254])).toBe(true)
  })

  test('end with the first secret that is missed', () => {
    const trials = trialsWith(search)
    expect(trials.relyOn([105])).toBe(true)
    trials.missed()
    expect([trials.relyOn([105]), trials.relyOn([254])]).toEqual([false, false])
  })

  test('are eight a turn at most', () => {
    let solved = 0
    const trials = trialsWith((formula) => {
      solved += 1
      return { satisfied: formula.totalWeight }
    })
    const first = Array.from({ length: 20 }, (_, at) => trials.relyOn([200 + at]))
    expect([first.filter(Boolean).length, solved]).toEqual([8, 48])
    trials.nextTurn()
    expect(trials.relyOn([210])).toBe(true)
  })
})
