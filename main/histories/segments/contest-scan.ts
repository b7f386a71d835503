import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlacedDecision } from '../../contract/contests/decisions.ts'
import type { ContestId, Sha256 } from '../../contract/ids.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { PublicKey } from '../keys.ts'
import { createFinishedTable, type FinishedRows } from './finished-table.ts'
import { createRunIndex, type ChainEnd, type RunKeeper, type RunLocation, type VoidedRun } from './run-index.ts'
import { segmentName, segmentNumber } from './seal-texts.ts'
import { checkSegment, discontinued, type SegmentContext } from './segment-check.ts'
import { scanSegment } from './segment-scan.ts'
import { codeOf, machineErrorFrom } from '../machine-error.ts'

/** Damage other than an incomplete last write. Nothing was changed on disk. */
export interface Damage {
  readonly file: string
  readonly segment: number
  /** From 1. */
  readonly line: number
  /** One sentence with file and line. */
  readonly message: string
}

/** The contents of a contest's segments. */
export interface ContestScan {
  readonly ok: true
  readonly dir: string
  readonly contest: ContestId
  /** Finished matches. If several runs finished a match, the first one in file order. */
  readonly finished: FinishedRows
  readonly voided: readonly VoidedRun[]
  /** The number of runs without an end; their matches are played again unless they are in `finished`. */
  readonly unfinished: number
  /** The number of runs that finished a match which an earlier run had finished. */
  readonly doubles: number
  /** Messages for the educator: what a crash left behind and how it was repaired. */
  readonly repairs: readonly string[]
  /** This and the next two: for a writer that continues the contest. */
  readonly nextRun: number
  readonly nextSegment: number
  readonly previous: Sha256 | null
  readonly bytes: number
}

/** Stores the results of a scan; it is called for each finished match and each void attempt in file order. */
export interface ScanKeeper extends RunKeeper {
  readonly finished: FinishedRows
  /** Called for each decision of the educator, after the matches before it. Absent: decisions are left out. */
  decide?(placed: PlacedDecision, at: RunLocation): void
}

/**
 * Reads all segments of a contest, oldest first, and verifies their seals. If the last segment ends in the middle of a
 * record, it is truncated to its last complete record if `repair` is set (only by the holder of the data folder's
 * lock); otherwise the incomplete end is ignored. Any other damage is returned with its position. A missing folder is
 * an empty contest. Rejects with MachineError if the disk cannot be read.
 */
export async function scanContest(options: {
  readonly dir: string
  readonly contest: ContestId
  readonly key: PublicKey
  readonly repair?: boolean
  /** Default: one that only keeps rows. An ExpectedError that it throws ends the scan. */
  readonly keeper?: ScanKeeper
}): Promise<ContestScan | Damaged> {
  const { dir, contest, key, keeper = rowKeeper() } = options
  const voided: VoidedRun[] = []
  const runs = createRunIndex({
    finished: keeper.finished,
    finish: (run) => keeper.finish(run),
    voidAttempt(run) {
      voided.push(run)
      keeper.voidAttempt(run)
    },
  })
  const repairs: string[] = []
  const segments = await segmentsIn(dir)
  let before: Visited | null = null
  let bytes = 0

  for (const [index, segment] of segments.entries()) {
    const path = join(dir, segmentName(segment))
    if (segment !== index + 1)
      return damage(path, segment, 1, `the previous file, ${segmentName(index + 1)}, is missing`)
    const last = index === segments.length - 1
    const context: SegmentContext = { contest, key, segment, previous: before?.sha256 ?? null }
    const chains = runs.chains()
    try {
      const scan = await scanSegment(path, context, runs, (placed, at) => keeper.decide?.(placed, at))
      const unproved = last && scan.unsealed > 0
      if (scan.fault !== null || unproved) {
        const fault = (await checkSegment(path, context, chains)) ?? scan.fault
        if (fault?.message === discontinued && before !== null) return await changedSince(before, path)
        if (fault !== null) return damage(path, segment, fault.line, fault.message)
      }
      if (scan.tail > 0 && !last)
        return damage(path, segment, scan.lines + 1, 'the file ends in the middle of a record')
      if (scan.tail > 0) {
        const torn = `${path} ended in the middle of a record (line ${scan.lines + 1}, byte ${scan.end})`
        if (options.repair === true) await cutBack(path, scan.end)
        repairs.push(`${torn}: ${options.repair === true ? 'truncated to' : 'read up to'} its last complete record.`)
      }
      if (unproved) {
        repairs.push(`${path}: its last ${scan.unsealed} lines were never confirmed; their matches are played again.`)
      }
      before = { path, context, chains, lines: scan.lines, sha256: scan.sha256 }
      bytes += scan.end
    } catch (error) {
      if (error instanceof ExpectedError) throw error
      throw machineErrorFrom(error, 'read the history segment', path)
    }
  }
  return {
    ok: true,
    dir,
    contest,
    finished: keeper.finished,
    voided,
    unfinished: runs.open,
    doubles: runs.doubles,
    repairs,
    nextRun: runs.highestRun + 1,
    nextSegment: segments.length + 1,
    previous: before?.sha256 ?? null,
    bytes,
  }
}

function rowKeeper(): ScanKeeper {
  const finished = createFinishedTable()
  return { finished, finish: finished.add, voidAttempt: () => undefined }
}

/** A segment that has been scanned. */
interface Visited {
  readonly path: string
  readonly context: SegmentContext
  readonly chains: ReadonlyMap<number, ChainEnd>
  readonly lines: number
  readonly sha256: Sha256
}

/** A damaged contest; it cannot be opened until a person has resolved the problem. */
export interface Damaged {
  readonly ok: false
  readonly damage: Damage
}

function damage(file: string, segment: number, line: number, message: string): Damaged {
  return { ok: false, damage: { file, segment, line, message: `${file}, line ${line}: ${message}.` } }
}

/** Finds the changed line in `visited`, whose contents differ from those when the file after it was created. */
async function changedSince(visited: Visited, next: string): Promise<Damaged> {
  const { path, context, chains, lines } = visited
  const fault = await checkSegment(path, context, chains)
  if (fault !== null) return damage(path, context.segment, fault.line, fault.message)
  return damage(path, context.segment, lines + 1, `records were removed or added after ${next} was created`)
}

/** The numbers of the segments in a folder, ascending; empty if there is no folder. */
async function segmentsIn(dir: string): Promise<readonly number[]> {
  try {
    const numbers = (await readdir(dir)).map(segmentNumber)
    return numbers.filter((number) => number !== null).sort((a, b) => a - b)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw machineErrorFrom(error, 'read the history folder', dir)
  }
}

async function cutBack(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.truncate(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
