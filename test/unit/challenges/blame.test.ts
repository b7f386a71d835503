import { describe, expect, test } from 'vitest'
import type { Generators } from '../../../grammars/challenges/blame.ts'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { saying } from '../../refusal.ts'

/** A solution is a list of numbers, an instance is a number; the steps of every formula grow with one of them. */
const source = (parts: {
  generator?: string
  measure?: string
  bound?: string
  feasible?: string
  belief?: string
}): string => `
challenge steps "Steps"
dictionary {{
  Predicate = "any".
  Instance = <size> int.
  Solution = <picked> int.
}}
legal predicate { require true else "" }
legal instance { require instance.size >= 0 else "Too small." }
feasible solution { require ${parts.feasible ?? 'solution.picked >= 0'} else "Not feasible." }
measure = ${parts.measure ?? '1'}
goal = max
bound = ${parts.bound ?? '1'}
${parts.belief === undefined ? '' : `belief = ${parts.belief}`}
property solution { Solution.picked: ${parts.generator ?? 'range 0 3'} }
example "one" { predicate {{ any }} instance {{ 1 }} solution {{ 1 }} quality = 1 }
`
const counted = (what: string): string => `min(1, max(1, count(i for i in 1..${what})))`

function culpritOf(
  parts: Parameters<typeof source>[0],
  instance: number,
  solution: number,
  belief = false,
  generators: Generators = 'counted',
): string {
  const { challenge, problems } = readChallenge(source(parts))
  expect(problems).toEqual([])
  const f = belief ? { n: 1n, d: 2n } : null
  return challenge!.culprit({}, { size: instance }, { picked: solution }, f, randomStream('7'.repeat(64)), generators)
}

describe('the value at fault where a solution was not judged', () => {
  test('the solution, if another one can be judged', () => {
    expect(culpritOf({ measure: counted('solution.picked') }, 1, 1e9)).toBe('solution')
    expect(culpritOf({ measure: '1 / (if solution.picked = 1000 then 0 else 1)' }, 1, 1000)).toBe('solution')
    expect(culpritOf({ belief: 'count(i for i in 1..solution.picked) >= 0' }, 1, 1e9, true)).toBe('solution')
  })
  test('the solution, if it is simply not feasible', () => {
    expect(culpritOf({}, 1, -1)).toBe('solution')
    expect(culpritOf({ feasible: 'count(i for i in 1..solution.picked) >= 0' }, 1, 1e9)).toBe('solution')
  })
  test('the instance, if no solution of it can be judged within the limits', () => {
    expect(culpritOf({ measure: counted('instance.size') }, 1e9, 1)).toBe('instance')
    expect(culpritOf({ feasible: 'count(i for i in 1..instance.size) >= 0' }, 1e9, 1)).toBe('instance')
    expect(culpritOf({ belief: 'count(i for i in 1..instance.size) >= 0' }, 1e9, 1, true)).toBe('instance')
  })
  test('the instance, if no solution of it can be generated within the limits; older matches ignore that', () => {
    const parts = { generator: `range 0 ${counted('instance.size')}`, measure: counted('solution.picked') }
    expect(culpritOf(parts, 1e9, 1e9)).toBe('instance')
    expect(culpritOf(parts, 1e9, 1e9, false, 'ignored')).toBe('solution')
    expect(culpritOf(parts, 3, 1e9)).toBe('solution')
    // A generator that fails for another reason says nothing.
    expect(culpritOf({ ...parts, generator: 'range 0 (1 / (3 - instance.size))' }, 3, 1e9)).toBe('solution')
  })
  test('the file, if it fails for every solution', () => {
    expect(culpritOf({ measure: '1 / (2 - instance.size)' }, 2, 1)).toBe('challenge')
    expect(culpritOf({ measure: 'instance.size' }, 2, 1)).toBe('challenge')
  })
  test('an instance without a bound cannot be judged', () => {
    const { challenge } = readChallenge(source({ bound: counted('instance.size') }))
    expect(challenge!.unratable({}, { size: 5 })).toBeNull()
    expect(challenge!.unratable({}, { size: 1e9 })).toEqual(saying('bound', 'steps'))
  })
})
