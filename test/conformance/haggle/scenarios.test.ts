import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scenariosOf, type Scenarios, type ScenarioSpace } from '../../../main/referees/haggle/scenario.ts'

const FILE = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data', 'haggle-scenarios.json')

interface Table {
  readonly types: number
  readonly min_objects: number
  readonly max_objects: number
  readonly total_value: number
  readonly object_sets: number
  readonly scenarios: readonly { readonly seed: number; readonly counts: number[]; readonly values: number[][] }[]
}

const standard: ScenarioSpace = { types: 3, minObjects: 1, maxObjects: 6, totalValue: 10, generator: 'original' }

function spaceOf(changes: Partial<ScenarioSpace> = {}): Scenarios {
  const scenarios = scenariosOf({ ...standard, ...changes })
  if (typeof scenarios === 'string') throw new Error(scenarios)
  return scenarios
}

/** Every scenario of a space, written as the facts say it: sets and valuations listed, a whole shuffle's last two steps. */
function listed({ types, minObjects, maxObjects, totalValue, generator }: ScenarioSpace) {
  const sets: { counts: number[]; valuations: number[][] }[] = []
  const valuationsOf = (counts: readonly number[]): number[][] => {
    const found: number[][] = []
    const extend = (values: number[], left: number): void => {
      const count = counts[values.length]!
      if (values.length === types - 1) {
        if (left % count === 0) found.push([...values, left / count])
        return
      }
      for (let value = 0; value * count <= left; value++) extend([...values, value], left - value * count)
    }
    extend([], totalValue)
    return found
  }
  const extend = (counts: number[]): void => {
    if (counts.length === types) {
      const valuations = valuationsOf(counts)
      if (valuations.length >= 2) sets.push({ counts, valuations })
      return
    }
    const sum = counts.reduce((a, b) => a + b, 0)
    const behind = types - 1 - counts.length
    const least = generator === 'original' || behind === 0 ? minObjects - sum - behind : 1
    for (let count = Math.max(1, least); count <= maxObjects - sum - behind; count++) extend([...counts, count])
  }
  extend([])
  return sets
}

describe.skipIf(!existsSync(FILE))('the sample scenarios by seed (needs the shared data)', () => {
  const tables = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Table>) : {}
  test.each(Object.keys(tables))('%s', (name) => {
    const table = tables[name]!
    const scenarios = spaceOf({
      types: table.types,
      minObjects: table.min_objects,
      maxObjects: table.max_objects,
      totalValue: table.total_value,
    })
    expect(scenarios.sets).toBe(table.object_sets)
    expect(table.scenarios.length).toBeGreaterThan(10)
    for (const { seed, counts, values } of table.scenarios) {
      expect({ seed, ...scenarios.scenario(seed) }).toEqual({ seed, counts, values })
    }
  })
})

describe('scenarios', () => {
  test('the first one that everybody checks', () => {
    expect(spaceOf().scenario(1)).toEqual({
      counts: [4, 1, 1],
      values: [
        [0, 8, 2],
        [2, 0, 2],
      ],
    })
  })

  test('a high least number restricts the first types, as it did', () => {
    const space = { minObjects: 6, maxObjects: 6 }
    for (let seed = 1; seed <= 50; seed++) expect(spaceOf(space).scenario(seed).counts).toEqual([4, 1, 1])
    expect(spaceOf({ ...space, generator: 'corrected' }).sets).toBe(
      listed({ ...standard, ...space, generator: 'corrected' }).length,
    )
    const met = new Set<string>()
    for (let seed = 1; seed <= 400; seed++) {
      met.add(
        spaceOf({ ...space, generator: 'corrected' })
          .scenario(seed)
          .counts.join(' '),
      )
    }
    expect(met.size).toBe(10)
  })

  test.each([
    { ...standard },
    { ...standard, types: 2, maxObjects: 3, totalValue: 3 },
    { ...standard, types: 4, minObjects: 7, maxObjects: 9, totalValue: 12 },
    { ...standard, types: 5, minObjects: 5, maxObjects: 10, totalValue: 20 },
    { ...standard, types: 10, maxObjects: 11, totalValue: 11 },
    { ...standard, types: 3, minObjects: 5, maxObjects: 8, totalValue: 9, generator: 'corrected' as const },
  ])(
    'what is worked out equals what is listed: $types types, $minObjects to $maxObjects, $totalValue, $generator',
    (space) => {
      const scenarios = spaceOf(space)
      const sets = listed(space)
      expect(scenarios.sets).toBe(sets.length)
      const byCounts = new Map(
        sets.map(({ counts, valuations }) => [counts.join(' '), valuations.map((each) => each.join(' '))]),
      )
      for (let seed = 1; seed <= 200; seed++) {
        const { counts, values } = scenarios.scenario(seed)
        const valuations = byCounts.get(counts.join(' '))
        const [one, other] = values.map((each) => each.join(' '))
        expect(valuations).toContain(one)
        expect(valuations).toContain(other)
        expect(one).not.toBe(other)
        for (const value of values) expect(value.reduce((sum, v, i) => sum + v * counts[i]!, 0)).toBe(space.totalValue)
      }
    },
  )

  test('every ordered pair of valuations comes up, about equally often', () => {
    const space: ScenarioSpace = { ...standard, types: 2, maxObjects: 2, totalValue: 3 }
    const scenarios = spaceOf(space)
    expect(scenarios.sets).toBe(1)
    const met = new Map<string, number>()
    for (let seed = 1; seed <= 12_000; seed++) {
      const key = JSON.stringify(scenarios.scenario(seed).values)
      met.set(key, (met.get(key) ?? 0) + 1)
    }
    // Four valuations of two single objects worth 3 make twelve ordered pairs.
    expect(met.size).toBe(12)
    let squares = 0
    for (const count of met.values()) squares += (count - 1_000) ** 2 / 1_000
    // p = 0.001 at eleven degrees of freedom.
    expect(squares).toBeLessThan(31.26)
  })

  test.each([
    [{ types: 7 }, 'types need 7 objects'],
    [{ minObjects: 8 }, 'fewer than'],
    [{ totalValue: 5 }, 'less than the 6 objects'],
    [{ types: 10, maxObjects: 100, totalValue: 100 }, 'too many'],
    [{ types: 2, maxObjects: 2, totalValue: 4_000_000_000 }, 'too many'],
  ])('%o is refused in words', (changes, words) => {
    expect(scenariosOf({ ...standard, ...changes })).toContain(words)
  })
})
