import type { PersonChange } from '../../contract/people/people-procedures.ts'
import { idKinds, type IdKind, type Person, type PersonId, type Role } from '../../contract/people/people.ts'
import { nameKey } from '../../contract/names.ts'

/** A person as a roster has them. Absent members: the roster does not say. */
export interface RosterRow {
  /** Its line in the file, from 1. */
  readonly line: number
  readonly name: string
  /** The name that the class has for the person until now, such as that of somebody whose name was forgotten. */
  readonly formerName?: string
  readonly email?: string
  readonly ids: Readonly<Partial<Record<IdKind, string>>>
  readonly section?: string
  readonly role?: Role
}

/** A reason not to import a roster, as a sentence. */
export interface RosterProblem {
  readonly line: number
  readonly problem: string
}

/** The consequences of a roster for a class. */
export interface RosterPlan {
  readonly added: readonly PersonChange[]
  /** `returns`: the person had left. */
  readonly changed: readonly { readonly person: Person; readonly to: PersonChange; readonly returns: boolean }[]
  readonly unchanged: readonly Person[]
  /** Students of the class whom the roster does not have. They stay. */
  readonly gone: readonly Person[]
  /** If there are any, nothing may be imported. */
  readonly problems: readonly RosterProblem[]
}

/** The case that a person judges, or may be called to judge; null: none. */
export type JudgedCase = (person: PersonId) => string | null

/**
 * Compares a roster with the people of a class. A row and a person are the same if they share an identifier or an e-mail address;
 * by the former name that the row says, if somebody has it; by their name alone only if one of them has neither, and the name occurs once among
 * both. Everything else would make one person of two who share a name. A panel keeps its members: nobody of `judged` becomes a guest.
 */
export function planRoster(
  people: readonly Person[],
  rows: readonly RosterRow[],
  judged: JudgedCase = () => null,
): RosterPlan {
  const problems: RosterProblem[] = []
  const added: PersonChange[] = []
  const changed: { person: Person; to: PersonChange; returns: boolean }[] = []
  const unchanged: Person[] = []
  const found = new Map<Person, RosterRow>()
  const byKey = new Map(people.flatMap((person) => keysOf(person).map((key) => [key, person] as const)))
  const byName = Map.groupBy(people, ({ name }) => nameKey(name))
  const rowsByName = Map.groupBy(rows, ({ name }) => nameKey(name))
  const rowOfKey = new Map<string, RosterRow>()

  for (const row of rows) {
    const twice = keysOf(row).flatMap((key) => rowOfKey.get(key) ?? [])[0]
    for (const key of keysOf(row)) rowOfKey.set(key, row)
    if (twice !== undefined) {
      problems.push({ line: row.line, problem: `has an identifier or e-mail address of line ${twice.line} too` })
      continue
    }
    const match = personOf(row, { byKey, byName, rowsByName })
    if (typeof match === 'string') {
      problems.push({ line: row.line, problem: match })
      continue
    }
    if (match === null) {
      added.push(merged(null, row))
      continue
    }
    const before = found.get(match)
    if (before !== undefined) {
      problems.push({ line: row.line, problem: `is the same person as line ${before.line}` })
      continue
    }
    found.set(match, row)
    const to = merged(match, row)
    const open = to.role === 'guest' && match.role !== 'guest' ? judged(match.id) : null
    if (open !== null) {
      const change = `would make ${JSON.stringify(match.name)} a guest, who judges ${open} or may be called to`
      problems.push({ line: row.line, problem: `${change}: leave the role out until the votes of ${open} are counted` })
      continue
    }
    const returns = match.removed !== undefined
    if (returns || !isSame(match, to)) changed.push({ person: match, to, returns })
    else unchanged.push(match)
  }
  const gone = people.filter(
    (person) => person.role === 'student' && person.removed === undefined && !found.has(person),
  )
  return { added, changed, unchanged, gone, problems }
}

interface Lookup {
  readonly byKey: ReadonlyMap<string, Person>
  readonly byName: ReadonlyMap<string, readonly Person[]>
  readonly rowsByName: ReadonlyMap<string, readonly RosterRow[]>
}

