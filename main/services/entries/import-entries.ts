import { removeAgentFiles, storeAgent } from '../../administrator/classroom/agents.ts'
import { teamKey } from '../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { Classroom, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { complaintSentence, parsePlainly } from '../../contract/complaints.ts'
import {
  nameWithSchool,
  type EntryStanding,
  type EntryStatement,
  type LookedAtEntries,
} from '../../contract/contests/entries.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId, Sha256 } from '../../contract/ids.ts'
import { freeName, nameKey } from '../../contract/names.ts'
import { trustedKeys } from '../../contract/histories/trusted-keys.ts'
import { fingerprint, keyText, type PublicKey } from '../../histories/keys.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { neededIn } from '../agents/agent-edits.ts'
import type { OpenedEntries, OpenedEntry } from './entries-file.ts'
import { nameOfKey, schoolWithKey } from '../../administrator/classroom/schools.ts'

/** Previews the import of entries. Throws ExpectedError 'usage' that says why the class cannot take them. */
export function lookAtEntries(
  { content, key }: Pick<ClassFolder, 'content' | 'key'>,
  opened: OpenedEntries,
): LookedAtEntries {
  return {
    school: schoolWithKey(opened, content),
    key: keyText(opened.key),
    entries: planned(content, key.publicKey, opened).map(({ opened: { entry }, name, standing }) => {
      return { statement: entry.statement, name, standing }
    }),
  }
}

export interface ImportOptions {
  /** The name under which the class trusts the school's key from now on; null: it must trust it already. */
  readonly trust: string | null
  /** The time at which they were handed in. ms since the epoch. Default: now. */
  readonly at?: number
}

/**
 * Adds the entries to the class: all of them, or none if anything is wrong. Throws ExpectedError 'usage' if the class does
 * not trust the key or cannot take an entry, and MachineError.
 */
export function importEntries(
  home: ClassFolder,
  opened: OpenedEntries,
  { trust, at = Date.now() }: ImportOptions,
): Promise<LookedAtEntries> {
  return home.inTurn(async () => {
    const own = home.key.publicKey
    const looked = lookAtEntries(home, opened)
    withTrust(home.content, opened, trust)
    try {
      for (const { agent } of opened.entries) await storeAgent(home.folder, agent)
      await home.change((content) => {
        content.settings.trustedKeys = withTrust(content, opened, trust)
        const submitted = new Date(at).toISOString()
        for (const { opened: added, name, standing } of planned(content, own, opened)) {
          addVersion(content.agents, added, { name, submitted, isNewest: standing !== 'same' })
        }
      })
    } catch (error) {
      const needed = neededIn(home.content)
      await removeAgentFiles(
        home.folder,
        packagesOf(opened).filter((hash) => !needed.has(hash)),
      ).catch(() => undefined)
      throw error instanceof ExpectedError ? error : machineErrorFrom(error, 'store the entries in', home.folder)
    }
    return { ...looked, school: schoolWithKey(opened, home.content) }
  })
}

const packagesOf = ({ entries }: OpenedEntries): readonly Sha256[] =>
  entries.map(({ entry }) => entry.statement.package)

/** The trusted keys with the school's. Throws ExpectedError 'usage' if it is not to be trusted, or the name is taken. */
function withTrust(
  { settings }: Pick<Classroom, 'settings'>,
  { key, school }: OpenedEntries,
  trust: string | null,
): Classroom['settings']['trustedKeys'] {
  if (nameOfKey(key, { settings }) !== null) return settings.trustedKeys
  if (trust === null) {
    const print = fingerprint(key)
    throw new ExpectedError(
      'usage',
      'key-not-trusted',
      `These are entries of "${school}", and this class does not trust the key that signed them, fingerprint ${print}: compare it with what the school says, then import them with the key trusted (--trust NAME).`,
    )
  }
  const read = parsePlainly(trustedKeys, [...settings.trustedKeys, { name: trust, key: keyText(key) }])
  if (!read.ok)
    throw new ExpectedError('usage', 'input-invalid', `The key of "${trust}": ${complaintSentence(read.complaint)}`)
  return read.value
}

interface Planned {
  readonly opened: OpenedEntry
  readonly name: EntrantId
  readonly standing: EntryStanding
}

function planned({ agents }: Classroom, own: PublicKey, { key, entries }: OpenedEntries): readonly Planned[] {
  if (key === own)
    throw new ExpectedError(
      'usage',
      'entries-of-this-class',
      'These entries were exported by this very class, which has the agents.',
    )
  const taken = new Set(agents.flatMap(({ manifest }) => [nameKey(manifest.name), teamKey(manifest)]))
  return entries.map((opened) => {
    const { statement } = opened.entry
    const known = agents.filter(({ entry }) => entry?.statement.key === key && entry.statement.name === statement.name)
    const [first] = known
    if (first === undefined) {
      const isTaken = (name: EntrantId): boolean => taken.has(nameKey(name))
      const name = isTaken(statement.name) ? freeName(nameWithSchool(statement), isTaken) : statement.name
      taken.add(nameKey(name))
      return { opened, name, standing: 'agent' }
    }
    const { name, game } = first.manifest
    if (game !== statement.game) {
      const both = `"${name}" of ${statement.school} plays ${game} here, and ${statement.game} in this file`
      throw new ExpectedError(
        'usage',
        'entry-of-other-game',
        `${both}: remove the agent first, or ask the school for another pseudonym.`,
      )
    }
    return { opened, name, standing: standingOf(statement, known.at(-1)!) }
  })
}

function standingOf({ package: agent, submitted }: EntryStatement, newest: StoredAgentVersion): EntryStanding {
  if (newest.hash === agent) return 'same'
  return Date.parse(submitted) < Date.parse(newest.entry?.statement.submitted ?? submitted) ? 'older' : 'version'
}

/** A version that the class has keeps its verdict; one that is not the newest becomes the newest. */
function addVersion(
  agents: StoredAgentVersion[],
  { entry, manifest }: OpenedEntry,
  { name, submitted, isNewest }: { readonly name: EntrantId; readonly submitted: string; readonly isNewest: boolean },
): void {
  const hash = entry.statement.package
  const at = agents.findIndex((each) => each.hash === hash && each.manifest.name === name)
  const known = agents[at]
  const version: StoredAgentVersion = {
    ...(known ?? { submitted, smoke: null }),
    ...(isNewest ? { submitted } : {}),
    ...{ hash, manifest: { ...manifest, name }, entry },
  }
  if (known !== undefined && !isNewest) {
    agents[at] = version
    return
  }
  if (known !== undefined) agents.splice(at, 1)
  agents.push(version)
}
