import { expect, test } from 'vitest'
import type { Challenge, Sampled } from '../../../grammars/challenges/index.ts'
import { compare, fraction } from '../../../grammars/formulas/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { accepted, challengeOf, SHIPPED, sourceOf } from '../../unit/challenges/shipped.ts'
import type { Judge, Numbers } from './judge.ts'
import { judgesOfCombinations } from './judges-of-combinations.ts'
import { judgesOfConstraints } from './judges-of-constraints.ts'

function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0
  }
}

/** The value with one leaf or one list changed: most are refused for a reason that is near. */
function changed(value: Json, random: () => number): Json {
  if (typeof value === 'number') return [value + 1, value - 1, 0, value * 2, 1][random() % 5]!
  if (typeof value === 'string') return ['a', 'b', 'c', 'z'][random() % 4]!
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    const at = random() % Math.max(1, list.length)
    if (list.length === 0 || random() % 4 === 0)
      return random() % 2 === 0 ? list.toSpliced(at, 1) : list.toSpliced(at, 0, ...list.slice(0, 1))
    if (random() % 5 === 0) return list.with(at, list[random() % list.length]!)
    return list.with(at, changed(list[at]!, random))
  }
  const fields = Object.entries(value as { readonly [label: string]: Json })
  const [label, old] = fields[random() % fields.length]!
  return { ...Object.fromEntries(fields), [label]: changed(old, random) }
}

function made(sampled: Sampled): Json {
  if (!sampled.ok) throw new Error(sampled.error)
  return sampled.value
}

function ratio(challenge: Challenge, config: Json, instance: Json, solution: Json) {
  const quality = challenge.quality(config, instance, solution)
  if (typeof quality === 'string') throw new Error(quality)
  return quality
}

const judges = { ...judgesOfCombinations, ...judgesOfConstraints } as unknown as Readonly<
  Record<string, Judge<Json, Json, Json>>
>

test('each challenge that ships has a judge of its own', () => {
  expect(Object.keys(judges).toSorted()).toEqual(SHIPPED)
})

test.each(Object.entries(judges))('%s is judged as its own judge judges it, in 200 cases', (name, judge) => {
  const challenge = challengeOf(sourceOf(name))
  const config = accepted(challenge.config({})).value
  const settings = config as Numbers
  const seen = { legal: 0, illegal: 0, feasible: 0, infeasible: 0 }
  for (let number = 0; number < 200; number++) {
    const random = numbersFrom(number)
    const predicate = made(challenge.sampler.predicate(config, random))
    const drawn = made(challenge.sampler.instance(config, predicate, random))
    const instance = number % 2 === 0 ? drawn : changed(drawn, random)
    const legal = judge.legal(settings, predicate, instance)
    expect([number, challenge.legal(config, predicate, instance) === null]).toEqual([number, legal])
    seen[legal ? 'legal' : 'illegal'] += 1
    const own = made(challenge.sampler.solution(config, drawn, random))
    const solution = number % 4 < 2 ? own : changed(own, random)
    const feasible = judge.feasible(settings, drawn, solution)
    expect([number, challenge.feasible(config, drawn, solution) === null]).toEqual([number, feasible])
    seen[feasible ? 'feasible' : 'infeasible'] += 1
    if (!feasible) continue
    const [n, d] = judge.quality(drawn, solution)
    const same = n === d ? fraction(1) : fraction(BigInt(Math.round(n)), BigInt(Math.round(d)))
    expect([number, compare(ratio(challenge, config, drawn, solution), same)]).toEqual([number, 0])
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(15)
})

test.each(Object.entries(judges))(
  '%s: what its generator makes has the planted quality by its own judge',
  (name, judge) => {
    const challenge = challengeOf(sourceOf(name))
    const config = accepted(challenge.config({})).value
    const settings = config as Numbers
    const { generator } = challenge
    // A thousand in all, from the low to the high ends of the parameters.
    for (let number = 0; number < 84; number++) {
      const random = numbersFrom(number)
      const predicate = made(challenge.sampler.predicate(config, random))
      const chosen = generator!.parameters.map(({ name: label, low, high }) => [
        label,
        low + (random() % (high - low + 1)),
      ])
      const found = generator!.make(config, predicate, Object.fromEntries(chosen) as Json, random)
      if (!found.ok) throw new Error(found.error)
      const { instance, planted } = found
      const { solution, quality } = planted!
      const judged = [judge.legal(settings, predicate, instance), judge.feasible(settings, instance, solution)]
      expect([number, ...judged]).toEqual([number, true, true])
      const [n, d] = judge.quality(instance, solution)
      const same = n === d ? fraction(1) : fraction(BigInt(Math.round(n)), BigInt(Math.round(d)))
      expect([number, compare(quality, same)]).toEqual([number, 0])
    }
  },
)

test.each(Object.entries(judges).filter(([, judge]) => judge.solutions !== undefined))(
  '%s: no solution exceeds the bound, and the best often does not reach it',
  (name, judge) => {
    const challenge = challengeOf(sourceOf(name))
    const config = accepted(challenge.config(judge.small)).value
    let tight = 0
    let loose = 0
    for (let seed = 0; seed < 40; seed++) {
      const random = numbersFrom(seed)
      const predicate = made(challenge.sampler.predicate(config, random))
      const instance = made(challenge.sampler.instance(config, predicate, random))
      let best = fraction(0)
      for (const solution of judge.solutions!(config as Numbers, instance)) {
        if (!judge.feasible(config as Numbers, instance, solution)) continue
        const [n, d] = judge.quality(instance, solution)
        const quality = n === d ? fraction(1) : fraction(BigInt(Math.round(n)), BigInt(Math.round(d)))
        if (compare(quality, best) > 0) best = quality
      }
      expect(compare(best, fraction(1))).toBeLessThanOrEqual(0)
      if (compare(best, fraction(1)) === 0) tight += 1
      else loose += 1
    }
    expect(tight).toBeGreaterThan(0)
    expect(loose).toBeGreaterThan(0)
  },
)
