import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toText } from '../../../grammars/formulas/index.ts'
import { accepted, challengeOf } from './shipped.ts'

const docs = readFileSync(new URL('../../../docs/language.md', import.meta.url), 'utf8')
/** The example of docs/language.md: classes, then functions. */
const example = /## Functions that call themselves[^]*?```\n([^]*?)```/.exec(docs)?.[1] ?? ''
const at = example.indexOf('define')

/** Highest Safe Rung of SCG Court: a plan to find from which rungs of a ladder jars break, with few jars and few tests. */
const LADDER = `challenge highest-safe-rung "Highest safe rung"
dictionary {{
  Predicate = <rungs> int.
  Instance = <rungs> int "rungs" <jars> int "jars".
  Solution = <plan> Plan.
  ${example.slice(0, at)}
}}
${example.slice(at)}
define broken(plan: Plan): int = match plan { Rung: 0, Ask ask: max(1 + broken(ask.yes), broken(ask.no)) }
legal predicate { require predicate.rungs > 0 else "Some rungs." }
legal instance {
  require 1 <= instance.rungs <= predicate.rungs else "Too many rungs."
  require 1 <= instance.jars <= 9 else "Jars are few."
}
feasible solution {
  require broken(solution.plan) <= instance.jars else "{broken(solution.plan)} jars may break."
  for safe in 0..instance.rungs {
    require answer(solution.plan, safe) = safe else "For {safe} it says {answer(solution.plan, safe)}."
  }
}
measure = tests(solution.plan)
goal = min
bound = min(k for k in 0..instance.rungs where fold(p * 2 from p = 1 for i in 1..k) > instance.rungs)
example "two rungs" {
  predicate {{ 9 }} instance {{ 2 rungs 1 jars }} solution {{ ask 1 ? rung 0 : ask 2 ? rung 1 : rung 2 }} quality = 1
}
`

type Plan = { readonly $: 'Rung'; readonly highest: number } | Ask
type Ask = { readonly $: 'Ask'; readonly rung: number; readonly yes: Plan; readonly no: Plan }

/** The most rungs that k jars and t tests tell apart. */
const reach = (jars: number, tests: number): number =>
  jars === 0 || tests === 0 ? 0 : reach(jars - 1, tests - 1) + 1 + reach(jars, tests - 1)

/** A best plan for the rungs above `low` up to `high`. */
function best(low: number, high: number, jars: number): Plan {
  if (low === high) return { $: 'Rung', highest: low }
  let tests = 1
  while (reach(jars, tests) < high - low) tests++
  const rung = Math.min(high, low + 1 + reach(jars - 1, tests - 1))
  return { $: 'Ask', rung, yes: best(low, rung - 1, jars - 1), no: best(rung, high, jars) }
}

test('Highest Safe Rung, with the functions of docs/language.md, judges best plans as counting does', () => {
  const challenge = challengeOf(LADDER)
  const config = accepted(challenge.config({})).value
  for (let rungs = 1; rungs <= 40; rungs++) {
    for (let jars = 1; jars <= 5; jars++) {
      const instance = { rungs, jars }
      const plan = best(0, rungs, jars)
      expect(challenge.feasible(config, instance, { plan })).toBeNull()
      let tests = 1
      while (reach(jars, tests) < rungs) tests++
      const rating = challenge.rating(config, instance, { plan })
      if (typeof rating === 'string') throw new Error(rating)
      expect(toText(rating.measure)).toBe(`${tests}/1`)
      expect(toText(rating.bound)).toBe(`${Math.ceil(Math.log2(rungs + 1))}/1`)
      const refused = challenge.feasible(config, { rungs: rungs + 1, jars }, { plan })
      expect(refused).toContain(`For ${rungs + 1} it says ${rungs}.`)
    }
  }
})

const stepsOf = (text: string, part: string): number => {
  const challenge = challengeOf(text)
  return challenge.efforts(accepted(challenge.config({})).value).find(({ what }) => what === part)!.steps
}

test('and knows no bound on the steps of it, because a plan may have any number of parts', () => {
  expect(stepsOf(LADDER, 'measure')).toBe(Infinity)
  expect(stepsOf(LADDER, 'legal instance')).toBeLessThan(Infinity)
})

test.each([
  ['tests(solution.plan) <= 8', 2 ** 9],
  ['tests(solution.plan) in 0..8', 2 ** 9],
  ['2 * instance.rungs + 1 >= size(solution.plan)', 201],
  ['small(solution.plan, instance.rungs)', 201],
])('a demand like %s bounds the parts, and so the steps of all functions on them', (demand, parts) => {
  const counted = LADDER.replace(
    'legal predicate {',
    `define size(plan: Plan): int = match plan { Rung: 1, Ask ask: 1 + size(ask.yes) + size(ask.no) }
define small(plan: Plan, rungs: int) = size(plan) <= 2 * rungs + 1
legal predicate {`,
  )
    .replace('require predicate.rungs > 0', 'require 0 < predicate.rungs <= 100')
    .replace('feasible solution {', `feasible solution { require ${demand} else "It is too large."`)
  // A run of tests takes some ten steps; there is one for each part.
  expect(stepsOf(counted, 'measure')).toBeLessThanOrEqual(20 * parts)
  expect(stepsOf(counted, 'measure')).toBeGreaterThanOrEqual(parts)
  expect(stepsOf(counted, 'feasible solution')).toBeLessThan(Infinity)
})
