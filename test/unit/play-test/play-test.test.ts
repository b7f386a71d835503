import { describe, expect, test } from 'vitest'
import { playTest } from '../../../grammars/play-test/play-test.ts'
import { USUAL, type Amounts } from '../../../grammars/play-test/tools.ts'
import type { PlayTest } from '../../../grammars/play-test/report.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { saying } from '../../refusal.ts'
import { isLong } from '../../long.ts'
import { accepted, challengeOf, sourceOf } from '../challenges/shipped.ts'
import { BAD, GOOD, varied } from './games.ts'
import { machines } from './own-games.ts'

/** Less than check tries, so that sixty games take seconds. */
const amounts = {
  predicates: 4,
  instances: 2,
  solutions: 4,
  variations: 25,
  small: 6,
  ways: 200,
  largest: 0,
  difficulty: 0,
}

function tested(source: string, seed = '1', more: Partial<Amounts> = {}): PlayTest {
  const challenge = challengeOf(source)
  const config = accepted(challenge.config({})).value
  // A clock that stands still: no result depends on the machine.
  const random = randomStream(seed.repeat(64))
  return playTest(challenge, { config, random, now: () => 0, withinMs: 1, amounts: { ...amounts, ...more } })
}

describe('games that cannot be played are told apart', () => {
  test.each(Object.entries(BAD))('%s', (_, [code, source]) => {
    const { playable, warnings } = tested(source)
    expect(warnings).toContainEqual(expect.objectContaining({ code, fatal: true }))
    expect(playable).toBe(false)
  })
})

describe('games that can be played have no fatal warning', () => {
  test.each(Object.entries(GOOD))('%s', (_, source) => {
    const { playable, warnings } = tested(source)
    expect(warnings.filter(({ fatal }) => fatal)).toEqual([])
    expect(playable).toBe(true)
  })
})

describe.runIf(isLong)(
  'with the amounts of `challenge check` and three seeds the verdicts are the same (npm run test:long)',
  () => {
    const games = [...Object.entries(BAD).map(([name, [, source]]) => ({ name, source, good: false }))].concat(
      Object.entries(GOOD).map(([name, source]) => ({ name, source, good: true })),
    )
    test.each(games)('$name', { timeout: 600_000 }, ({ source, good }) => {
      for (const seed of ['1', '2', '3']) expect([seed, tested(source, seed, USUAL).playable]).toEqual([seed, good])
    })
  },
)

test('there are thirty of each', () => {
  for (const games of [BAD, GOOD]) expect(Object.keys(games).length).toBeGreaterThanOrEqual(30)
})

test('equal streams give equal reports, and others differ', () => {
  expect(tested(machines)).toEqual(tested(machines))
  expect(tested(machines, '2').draws).not.toEqual(tested(machines).draws)
})

describe('a bound that a solution exceeds', () => {
  const [, source] = BAD['two of three machines']!
  test('is shown with a solution that the challenge itself cannot rate, in its own text', () => {
    const { counterexample } = tested(source).bound
    const challenge = challengeOf(source)
    const config = accepted(challenge.config({})).value
    const { instance, solution } = counterexample!
    const [read, answer] = [challenge.values.parse(instance, 'Instance'), challenge.values.parse(solution, 'Solution')]
    if (!read.ok || !answer.ok) throw new Error('The counterexample cannot be read.')
    expect(challenge.feasible(config, read.value, answer.value)).toBeNull()
    expect(challenge.judgement(config, read.value, answer.value).kind).toBe('outside')
  })

  test('is found by exhaustion where random solutions of usual instances stay below it', () => {
    // Wrong only where two jobs meet, and with smaller settings than usual.
    const wrong = 'if config.maxJobs < 8 and length(instance.jobs) = 2 then 1 else 0'
    const { draws, bound } = tested(varied(machines, ['bound = max(', `bound = (${wrong}) + max(`]))
    expect(draws.usual.instances.found).toBeGreaterThan(0)
    expect(bound.counterexample).not.toBeNull()
  })

  test('points at the line of the bound', () => {
    const warning = tested(source).warnings.find(({ code }) => code === 'bound-wrong')
    const line = source.split('\n').findIndex((text) => text.startsWith('bound')) + 1
    expect(warning?.at?.line).toBe(line)
  })
})

