import * as z from 'zod'
import { policyPattern } from './policy.ts'
import { gameId, plainName, sha256Hex, type EntrantId, type Sha256 } from '../ids.ts'
import { numberedName } from '../names.ts'

// The entries of a class in contests of other classes and schools: docs/sharing.md describes the file.

/** The format of an entries file. */
export const ENTRIES_FORMAT = 'tartaglia-entries/1'

/** The maximum number of entries in a file. */
export const ENTRIES_MAX = 1_000

const signature = z.string().regex(/^[0-9a-f]{128}$/, 'expected 128 lower-case hex digits')
export const publicKey = sha256Hex
const pseudonym = z.string().check(plainName)

/** The name that a class gives itself in entries; with it, a pseudonym still fits into a name. */
export const schoolName = z
  .string()
  .check(plainName)
  .refine((name) => Array.from(name).length <= 40, 'the name of a school has at most 40 characters')

/** The statement of a school about an entry. The school signs its canonical text. It names no person. */
export const entryStatement = z.strictObject({
  signs: z.literal('tartaglia entry'),
  /** The name that the class or school gives itself. */
  school: schoolName,
  /** Its raw Ed25519 public key. */
  key: publicKey,
  /** The pseudonym of the agent. */
  name: pseudonym,
  game: gameId,
  kind: z.enum(['script', 'program']),
  /** SHA-256 of the package as the school stores it. */
  package: sha256Hex,
  /** When this version was handed in at the school. */
  submitted: z.iso.datetime(),
  /** The security policies that the agent is meant for; absent: all. */
  policies: z.array(policyPattern).min(1).max(8).exactOptional(),
  /** Packages that a program needs on the machine; absent: none. */
  packages: z.array(z.string().min(1).max(200)).max(200).exactOptional(),
  /** The classes of others may see its source. Absent: they may not. */
  source: z.literal('shown').exactOptional(),
})
export type EntryStatement = z.infer<typeof entryStatement>

/** A statement with the school's signature over its canonical text. */
export const signedEntry = z.strictObject({ statement: entryStatement, signature })
export type SignedEntry = z.infer<typeof signedEntry>

/** The first line of an entries file: what it contains, the packages follow in this order. */
export const entriesManifest = z
  .strictObject({
    format: z.literal(ENTRIES_FORMAT),
    school: schoolName,
    key: publicKey,
    entries: z
      .array(z.strictObject({ ...signedEntry.shape, bytes: z.int().min(1) }))
      .min(1)
      .max(ENTRIES_MAX),
  })
  .refine(({ school, key, entries }) => entries.every((each) => isOf(each, school, key)), {
    path: ['entries'],
    message: 'an entry is of another school than the file',
  })
export type EntriesManifest = z.infer<typeof entriesManifest>

const isOf = ({ statement }: SignedEntry, school: string, key: string): boolean =>
  statement.school === school && statement.key === key

/** The manifest with the school's signature over its canonical text with `"signs":"tartaglia entries"`. */
export const signedEntries = z.strictObject({ manifest: entriesManifest, signature })

type Named = Pick<EntryStatement, 'name' | 'school'>

/** The pseudonym with its school, for a class or contest in which somebody else has the pseudonym. */
export function nameWithSchool({ name, school }: Named): EntrantId {
  return numberedName(name, ` · ${school}`)
}

/**
 * True if an entrant with this name can be that of the statement: it has the pseudonym, alone or with the school, and
 * possibly a number, where others in the contest have these names.
 */
export function isNameOfEntry(entrant: EntrantId, entry: Named): boolean {
  const [end = ''] = / (?:[2-9]|[1-9]\d{1,4})$/.exec(entrant) ?? []
  return [entry.name, nameWithSchool(entry)].some(
    (name) => entrant === name || (end !== '' && entrant === numberedName(name, end)),
  )
}

/** A school whose entry an agent or an entrant is. */
export interface EntrySchool {
  /** The name that this class gives the school's key; if it is not trusted, the name that the school gives itself. */
  readonly name: string
  /** SHA-256 of the school's public key. */
  readonly fingerprint: string
  /** True if the class trusts the key. */
  readonly trusted: boolean
}

/** An entrant of a contest that is the entry of a school. */
export interface SchoolEntrant {
  readonly entrant: EntrantId
  /** The school's name for it. */
  readonly pseudonym: EntrantId
  readonly agent: Sha256
  readonly school: EntrySchool
}

/**
 * The effect of importing an entry into the class: `agent`, a new agent; `version`, the newest version of an agent of the same school;
 * `older`, the same, although the class has a version that was handed in later; `same`: the class has it already.
 */
export type EntryStanding = 'agent' | 'version' | 'older' | 'same'

/** An entries file as a class sees it. */
export interface LookedAtEntries {
  readonly school: EntrySchool
  /** As in `publicKeyText`. */
  readonly key: string
  readonly entries: readonly {
    readonly statement: EntryStatement
    /** Its agent's name in the class: the pseudonym, with the school where another agent has it. */
    readonly name: EntrantId
    readonly standing: EntryStanding
  }[]
}
