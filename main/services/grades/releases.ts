import type { GradebookFile, Release, ReleaseSummary } from '../../contract/grades/gradebook.ts'
import type { Person, PersonId } from '../../contract/people/people.ts'

type InShort = NonNullable<ReleaseSummary['changes'][number]['before']>

/** True: the numbers are the same except for rounding, and the bands are the same. */
export const isSameGrade = (one: InShort, other: InShort): boolean =>
  Math.abs(one.value - other.value) < 1e-9 && one.band === other.band

/** All releases, the newest first, each with what it changed. */
export function releasesOf(
  { release, earlier }: Pick<GradebookFile, 'release' | 'earlier'>,
  { people }: { readonly people: readonly Person[] },
): readonly ReleaseSummary[] {
  const all = release === null ? earlier : [...earlier, release]
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const summaries = all.map((each, at): ReleaseSummary => {
    const before = all[at - 1] ?? null
    return {
      ...{ at: each.at, grades: each.grades.length, isOtherScheme: before !== null && before.scheme !== each.scheme },
      changes:
        before === null
          ? []
          : changesOf(before, each).map((change) => ({ ...change, name: names.get(change.person) ?? '' })),
    }
  })
  return summaries.reverse()
}

function changesOf(before: Release, after: Release): readonly Omit<ReleaseSummary['changes'][number], 'name'>[] {
  const [was, is] = [countedIn(before), countedIn(after)]
  const everybody = [...new Set([...is.keys(), ...was.keys()])]
  return everybody
    .map((person) => ({ person, before: was.get(person) ?? null, after: is.get(person) ?? null }))
    .filter((each) => each.before === null || each.after === null || !isSameGrade(each.before, each.after))
}

/** The grade by hand where there is one. */
const countedIn = ({ grades }: Release): ReadonlyMap<PersonId, InShort> =>
  new Map(
    grades.map(({ person, computed, manual }) => {
      const { value, band } = manual ?? computed
      return [person, { value, band }]
    }),
  )