test('the best of an exhausted small instance is its optimum', () => {
  // The optimum of one machine is the bound itself: 100% is reached on every small instance.
  const one = varied(machines, ['machines = 3 in 1..5', 'machines = 1 in 1..5'])
  expect(tested(one).bound).toMatchObject({ reached: 1, counterexample: null })
  expect(tested(one).bound.instances).toBeGreaterThan(2)
  // With half of the bound as bound, the best reaches half.
  const half = varied(one, ['bound = ', 'bound = 0.5 * '], ['quality = 1', 'quality = 1/2'])
  expect(tested(half).bound.reached).toBe(0.5)
})

test('tallies count every attempt, also those that demands refuse', () => {
  const picky = varied(machines, [
    'legal predicate {',
    'legal predicate {\n  require sum(predicate.lengths) mod 2 = 1 else "Even."',
  ])
  const { predicates } = tested(picky).draws.usual
  expect(predicates.found).toBe(amounts.predicates)
  expect(predicates.tried).toBeGreaterThan(predicates.found)
  expect(predicates.refused).toContain('Even')
})

test('the largest settings are drawn, too, and warn without being fatal', () => {
  const wide = varied(
    machines,
    ['maxJobs = 8 in 1..30', 'maxJobs = 8 in 1..3000'],
    ['measure = ', `measure = (count(i for i in 1..(length(instance.jobs) * 10000)) * 0) + `],
    ['length range 2 config.maxJobs', 'length config.maxJobs'],
  )
  const { playable, draws, warnings } = tested(wide, '1', { largest: 1 })
  expect(draws.largest?.config).toMatchObject({ maxJobs: 3000, machines: 5 })
  expect(draws.largest?.judgements).toContainEqual(expect.objectContaining({ what: 'measure', steps: null }))
  expect(warnings).toMatchObject([{ code: 'over-limit', fatal: false }])
  expect(playable).toBe(true)
  expect(tested(wide).draws.largest).toBeNull()
})

describe('time', () => {
  /** A clock on which each look takes a millisecond. */
  const within = (source: string, withinMs: number): { readonly report: PlayTest; readonly ms: number } => {
    const challenge = challengeOf(source)
    const config = accepted(challenge.config({})).value
    let ms = 0
    const random = randomStream('1'.repeat(64))
    const many = { ...amounts, predicates: 500, instances: 500, variations: 2_000, small: 500 }
    return { report: playTest(challenge, { config, random, now: () => ++ms, withinMs, amounts: many }), ms }
  }

  test('that is up ends the test, which says so, and is not taken for a fault of the game', () => {
    for (const withinMs of [1, 5, 20, 50, 100, 300]) {
      const { report, ms } = within(machines, withinMs)
      expect({ withinMs, complete: report.complete, warnings: report.warnings.map(({ code }) => code) }).toEqual({
        ...{ withinMs, complete: false, warnings: [] },
      })
      // Each part looks at the clock a few times before it ends.
      expect(ms).toBeLessThan(withinMs + 150)
    }
  })

  test('leaves a fault that was found a fault', () => {
    const { report } = within(BAD['two of three machines']![1], 300)
    expect(report).toMatchObject({ complete: false, playable: false })
    expect(report.warnings.map(({ code }) => code)).toEqual(['bound-wrong'])
  })
})

describe('findings that no bad game has', () => {
  test.each([
    [
      'rarely-drawn',
      false,
      'property predicate',
      varied(machines, [
        'legal predicate {',
        'legal predicate {\n  require sum(predicate.lengths) mod 97 = 3 else "No."',
      ]),
    ],
    [
      'not-judged',
      true,
      'measure',
      varied(machines, ['measure = ', 'measure = 0 / (if solution.machine[1] = 2 then 0 else 1) + ']),
    ],
    ['mostly-trivial', false, 'measure', varied(machines, ['length range 2 config.maxJobs', 'length range 1 2'])],
  ])('%s is reported at its line', (code, fatal, section, source) => {
    const { warnings, playable } = tested(source, '1', { predicates: 20 })
    expect(warnings.map((one) => [one.code, one.fatal])).toEqual([[code, fatal]])
    const line = source.split('\n').findIndex((text) => text.startsWith(section)) + 1
    expect(warnings[0]!.at!.line).toBe(line)
    expect(playable).toBe(!fatal)
  })

  test('shares of instances without a decision are those of a game whose values are known', () => {
    // One job on any machine is perfect; of two, the first solution is perfect unless both are on one machine.
    const one = varied(machines, ['length range 2 config.maxJobs', 'length 1'])
    expect(tested(one).spread).toMatchObject({ zero: 0, one: 1, flat: 1, chance: 1 })
    const nothing = varied(
      machines,
      ['measure = ', 'measure = 10000 + 0 * '],
      ['bound = ', 'bound = 0 * '],
      ['quality = 1', 'quality = 0'],
    )
    expect(tested(nothing).spread).toMatchObject({ zero: 1, one: 0, flat: 1, best: 0 })
  })
})

