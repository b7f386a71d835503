import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HeaderBody, HistoryBody } from '../../contract/histories/history.ts'
import type { ContestId, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { contestDescription } from '../../contract/contests/contests.ts'
import { contestEntry, type ContestEntry } from '../../contract/procedures/classroom.ts'
import { readHistoryLine } from '../../histories/read-line.ts'
import { eachLine, readWholeLines } from '../../histories/read-lines.ts'
import { hashOf } from '../../histories/canonical.ts'
import { segmentNumber } from '../../histories/segments/seal-texts.ts'

/** A nonce that nobody knows. */
const UNKNOWN_NONCE: Sha256 = '0'.repeat(64)

/** The first lines of a segment. */
interface Beginning {
  readonly key: Sha256
  readonly blobs: ReadonlyMap<Sha256, Json>
  /** The header of the first run; null: there is none. */
  readonly header: HeaderBody | null
}

/**
 * Rebuilds the entry of a contest from the first lines of its segments, which hold its published description. Its seed is not
 * among them, so that it cannot go on. `key`: the fingerprint of the class's key, if that is known. Returns a phrase if the
 * folder holds no contest of this class, and null if it has no segments.
 */
export async function contestFromHistories(
  folder: string,
  id: ContestId,
  key: Sha256 | null,
): Promise<ContestEntry | string | null> {
  const names = await readdir(folder).catch(() => [])
  const segments = names.filter((name) => segmentNumber(name) !== null).sort()
  let why: string | null = null
  for (const name of segments) {
    const path = join(folder, name)
    const beginning = await beginningOf(path, id).catch((error: unknown) => String(error))
    const entry = typeof beginning === 'string' ? beginning : await entryOf(path, id, beginning, key)
    if (typeof entry !== 'string') return entry
    why ??= `${name}: ${entry}`
  }
  return why
}

async function beginningOf(path: string, id: ContestId): Promise<Beginning | string> {
  const blobs = new Map<Sha256, Json>()
  const seen: { key: Sha256 | null; header: HeaderBody | null; fault: string | null } = {
    ...{ key: null, header: null, fault: null },
  }
  const see = (body: HistoryBody): void => {
    if (seen.key === null) {
      if (body.k === 'segment' && body.contest === id) seen.key = body.key
      else seen.fault = `it is not a segment of ${id}`
    } else if (body.k === 'blob') blobs.set(body.sha256, body.value)
    else if (body.k === 'header') seen.header = body
  }
  await readWholeLines(path, (batch) =>
    eachLine(batch, (line) => {
      const read = readHistoryLine(line)
      if (read.ok) see(read.body)
      else seen.fault = read.message
      return seen.fault === null && seen.header === null
    }),
  )
  const { key, header, fault } = seen
  return key === null ? (fault ?? 'it is empty') : { key, blobs, header }
}

async function entryOf(
  path: string,
  id: ContestId,
  { key, blobs, header }: Beginning,
  own: Sha256 | null,
): Promise<ContestEntry | string> {
  if (own !== null && key !== own) return 'it was signed with the key of another class'
  const published = [...blobs.values()].find((value): value is { readonly [field: string]: Json } => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return 'entrants' in value && 'title' in value && 'seed' in value && 'format' in value
  })
  if (published === undefined) return 'it does not hold the description of the contest'
  const { phrase, config: configHash, decisions, ...described } = published
  const config = [...blobs.values()].find((value) => hashOf(value) === configHash)
  if (config === undefined) return 'it does not hold the settings of the game'
  const description = contestDescription.safeParse({ ...described, config })
  if (!description.success) return 'its description is not valid'
  const entry = contestEntry.safeParse({
    id,
    rebuilt: 'histories',
    description: description.data,
    added: (await stat(path)).mtime.toISOString(),
    nonce: UNKNOWN_NONCE,
    ...(phrase === undefined ? {} : { phrase }),
    // Later ones are found when its histories are read.
    ...(decisions === undefined ? {} : { decisions }),
    ...(header?.seeds === undefined ? {} : { seeds: header.seeds }),
    state: 'cancelled',
  })
  return entry.success ? entry.data : 'its description is not valid'
}
