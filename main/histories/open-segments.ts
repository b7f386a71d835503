import type { ContestId } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import { makeFolder } from './durable.ts'
import type { SigningKey } from './keys.ts'
import { scanContest, type ContestScan, type Damaged, type ScanKeeper } from './contest-scan.ts'
import { machineErrorFrom } from './machine-error.ts'
import { createSegmentWriter, type SegmentWriter } from './writer.ts'

/** A contest that can be gone on with. */
export interface OpenSegments {
  readonly ok: true
  /** What was on disk before; `repairs` is to be shown. */
  readonly scan: ContestScan
  /** Goes on in a new file, never in an old one. */
  readonly writer: SegmentWriter
}

/**
 * Opens a contest's folder for writing, making it if need be: repairs a torn end, refuses any other damage and leaves it
 * as it is. The caller holds the data folder's lock. `blobs`: the contest description and the game config, which headers
 * name by `hashOf`. Rejects with MachineError.
 */
export async function openSegments(options: {
  readonly dir: string
  readonly contest: ContestId
  readonly key: SigningKey
  readonly blobs: readonly Json[]
  /** As `scanContest` has it. */
  readonly keeper?: ScanKeeper
  /** When to begin the next file. Default 64 MiB. */
  readonly segmentBytes?: number
}): Promise<OpenSegments | Damaged> {
  const { dir, contest, key, keeper } = options
  try {
    makeFolder(dir)
  } catch (error) {
    throw machineErrorFrom(error, 'make the history folder', dir)
  }
  const scan = await scanContest({
    dir,
    contest,
    key: key.publicKey,
    repair: true,
    ...(keeper === undefined ? {} : { keeper }),
  })
  if (!scan.ok) return scan
  const { nextSegment: segment, previous } = scan
  return { ok: true, scan, writer: createSegmentWriter({ ...options, segment, previous }) }
}