describe('generators', () => {
  test('the curve of each parameter goes from its low to its high end, with the planted quality', () => {
    const { difficulty } = tested(sourceOf('knapsack'), '1', { difficulty: 2 })
    expect(difficulty!.curves.map(({ parameter }) => parameter)).toEqual(['size', 'closeness'])
    const [, closeness] = difficulty!.curves
    expect(closeness!.points.map(({ value }) => value)).toEqual([0, 25, 50, 75, 100])
    for (const { instances, chance, baby, best, planted } of closeness!.points) {
      // Nothing is better than the planted solution, and a search is at least as good as chance.
      expect({ instances, planted, best: best <= 1, baby: baby <= best, chance: chance <= best }).toEqual({
        ...{ instances: 2, planted: 1, best: true, baby: true, chance: true },
      })
    }
  })

  test('are not measured in a short test, and a file without one has no difficulty', () => {
    expect(tested(sourceOf('knapsack')).difficulty).toEqual({ curves: [] })
    expect(tested(machines).difficulty).toBeNull()
  })

  const generate = (instance: string, planted: string): string =>
    `${machines}\ngenerate (n = 2 in 1..9) { instance = ${instance} ${planted} }`

  test.each([
    ['at its defaults', generate('Instance([])', ''), 'generator-illegal'],
    [
      'at one end of a parameter',
      generate('Instance([if n < 9 then predicate.lengths[1] else 0])', ''),
      'generator-illegal',
    ],
    ['without a value', generate('Instance([predicate.lengths[if n < 9 then 1 else 99]])', ''), 'generator-failed'],
    ['beyond the limit', generate('Instance([length([i for i in 1..n * 10000000])])', ''), 'generator-limit'],
    [
      'with a solution that is not feasible',
      generate('Instance(predicate.lengths)', 'planted = Solution([])'),
      'planted-infeasible',
    ],
  ])('that are wrong %s are the fault of the file, which cannot be played', (_, source, code) => {
    const { playable, warnings } = tested(source)
    expect(warnings).toContainEqual(expect.objectContaining({ code, fatal: true }))
    expect(warnings.find((warning) => warning.code === code)!.at!.line).toBeGreaterThan(machines.split('\n').length - 1)
    expect(playable).toBe(false)
  })

  test.each([
    ['its defaults', 550_000, true, 2],
    ['an end of a parameter', 200_000, false, 9],
  ])('that are slow with %s are reported at their section', (_, each, fatal, n) => {
    const slow = `Instance([min(predicate.lengths[1], sum(1 for i in 1..n * ${each}))])`
    const { playable, warnings } = tested(generate(slow, ''))
    expect(warnings).toMatchObject([{ code: 'slow', fatal, message: saying('generator', `n = ${n}`) }])
    expect(warnings[0]!.at!.line).toBeGreaterThan(machines.split('\n').length - 1)
    expect(playable).toBe(!fatal)
  })

  test('whose instances have a wrong bound are refused with a solution beyond it, and the curve leaves them out', () => {
    const wrong = varied(generate('Instance([max(predicate.lengths)])', ''), [
      'bound = max(',
      'bound = (if length(instance.jobs) = 1 and instance.jobs[1] > 3 then 1000 else 0) + max(',
    ])
    const { bound, difficulty, warnings } = tested(wrong, '1', { difficulty: 1 })
    expect(warnings).toMatchObject([{ code: 'bound-wrong', fatal: true }])
    expect(Number(bound.counterexample!.bound.split('/')[0])).toBeGreaterThan(1000)
    expect(difficulty!.curves).toEqual([{ parameter: 'n', points: [] }])
    expect(tested(wrong).bound.counterexample).toBeNull()
  })
})