/** The person of a row; null: somebody new; a text: the reason why that cannot be told. */
function personOf(row: RosterRow, { byKey, byName, rowsByName }: Lookup): Person | string | null {
  const known = new Set(keysOf(row).flatMap((key) => byKey.get(key) ?? []))
  if (known.size > 1) {
    const names = [...known].map(({ name }) => JSON.stringify(name)).join(' and ')
    return `has identifiers of two people, ${names}`
  }
  for (const person of known) return person
  const former = row.formerName === undefined ? [] : (byName.get(nameKey(row.formerName)) ?? [])
  if (former.length > 1 || former.some((person) => isAnother(person, row)))
    return `has the former name ${JSON.stringify(row.formerName)}, which another or more than one person of the class has`
  // If nobody has it, the person may have the new name already; some lists of schools have such a column, too.
  for (const person of former) return whyStranger(person, row) ?? person
  const name = JSON.stringify(row.name)
  const sameName = byName.get(nameKey(row.name)) ?? []
  const hasKeys = keysOf(row).length > 0
  const twin = (rowsByName.get(nameKey(row.name)) ?? []).find((each) => each !== row)
  if (!hasKeys && twin !== undefined)
    return `has the name of line ${twin.line}, ${name}: add an e-mail address to each, or a word to one of the names`
  const others = sameName.filter((person) => !isAnother(person, row))
  if (others.length === 0) return null
  if (others.length > 1) return `could be each of ${others.length} people who are called ${name}: add an e-mail address`
  const [only] = others as [Person]
  // Both have identifiers, but none of the same kind: only a person knows.
  if (hasKeys && keysOf(only).length > 0)
    return `could be ${name} of the class, who has other identifiers: add one of theirs, or change the name`
  return whyStranger(only, row) ?? only
}

/** The reason why somebody who has a name of a row could be a stranger who has chosen it; null: none. */
function whyStranger(person: Person, row: RosterRow): string | null {
  const name = JSON.stringify(person.name)
  if (person.joined === true)
    return `has the name of ${name}, who joined with the class's code and could be somebody else: change one of the names`
  // A stranger who joined would choose the name of somebody with that role.
  if (row.role !== undefined && RANKS[row.role] > RANKS[person.role])
    return `would make ${name} of the class ${row.role}, whom it knows by the name alone: change the role there`
  return null
}

/** A role has more rights than those of a lower rank. */
const RANKS: Readonly<Record<Role, number>> = { guest: 0, student: 1, assistant: 2, educator: 3 }

/** True if they differ in an identifier that both have. */
function isAnother(person: Person, row: RosterRow): boolean {
  const differ = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && foldCase(a) !== foldCase(b)
  return differ(person.email, row.email) || idKinds.some((kind) => differ(person.ids[kind], row.ids[kind]))
}

/** One text for each identifier and the e-mail address. */
function keysOf({ ids, email }: Pick<RosterRow, 'ids' | 'email'>): readonly string[] {
  const keys = idKinds.flatMap((kind) => (ids[kind] === undefined ? [] : [`${kind}:${foldCase(ids[kind])}`]))
  return email === undefined ? keys : [...keys, `email:${foldCase(email)}`]
}

const foldCase = (text: string): string => text.normalize('NFC').toLowerCase()

/** A person with the members that the row has; a student if nothing says otherwise. */
function merged(person: Person | null, row: RosterRow): PersonChange {
  const email = row.email ?? person?.email
  const section = row.section ?? person?.section
  return {
    name: row.name,
    ids: { ...person?.ids, ...row.ids },
    role: row.role ?? person?.role ?? 'student',
    ...(email === undefined ? {} : { email }),
    ...(section === undefined ? {} : { section }),
  }
}

function isSame(person: Person, to: PersonChange): boolean {
  const plain = (['name', 'role', 'email', 'section'] as const).every((member) => person[member] === to[member])
  return plain && idKinds.every((kind) => person.ids[kind] === to.ids[kind])
}
