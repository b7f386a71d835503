import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mycielski, queens } from '../../../grammars/challenges/formats/well-known.ts'
import { writeMiniZinc, type Challenge, type Model } from '../../../grammars/challenges/index.ts'
import { nameOfVariable } from '../../../grammars/challenges/solvers/names.ts'
import { toNumber } from '../../../grammars/formulas/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { repeats } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { accepted, challengeOf, SHIPPED, sourceOf } from '../../unit/challenges/shipped.ts'
import { bestByJudge, drawn, modelled, small, solutionOf } from './small-models.ts'

/** The best measure that MiniZinc finds and proves, and the solution that has it. */
function solved(model: Model): { readonly best: number; readonly solution: Json } {
  const file = join(temporaryFolder('minizinc'), 'model.mzn')
  writeFileSync(file, writeMiniZinc(model))
  const { stdout, stderr } = spawnSync('minizinc', ['--solver', 'gecode', file], { encoding: 'utf8', timeout: 120_000 })
  // The line that says that nothing is better.
  if (!/^={10}$/m.test(stdout)) throw new Error(`${stdout}\n${stderr}`)
  // Each better solution is told below the one before.
  const values = new Map(
    Array.from(stdout.matchAll(/^(\w+) = (-?\d+)$/gm), ([, name, value]) => [name!, Number(value)]),
  )
  const solution = solutionOf(
    model.variables,
    model.variables.map((variable) => values.get(nameOfVariable(variable))!),
  )
  return { best: values.get('objective')! / model.under, solution }
}

/** The measure that the challenge itself gives a solution, which must be feasible. */
function measureOf(challenge: Challenge, config: Json, instance: Json, solution: Json): number {
  expect(challenge.feasible(config, instance, solution)).toBeNull()
  const rated = challenge.rating(config, instance, solution)
  if (typeof rated === 'string') throw new Error(rated)
  return toNumber(rated.measure)
}

/** MiniZinc is a driver, which may be there without its solver. */
const tried = spawnSync('minizinc', ['--solver', 'gecode', '-'], { encoding: 'utf8', input: 'solve satisfy;' })
const isMissing = tried.status !== 0

describe.skipIf(isMissing)('held against MiniZinc (needs minizinc with Gecode)', () => {
  test('all challenges that ship are tried but the two without a model', () => {
    const without = ['cubic-equations', 'longest-common-subsequence']
    expect([...small.map(([name]) => name), ...without].toSorted()).toEqual(SHIPPED)
  })

  test.each(small)('%s: MiniZinc finds the best of all solutions of small raw material', (name, settings) => {
    const challenge = challengeOf(sourceOf(name))
    for (let seed = 1; seed <= repeats({ short: 1, long: 20 }); seed++) {
      const { config, instance } = drawn(challenge, settings, seed)
      const model = modelled(challenge, config, instance)
      const { best, solution } = solved(model)
      expect(best).toBeCloseTo(bestByJudge(challenge, config, instance, model)!, 9)
      expect(measureOf(challenge, config, instance, solution)).toBeCloseTo(best, 9)
    }
  })

  test.each(small)('%s: at least as good as a planted solution of raw material of the usual size', (name) => {
    const challenge = challengeOf(sourceOf(name))
    const generator = challenge.generator!
    const config = accepted(challenge.config({})).value
    const random = randomStream('3'.repeat(64))
    for (let time = 1; time <= repeats({ short: 1, long: 5 }); time++) {
      const predicate = accepted(
        challenge.predicate(config, accepted(challenge.sampler.predicate(config, random)).value),
      )
      const made = generator.make(config, predicate.value, accepted(generator.settings({})).value, random)
      if (!made.ok) throw new Error(made.error)
      const model = modelled(challenge, config, made.instance)
      const { best, solution } = solved(model)
      expect(measureOf(challenge, config, made.instance, solution)).toBeCloseTo(best, 9)
      const planted = measureOf(challenge, config, made.instance, made.planted!.solution)
      expect(model.goal === 'max' ? best - planted : planted - best).toBeGreaterThan(-1e-9)
    }
  })

  // Graphs of the DIMACS collection. The published number of colours is enough, and one colour less is not; the proof takes long for queens.
  test.each([
    ['myciel3', mycielski(3), 4, true],
    ['myciel4', mycielski(4), 5, true],
    ['queen5_5', queens(5), 5, false],
  ] as const)('%s has the published number of colours', (_, graph, colours, isProved) => {
    const challenge = challengeOf(sourceOf('graph-colouring'))
    const kept = (number: number): number => {
      const config = accepted(challenge.config({ maxVertices: 200, maxEdges: 5_000, colours: number })).value
      return solved(modelled(challenge, config, graph as unknown as Json)).best
    }
    expect(kept(colours)).toBe(graph.edges.length)
    if (isProved) expect(kept(colours - 1)).toBeLessThan(graph.edges.length)
  })

  test('the largest number that a model may have is one that the solver can compute with', () => {
    expect(solved(modelled(challengeOf(large), { most: LARGEST }, { n: LARGEST }))).toEqual({
      best: LARGEST,
      solution: { s: 1 },
    })
  })
})

/** Gecode has no larger one. */
const LARGEST = 2 ** 31 - 2

const large = `challenge large "Large numbers"
config { most = ${LARGEST} in 1..10000000000 }
dictionary {{
  Predicate = "n" <n> int.
  Instance = "i" <n> int.
  Solution = "s" <s> int.
}}
legal predicate { require predicate.n in 1..config.most else "No." }
legal instance { require instance.n in 1..config.most else "No." }
feasible solution { require solution.s in 0..1 else "No." }
measure = instance.n * solution.s
goal = max
bound = instance.n
property predicate { Predicate.n: range 1 config.most }
property instance { Instance.n: range 1 config.most }
property solution { Solution.s: range 0 1 }
example "one" { predicate {{ n 1 }} instance {{ i 1 }} solution {{ s 1 }} quality = 1 }
`

test('a model has no larger number than solvers compute with', () => {
  const model = challengeOf(large).model({ most: LARGEST + 1 }, { n: LARGEST + 1 })
  expect(model).toEqual({ ok: false, error: expect.stringContaining(String(LARGEST)) as string })
})
