import type { CasePerson } from './case-record.ts'
import type { Pseudonym } from './cases.ts'

/** The people of a case, and its sides by the names of their teams; null: the educator. */
interface Cast {
  readonly people: readonly Pick<CasePerson, 'id' | 'role' | 'side'>[]
  readonly filer: string | null
  readonly other: string | null
}

const roleNames: Readonly<Record<CasePerson['role'], string>> = {
  ...{ educator: 'Educator', assistant: 'Assistant', student: 'Student' },
}

/** Names of people by their team or role and a number in the order of the record, such as `Red 1` or `Student 4`: records have no others. */
export function partNames({ people, ...sides }: Cast): ReadonlyMap<Pseudonym, string> {
  const counts = new Map<string, number>()
  return new Map(
    people.map(({ id, role, side }) => {
      const part = (side === null ? null : sides[side]) ?? roleNames[role]
      const count = (counts.get(part) ?? 0) + 1
      counts.set(part, count)
      return [id, `${part} ${count}`] as const
    }),
  )
}
