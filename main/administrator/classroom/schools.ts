import type { Classroom, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../contract/contests/contests.ts'
import type { EntrySchool, EntryStatement, SchoolEntrant, SignedEntry } from '../../contract/contests/entries.ts'
import { nameKey } from '../../contract/names.ts'
import { fingerprint, keyText } from '../../histories/keys.ts'

type Trust = { readonly settings: Pick<Classroom['settings'], 'trustedKeys'> }

/** The school of an entry; null: the agent is the class's own. */
export function schoolOf(entry: SignedEntry | undefined, content: Trust): EntrySchool | null {
  return entry === undefined ? null : schoolWithKey(entry.statement, content)
}

/** The entrants of a contest that are entries of other schools. */
export function schoolsIn(
  { entrants }: Pick<ContestDescription, 'entrants'>,
  content: Trust,
): readonly SchoolEntrant[] {
  return entrants.flatMap(({ name, agent, entry }) =>
    entry === undefined
      ? []
      : [{ entrant: name, pseudonym: entry.statement.name, agent, school: schoolWithKey(entry.statement, content) }],
  )
}

/** The school with a raw public key, by the name that the class gives the key, or else by its own. */
export function schoolWithKey({ key, school }: Pick<EntryStatement, 'key' | 'school'>, content: Trust): EntrySchool {
  const trusted = nameOfKey(key, content)
  return { name: trusted ?? school, fingerprint: fingerprint(key), trusted: trusted !== null }
}

/** The class may see the sources of its own agents and those that the other school shows. */
export function showsSource({ entry }: Pick<StoredAgentVersion, 'entry'>): boolean {
  return entry === undefined || entry.statement.source === 'shown'
}

/** The name that the class gives a raw public key; null: it does not trust it. */
export function nameOfKey(key: string, { settings }: Trust): string | null {
  return settings.trustedKeys.find((each) => each.key === keyText(key))?.name ?? null
}

/** A name means a school if the class gives it to the school's key, or the school gives it to itself. */
export function isSchool(name: string, statement: Pick<EntryStatement, 'key' | 'school'>, content: Trust): boolean {
  return [nameOfKey(statement.key, content), statement.school].some(
    (each) => each !== null && nameKey(each) === nameKey(name),
  )
}
