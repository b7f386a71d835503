import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { compare, fraction, toText } from '../../../grammars/formulas/numbers/fraction.ts'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../main/contract/json.ts'
import { maxCsp } from '../../../agents/specker/knowledge/max-csp.ts'
import { maxSat } from '../../../agents/specker/knowledge/max-sat.ts'
import { finiteBreakEven } from '../../../agents/specker/mathematics/break-even.ts'
import { grayCode } from '../../../agents/specker/solvers/gray-code.ts'
import { bestRecipe, constraintsOf } from '../../../agents/specker/trade/recipe.ts'
import { generator } from './table.ts'

const official = (name: string) =>
  readChallenge(readFileSync(new URL(`../../../grammars/challenges/${name}.challenge`, import.meta.url), 'utf8'))
    .challenge!

const cases = fc.record({
  csp: fc.boolean(),
  seed: fc.integer(),
  size: fc.integer({ min: 1, max: 4 }),
  maxVars: fc.integer({ min: 3, max: 9 }),
  room: fc.integer({ min: 6, max: 200 }),
  maxWeight: fc.integer({ min: 1, max: 12 }),
})

test('a recipe is legal raw material within the limits, and its value is what the best solution reaches', () => {
  fc.assert(
    fc.property(cases, ({ csp, seed, size, maxVars, room, maxWeight }) => {
      const own: Json = csp
        ? { maxVars, maxConstraints: room, maxWeight }
        : { maxVars, maxClauses: room, maxWeight, maxClauseLength: 3 }
      const challenge = csp ? maxCsp(own) : maxSat(own)
      const random = generator(seed)
      const chosen = Array.from({ length: size }, () => challenge.items[Math.floor(random() * challenge.items.length)]!)
      const items = [...new Set(chosen)].sort((a, b) => a - b)
      const recipe = bestRecipe(challenge, items, Infinity)!
      const instance = challenge.symmetric(recipe.n, recipe.parts)
      const formula = challenge.formula(instance)!
      expect(formula.constraints).toBe(constraintsOf(challenge, recipe))
      expect(toText(fraction(grayCode(formula).satisfied, formula.totalWeight))).toBe(toText(recipe.value))
      const floor = finiteBreakEven(items.map(challenge.kind), maxVars)!.value
      expect(compare(recipe.value, floor)).toBeGreaterThanOrEqual(0)

      const judge = official(csp ? 'max-csp' : 'max-sat')
      const config = judge.config(own)
      const predicate = config.ok ? judge.predicate(config.value, challenge.predicate(items)) : config
      if (!config.ok || !predicate.ok) throw new Error('the challenge file refuses the test')
      expect(judge.legal(config.value, predicate.value, instance)).toBeNull()
    }),
    { numRuns: 60 },
  )
})

test('V_n itself where the limits admit the symmetric raw material', () => {
  const wide = maxCsp({ maxVars: 20, maxConstraints: 1_140, maxWeight: 1 })
  expect(toText(bestRecipe(wide, [22], Infinity)!.value)).toBe('91/190')
  const narrow = maxCsp({ maxVars: 20, maxConstraints: 1_139, maxWeight: 1 })
  expect(bestRecipe(narrow, [22], Infinity)!.n).toBe(19)
  const weighted = maxSat({ maxVars: 10, maxClauses: 100, maxWeight: 1_000, maxClauseLength: 2 })
  expect(
    toText(
      bestRecipe(
        weighted,
        weighted.read({
          types: [
            { length: 1, positives: 1 },
            { length: 2, positives: 0 },
          ],
        })!,
        Infinity,
      )!.value,
    ),
  ).toBe('22/35')
})

test('weights that are too small are made up by repetition', () => {
  const types = {
    types: [
      { length: 1, positives: 1 },
      { length: 2, positives: 0 },
    ],
  }
  const plain = maxSat({ maxVars: 10, maxClauses: 100, maxWeight: 1, maxClauseLength: 2 })
  const recipe = bestRecipe(plain, plain.read(types)!, Infinity)!
  expect(recipe.parts.length).toBeGreaterThan(2)
  expect(compare(recipe.value, fraction(65, 100))).toBeLessThan(0)
})

test('placements: one for each different constraint, fewer where arguments do not matter', () => {
  const csp = maxCsp({})
  expect([22, 2, 14, 150, 170, 255].map((relation) => csp.placements(relation, 6))).toEqual([20, 60, 60, 20, 6, 1])
  expect(csp.placements(22, 2)).toBe(0)
  const sat = maxSat({ maxClauseLength: 3 })
  const [three] = sat.read({ types: [{ length: 3, positives: 1 }] })!
  expect(sat.placements(three!, 5)).toBe(30)
})
