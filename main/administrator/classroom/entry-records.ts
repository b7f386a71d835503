import type { Dirent } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { contestId, sha256Hex, type ContestId, type Sha256 } from '../../contract/ids.ts'
import { readJsonText } from '../../contract/json-text.ts'
import {
  agentVersion,
  contestEntry,
  type Classroom,
  type StoredAgentVersion,
} from '../../contract/procedures/classroom.ts'
import { makeFolder } from '../../histories/durable.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'
import { PRIVATE_FOLDER } from './private-files.ts'
import { writeSynced } from './synced-file.ts'

/**
 * In `class-records` each contest has a record of its entry in `class.json` (`contests/<id>.json`, not beside its histories, which
 * may be given away before its seed is public), and each package one of the versions that it is (`versions/<hash>.json`). They are
 * written after `class.json`, and read only if that is lost or older.
 */
const contestRecord = z.strictObject({ revision: z.int().min(1), entry: contestEntry })
const agentRecord = z.strictObject({
  revision: z.int().min(1),
  /** The place of the first of them in the class's list: those that were added together have no other order. */
  at: z.int().min(0),
  versions: z.array(agentVersion).min(1),
})
type ContestRecord = z.infer<typeof contestRecord>
type AgentRecord = z.infer<typeof agentRecord>

const textOf = (record: ContestRecord | AgentRecord): string => `${JSON.stringify(record, null, 2)}\n`

const recordsOf = (data: string, kind: 'contests' | 'versions'): string => join(data, 'class-records', kind)
const contestFile = (data: string, id: ContestId): string => join(recordsOf(data, 'contests'), `${id}.json`)
const agentFile = (data: string, hash: Sha256): string => join(recordsOf(data, 'versions'), `${hash}.json`)

/** The records of a data folder that are readable. */
export interface EntryRecords {
  readonly contests: ReadonlyMap<ContestId, ContestRecord>
  readonly agents: ReadonlyMap<Sha256, AgentRecord>
}

/** The folders of contests' histories, whatever they hold. Throws MachineError if they cannot be listed. */
export async function contestFolders(data: string): Promise<readonly ContestId[]> {
  const items = await itemsIn(join(data, 'contests'))
  return items.filter((item) => item.isDirectory() && contestId.safeParse(item.name).success).map(({ name }) => name)
}

/** The contents of a folder, sorted; none if it does not exist. Throws MachineError if it cannot be read. */
export async function itemsIn(folder: string): Promise<readonly Dirent[]> {
  const items = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw machineErrorFrom(error, 'read', folder)
  })
  return items.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Reads the records that `wanted` accepts by their revision; damaged ones are left out. */
export async function readRecords(data: string, wanted: (revision: number) => boolean): Promise<EntryRecords> {
  const ids = (await recorded(data, 'contests')).filter((id) => contestId.safeParse(id).success)
  const contests = await allOf(ids, async (id) => {
    const record = await readRecord(contestFile(data, id), contestRecord, wanted)
    return record?.entry.id === id ? record : null
  })
  const hashes = (await recorded(data, 'versions')).filter((hash) => sha256Hex.safeParse(hash).success)
  const agents = await allOf(hashes, async (hash) => {
    const record = await readRecord(agentFile(data, hash), agentRecord, wanted)
    return record?.versions.every((version) => version.hash === hash) === true ? record : null
  })
  return { contests, agents }
}

/** The names of the records of a kind, without ending. */
async function recorded(data: string, kind: 'contests' | 'versions'): Promise<readonly string[]> {
  const items = await itemsIn(recordsOf(data, kind))
  return items.flatMap(({ name }) => (name.endsWith('.json') ? name.slice(0, -'.json'.length) : []))
}

async function allOf<T>(names: readonly string[], read: (name: string) => Promise<T | null>): Promise<Map<string, T>> {
  const found = new Map<string, T>()
  for (const name of names) {
    const record = await read(name)
    if (record !== null) found.set(name, record)
  }
  return found
}

async function readRecord<T>(
  path: string,
  schema: z.ZodType<T>,
  wanted: (revision: number) => boolean,
): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const revision = Number(/^\{\s*"revision":\s*(\d{1,15}),/.exec(text.slice(0, 100))?.[1] ?? 0)
  if (revision === 0 || !wanted(revision)) return null
  const read = readJsonText(text, schema)
  return read.ok ? read.value : null
}

/**
 * Writes the records of all contests and agents that differ from `before`, and deletes those of contests and agents that are gone. A record
 * that cannot be written is left: it is written when the folder is opened again.
 */
export async function writeRecords(data: string, before: Classroom, now: Classroom): Promise<void> {
  const { revision } = now
  const known = new Map(before.contests.map((entry) => [entry.id, entry]))
  for (const entry of now.contests) {
    if (isDeepStrictEqual(known.get(entry.id), entry)) continue
    await write(contestFile(data, entry.id), { revision, entry })
  }
  const [old, versions] = [byHash(before.agents), byHash(now.agents)]
  for (const [hash, all] of versions) {
    if (isDeepStrictEqual(old.get(hash), all)) continue
    await write(agentFile(data, hash), { revision, at: now.agents.indexOf(all[0]!), versions: all })
  }
  const listed = new Set(now.contests.map(({ id }) => id))
  for (const id of known.keys()) if (!listed.has(id)) await removeRecord(contestFile(data, id))
  for (const hash of old.keys()) if (!versions.has(hash)) await removeRecord(agentFile(data, hash))
}

const removeRecord = (path: string): Promise<void> => rm(path, { force: true }).catch(() => undefined)

/** Writes the records that are missing or do not say the same as `class.json`, and deletes those of contests and agents that are gone. */
export async function refreshRecords(data: string, now: Classroom): Promise<void> {
  const { revision } = now
  for (const entry of now.contests) await refresh(contestFile(data, entry.id), { revision, entry }, '"entry"')
  const versions = byHash(now.agents)
  for (const [hash, all] of versions) {
    const record = { revision, at: now.agents.indexOf(all[0]!), versions: all }
    await refresh(agentFile(data, hash), record, '"versions"')
  }
  const listed = new Set(now.contests.map(({ id }) => id))
  for (const id of await recorded(data, 'contests')) if (!listed.has(id)) await removeRecord(contestFile(data, id))
  for (const hash of await recorded(data, 'versions'))
    if (!versions.has(hash)) await removeRecord(agentFile(data, hash))
}

/** Writes a record unless the file says the same from a field on. (To parse all of them would take seconds.) */
async function refresh(path: string, record: ContestRecord | AgentRecord, from: string): Promise<void> {
  const there = await readFile(path, 'utf8').catch(() => '')
  const wanted = textOf(record)
  const at = there.indexOf(from)
  if (at !== -1 && there.slice(at) === wanted.slice(wanted.indexOf(from))) return
  await write(path, record)
}

function byHash(agents: readonly StoredAgentVersion[]): Map<Sha256, StoredAgentVersion[]> {
  const groups = new Map<Sha256, StoredAgentVersion[]>()
  for (const version of agents) groups.set(version.hash, [...(groups.get(version.hash) ?? []), version])
  return groups
}

async function write(path: string, record: ContestRecord | AgentRecord): Promise<void> {
  try {
    makeFolder(join(path, '..'), PRIVATE_FOLDER)
    await writeSynced(path, textOf(record))
  } catch {
    // `class.json` holds the same.
  }
}
