import type { ContestId } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import { makeFolder } from './durable.ts'
import type { SigningKey } from './keys.ts'
import { scanContest, type ContestScan, type Damaged, type ScanKeeper } from './contest-scan.ts'
import { machineErrorFrom } from './machine-error.ts'
import { createSegmentWriter, type SegmentWriter } from './writer.ts'

/** A contest that is open for writing. */
export interface OpenSegments {
  readonly ok: true
  /** What was on disk before; show its `repairs`. */
  readonly scan: ContestScan
  /** Continues in a new file, never in an existing one. */
  readonly writer: SegmentWriter
}

/**
 * Opens a contest's folder for writing, creating it if necessary. Repairs an incomplete last write; any other damage is
 * returned and left unchanged. The caller must hold the data folder's lock. `blobs`: the contest description and the
 * game config, to which headers refer by `hashOf`. Rejects with MachineError.
 */
export async function openSegments(options: {
  readonly dir: string
  readonly contest: ContestId
  readonly key: SigningKey
  readonly blobs: readonly Json[]
  /** See `scanContest`. */
  readonly keeper?: ScanKeeper
  /** See `SegmentWriterOptions`. Default: 64 MiB. */
  readonly segmentBytes?: number
}): Promise<OpenSegments | Damaged> {
  const { dir, contest, key, keeper } = options
  try {
    makeFolder(dir)
  } catch (error) {
    throw machineErrorFrom(error, 'create the history folder', dir)
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
