import { describe, expect, test } from 'vitest'
import type { Asked } from '../../../grammars/challenges/blame.ts'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { saying } from '../../refusal.ts'

/** A solution is a list of numbers, an instance is a number; the steps of every formula grow with one of them. */
const source = (parts: {
  generator?: string
  instances?: string
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
${parts.instances === undefined ? '' : `property instance { Instance.size: ${parts.instances} }`}
property solution { Solution.picked: ${parts.generator ?? 'range 0 3'} }
example "one" { predicate {{ any }} instance {{ 1 }} solution {{ 1 }} quality = 1 }
`
const counted = (what: string): string => `min(1, max(1, count(i for i in 1..${what})))`

function culpritOf(
  parts: Parameters<typeof source>[0],
  instance: number,
  solution: number,
  belief = false,
  { generators = 'counted', predicate = null }: Partial<Asked> = {},
): string {
  const { challenge, problems } = readChallenge(source(parts))
  expect(problems).toEqual([])
  const f = belief ? { n: 1n, d: 2n } : null
  return challenge!.culprit({}, { size: instance }, { picked: solution }, f, randomStream('7'.repeat(64)), {
    generators,
    predicate,
  })
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
    expect(culpritOf(parts, 1e9, 1e9, false, { generators: 'ignored' })).toBe('solution')
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

describe('new contests ask for other raw material, too', () => {
  const asked = { predicate: {} }
  test('the file, if none that it draws can be judged within the limits', () => {
    const parts = { measure: counted('instance.size'), instances: 'range 900000000 1000000000' }
    expect(culpritOf(parts, 1e9, 1)).toBe('instance')
    expect(culpritOf(parts, 1e9, 1, false, asked)).toBe('challenge')
    // Smaller raw material would have done.
    expect(culpritOf({ ...parts, instances: 'range 0 9' }, 1e9, 1, false, asked)).toBe('instance')
    // Nothing is known of other raw material.
    expect(culpritOf({ measure: counted('instance.size') }, 1e9, 1, false, asked)).toBe('instance')
  })

  test('the file, if its demands fail for every solution that it draws', () => {
    const parts = { feasible: '1 / (2 - instance.size) > 0' }
    expect(culpritOf(parts, 2, 1)).toBe('solution')
    expect(culpritOf(parts, 2, 1, false, asked)).toBe('challenge')
    expect(culpritOf(parts, 1, 1, false, asked)).toBe('solution')
    expect(culpritOf({ feasible: '1 / (9 - solution.picked) > 0' }, 1, 9, false, asked)).toBe('solution')
  })

  test('raw material of which no solution has a value, if other has: its seller could have delivered that', () => {
    const parts = { measure: '1 / (2 - instance.size)' }
    expect(culpritOf(parts, 2, 1, false, asked)).toBe('challenge')
    const fails = { measure: 'if instance.size = 2 then 1 / (2 - instance.size) else 1', instances: 'range 3 9' }
    expect(culpritOf(fails, 2, 1)).toBe('challenge')
    expect(culpritOf(fails, 2, 1, false, asked)).toBe('instance')
    // A wrong bound is the fault of the file, wherever it shows.
    const outside = { measure: 'if instance.size = 2 then 2 else 1', instances: 'range 3 9' }
    expect(culpritOf(outside, 2, 1, false, asked)).toBe('challenge')
  })

  test.each([
    ['that divides by 0 is the fault of the file', { bound: '1 / (2 - instance.size)' }, 2, 'challenge'],
    [
      'that divides by 0 for all that the file draws is that of the file',
      { bound: '1 / max(0, 2 - instance.size)', instances: 'range 2 9' },
      2,
      'challenge',
    ],
    [
      'that divides by 0 for this raw material alone lets no seller out of a sale',
      { bound: '1 / (2 - instance.size)', instances: 'range 3 9' },
      2,
      'instance',
    ],
    [
      'beyond the limits that other raw material has not is that of the raw material',
      { bound: counted('instance.size'), instances: 'range 0 9' },
      1e9,
      'instance',
    ],
    [
      'beyond the limits for all that the file draws is that of the file',
      { bound: counted('instance.size'), instances: 'range 900000000 1000000000' },
      1e9,
      'challenge',
    ],
    [
      'of which nothing else is known is that of the raw material',
      { bound: counted('instance.size') },
      1e9,
      'instance',
    ],
  ])('a bound %s', (_, parts, size, culprit) => {
    const { challenge } = readChallenge(source(parts))
    expect(challenge!.boundCulprit({}, {}, { size }, randomStream('7'.repeat(64)))).toBe(culprit)
  })
})
