import type { Classroom } from '../../contract/classroom.ts'
import type { EntrySchool, EntryStatement, SignedEntry } from '../../contract/entries.ts'
import { nameKey } from '../../contract/names.ts'
import { fingerprint, keyText } from '../../histories/keys.ts'

type Trust = { readonly settings: Pick<Classroom['settings'], 'trustedKeys'> }

/** The school of an entry; null: the agent is the class's own. */
export function schoolOf(entry: SignedEntry | undefined, content: Trust): EntrySchool | null {
  return entry === undefined ? null : schoolWithKey(entry.statement, content)
}

/** The school with a raw public key, by the name that the class gives the key, or else by its own. */
export function schoolWithKey({ key, school }: Pick<EntryStatement, 'key' | 'school'>, content: Trust): EntrySchool {
  const trusted = nameOfKey(key, content)
  return { name: trusted ?? school, fingerprint: fingerprint(key), trusted: trusted !== null }
}

/** The name that the class gives a raw public key; null: it does not trust it. */
export function nameOfKey(key: string, { settings }: Trust): string | null {
  return settings.trustedKeys.find((each) => each.key === keyText(key))?.name ?? null
}

/** Whether a school is meant by a name: the one that the class gives its key, or that the school gives itself. */
export function isSchool(name: string, statement: Pick<EntryStatement, 'key' | 'school'>, content: Trust): boolean {
  return [nameOfKey(statement.key, content), statement.school].some(
    (each) => each !== null && nameKey(each) === nameKey(name),
  )
}
