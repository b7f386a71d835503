import { expect, test } from 'vitest'
import { createRoleComparison, type CountedPlace } from '../../../main/services/contests/standings/role-comparison.ts'

const place = (entrant: number, role: string, points: number, removed = false): CountedPlace => ({
  ...{ entrant, role, points, removed },
})

/** Units of matches, as lists of places; gives who won against whom. */
function meetings(...units: readonly (readonly (readonly CountedPlace[] | null)[])[]): readonly string[] {
  const met: string[] = []
  const comparison = createRoleComparison((unit, one, other, won) => met.push(`${unit}: ${one}-${other} ${won}`))
  for (const [unit, matches] of units.entries())
    for (const places of matches)
      if (places === null) comparison.skip(unit, matches.length)
      else comparison.add(unit, matches.length, places)
  return met
}

test('points of all roles decide, where places in each match say the opposite', () => {
  // 0 is ahead in one match of two, far; 1 is ahead in the other.
  const first = [place(0, 'robber', 100), place(1, 'cop', 0)]
  const second = [place(1, 'robber', 60), place(0, 'cop', 10)]
  expect(meetings([first, second])).toEqual(['0: 0-1 1'])
})

test('a single match compares those in equal roles only', () => {
  expect(meetings([[place(0, 'robber', 100), place(1, 'cop', 5), place(2, 'cop', 7)]])).toEqual(['0: 1-2 0'])
})

test('roles that only one of two has had are left out, and those had more often count as often as both had them', () => {
  // As robber 0 has 9 and 1 nothing, whose match was void; as a cop 0 has 2 in one match and 1 has 3 in each of two.
  const matches = [[place(0, 'robber', 9), place(1, 'cop', 3)], [place(0, 'cop', 2), place(1, 'cop', 3)], null]
  expect(meetings(matches)).toEqual(['0: 0-1 0'])
})

test('equal points are a tie, and who was removed is behind', () => {
  expect(meetings([[place(0, 'cop', 4), place(1, 'cop', 4)]])).toEqual(['0: 0-1 0.5'])
  expect(meetings([[place(0, 'cop', 9, true), place(1, 'cop', 4)]])).toEqual(['0: 0-1 0'])
})

test('an entrant in several seats has the mean of them', () => {
  // The house has 30 in five seats, 6 each.
  const house = Array.from({ length: 5 }, () => place(1, 'cop', 6))
  expect(meetings([[place(0, 'cop', 7), ...house]])).toEqual(['0: 0-1 1'])
})

test('a unit counts when its last match is over', () => {
  const met: number[] = []
  const comparison = createRoleComparison((unit) => met.push(unit))
  comparison.add(7, 2, [place(0, 'cop', 1), place(1, 'cop', 2)])
  expect(met).toEqual([])
  comparison.skip(7, 2)
  expect(met).toEqual([7])
})
