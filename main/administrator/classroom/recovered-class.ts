import { statSync } from 'node:fs'
import { join } from 'node:path'
import {
  CLASS_FORMAT,
  classroom,
  type Classroom,
  type ContestEntry,
  type StoredAgentVersion,
} from '../../contract/procedures/classroom.ts'
import type { ContestId, Sha256 } from '../../contract/ids.ts'
import { readPublicKey } from '../../histories/key-files.ts'
import { fingerprint } from '../../histories/keys.ts'
import { isStored } from './agents.ts'
import { agentsFromPackages } from './agents-from-packages.ts'
import { classFile, numberVersions, readCopy } from './class-file.ts'
import { contestFromHistories } from './contest-from-histories.ts'
import { dayCopies } from './day-copies.ts'
import { contestFolders, readRecords, type EntryRecords } from './entry-records.ts'

/** A class as it is on disk. */
export interface LoadedClass {
  readonly content: Classroom
  /** True if there is nothing of a class in the folder. */
  readonly fresh: boolean
  /** True if `content` holds something that `class.json` does not. */
  readonly recovered: boolean
  /** Sentences for people about everything that was recovered or lost. */
  readonly notices: readonly string[]
}

const emptyClass = (): Classroom =>
  classroom.parse({ format: `tartaglia-class/${CLASS_FORMAT}`, agents: [], contests: [] })

/**
 * Reads the class of a data folder and writes nothing. Contests and agents on disk that `class.json` does not list, because it is
 * gone or older, are taken from their records, from the newest copy, from histories and from packages. Throws like
 * `classFile`.
 */
export async function loadClass(data: string): Promise<LoadedClass> {
  for (let tries = 1; ; tries++) {
    const before = fileStamp(data)
    const loaded = await loadOnce(data)
    // Without the lock, another process may have written after the file was read: records are then newer than what was read.
    if (!loaded.recovered || tries === TRIES_MAX || fileStamp(data) === before) return loaded
  }
}

/** Loads of a class that another process writes meanwhile, until one counts. */
const TRIES_MAX = 50

/** Differs between any two versions of `class.json`, which is replaced as a whole. */
function fileStamp(data: string): string {
  const found = statSync(join(data, 'class.json'), { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.mtimeNs} ${found.size}`
}

async function loadOnce(data: string): Promise<LoadedClass> {
  const read = await classFile(data).read()
  const copy = read === null ? await newestCopy(data) : null
  const content = read ?? (copy === null ? emptyClass() : await stillThere(data, copy.content))
  const found: Found = { contests: [], rebuilt: [], agents: 0, packages: 0, nameless: 0, unread: [] }
  await addRecords(data, content, found)
  await addFromHistories(data, content, found)
  await addFromPackages(data, content, found, read === null && copy === null)
  numberVersions(content.agents)
  const isEmpty = content.agents.length === 0 && content.contests.length === 0
  const fresh = read === null && copy === null && isEmpty && found.unread.length === 0
  const recovered = !fresh && (read === null || found.contests.length + found.agents > 0)
  const notices = recovered ? noticesOf(data, { read, copy, content, found }) : []
  return { content, fresh, recovered, notices }
}

/** Contests and agents found beside `class.json`. */
interface Found {
  readonly contests: ContestId[]
  /** Those of `contests` whose seeds are lost. */
  readonly rebuilt: ContestId[]
  /** Versions of agents. */
  agents: number
  /** Those of `agents` that are known from their packages only. */
  packages: number
  /** Packages whose agents are not known. */
  nameless: number
  /** Folders that cannot be read as contests, with the reasons. */
  readonly unread: string[]
}

async function newestCopy(data: string): Promise<{ readonly day: string; readonly content: Classroom } | null> {
  for (const { day, path } of await dayCopies(data)) {
    const content = await readCopy(path)
    if (content !== null) return { day, content }
  }
  return null
}

/** A copy without the contests and agents that were deleted after it was made: their files are gone. */
async function stillThere(data: string, content: Classroom): Promise<Classroom> {
  const { contests } = await readRecords(data, () => true)
  const known = new Set([...contests.keys(), ...(await contestFolders(data))])
  return {
    ...content,
    contests: content.contests.filter(({ id }) => known.has(id)),
    agents: content.agents.filter(({ hash }) => isStored(data, hash)),
  }
}

/** Adds what records know that the class does not: those that are newer, and contests that it does not list. */
async function addRecords(data: string, content: Classroom, found: Found): Promise<void> {
  const unlisted = new Set(await unlistedFolders(data, content))
  const records = await readRecords(data, (revision) => unlisted.size > 0 || revision > content.revision)
  const before = content.revision
  for (const [id, { revision, entry }] of records.contests) {
    if (revision <= before && !unlisted.has(id)) continue
    replaceEntry(content.contests, entry)
    found.contests.push(id)
  }
  const places = new Map(content.agents.map(({ hash }, at) => [hash, at]))
  for (const [hash, { revision, at, versions }] of records.agents) {
    if (revision <= before) continue
    places.set(hash, at)
    content.agents = [...content.agents.filter((version) => version.hash !== hash), ...versions]
    found.agents += versions.length
  }
  content.revision = highestRevision(before, records)
  content.contests.sort((a, b) => compare(a.added ?? '', b.added ?? ''))
  if (found.agents === 0) return
  const placeOf = ({ hash }: StoredAgentVersion): number => places.get(hash) ?? 0
  content.agents.sort((a, b) => compare(a.submitted, b.submitted) || placeOf(a) - placeOf(b))
}

const highestRevision = (own: number, { contests, agents }: EntryRecords): number =>
  [...contests.values(), ...agents.values()].reduce((most, { revision }) => Math.max(most, revision), own)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function replaceEntry(contests: ContestEntry[], entry: ContestEntry): void {
  const at = contests.findIndex(({ id }) => id === entry.id)
  if (at === -1) contests.push(entry)
  else contests[at] = entry
}

/** Folders of contests that the class neither lists nor has deleted. */
async function unlistedFolders(data: string, { contests, deleted }: Classroom): Promise<readonly ContestId[]> {
  const known = new Set([...contests.map(({ id }) => id), ...deleted])
  return (await contestFolders(data)).filter((id) => !known.has(id))
}

async function addFromHistories(data: string, content: Classroom, found: Found): Promise<void> {
  const unlisted = await unlistedFolders(data, content)
  if (unlisted.length === 0) return
  const key = ownFingerprint(data)
  for (const id of unlisted) {
    const entry = await contestFromHistories(join(data, 'contests', id), id, key)
    if (typeof entry === 'string') found.unread.push(`contests/${id}: ${entry}`)
    else if (entry !== null) {
      content.contests.push(entry)
      found.contests.push(id)
      found.rebuilt.push(id)
    }
  }
  if (found.rebuilt.length > 0) content.contests.sort((a, b) => compare(a.added ?? '', b.added ?? ''))
}

function ownFingerprint(data: string): Sha256 | null {
  const read = readPublicKey(join(data, 'keys', 'class.pub'))
  return read.ok ? fingerprint(read.key) : null
}

/**
 * Adds agents that only their packages know: all, or the entrants of contests that only their histories know. Other packages
 * are left over from agents that were removed.
 */
async function addFromPackages(data: string, content: Classroom, found: Found, all: boolean): Promise<void> {
  const rebuilt = content.contests.filter(({ id }) => found.rebuilt.includes(id))
  if (!all && rebuilt.length === 0) return
  const played = new Set(rebuilt.flatMap(({ description }) => description.entrants.map(({ agent }) => agent)))
  const known = new Set(content.agents.map(({ hash }) => hash))
  const isWanted = (hash: Sha256): boolean => !known.has(hash) && (all || played.has(hash))
  const { versions, nameless } = await agentsFromPackages(data, content.contests)
  const added = versions.filter(({ hash }) => isWanted(hash))
  content.agents.push(...added)
  found.agents += added.length
  found.packages = added.length
  found.nameless = nameless.filter(isWanted).length
}

interface Recovery {
  /** null: there was no `class.json`. */
  readonly read: Classroom | null
  readonly copy: { readonly day: string } | null
  readonly content: Classroom
  readonly found: Found
}

function noticesOf(data: string, { read, copy, content, found }: Recovery): readonly string[] {
  const file = join(data, 'class.json')
  const { contests, rebuilt, agents, packages, nameless, unread } = found
  const names = new Set(content.agents.map(({ manifest }) => manifest.name)).size
  const notices: string[] = []
  if (read === null) {
    const all = `${counted(content.contests.length, 'contest')} and ${counted(names, 'agent')}`
    notices.push(`${file} was missing. The class was rebuilt with ${all} from what is on disk.`)
    const others = 'settings, people, recurring contests and descriptions of components'
    if (copy === null) notices.push(`There is no older copy of it: its ${others} are lost; set them again.`)
    else notices.push(`Its ${others} are those of the copy of ${copy.day}; later changes of them are lost.`)
  } else {
    const all = [
      ...(contests.length > 0 ? [`${counted(contests.length, 'contest')} (${listed(contests)})`] : []),
      ...(agents > 0 ? [counted(agents, "agent's version", "agents' versions")] : []),
    ]
    const what = `${file} is older than the contests and agents beside it: ${all.join(' and ')} were added from their own files.`
    notices.push(what, 'Settings, people and recurring contests are as it has them.')
  }
  if (rebuilt.length > 0) {
    const text = `Rebuilt from histories alone: ${listed(rebuilt)}. Their matches are kept; their seeds are lost, so they cannot go on.`
    notices.push(text)
  }
  if (packages > 0) {
    const text = `${counted(packages, 'version')} of agents were rebuilt from packages alone: teams, older names and results of trial matches are lost.`
    notices.push(text)
  }
  if (nameless > 0) {
    const text = `${counted(nameless, 'package')} in ${join(data, 'agents')} have no known name and game: hand them in again.`
    notices.push(text)
  }
  for (const text of unread) notices.push(`Not recovered: ${join(data, text)}.`)
  return notices
}

function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** The maximum number of contests that a notice names. */
const NAMED_MAX = 10

function listed(ids: readonly ContestId[]): string {
  const more = ids.length - NAMED_MAX
  return [...ids.slice(0, NAMED_MAX), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
