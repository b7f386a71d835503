import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContestId, Sha256 } from '../contract/ids.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import type { PublicKey } from './keys.ts'
import { createFinishedTable, type FinishedRows } from './finished-table.ts'
import { createRunBook, type ChainEnd, type RunKeeper, type VoidedRun } from './run-index.ts'
import { segmentName, segmentNumber } from './seal-texts.ts'
import { checkSegment, discontinued, type SegmentContext } from './segment-check.ts'
import { scanSegment } from './segment-scan.ts'
import { codeOf, machineErrorFrom } from './machine-error.ts'

/** Damage that is not the torn end of the last write. Nothing has been changed on disk. */
export interface Damage {
  readonly file: string
  readonly segment: number
  /** From 1. */
  readonly line: number
  /** One sentence that names file and line. */
  readonly message: string
}

/** What a contest's segments hold. */
export interface ContestScan {
  readonly ok: true
  readonly dir: string
  readonly contest: ContestId
  /** Matches that are done. Where two runs finished one match, the first in file order. */
  readonly finished: FinishedRows
  readonly voided: readonly VoidedRun[]
  /** Runs that never ended: their matches are played again unless `finished` has them. */
  readonly unfinished: number
  /** Runs beyond the first that finished the same match. */
  readonly doubles: number
  /** Sentences for the educator: what the last crash left behind and what was done about it. */
  readonly repairs: readonly string[]
  /** For a writer that goes on. */
  readonly nextRun: number
  readonly nextSegment: number
  readonly previous: Sha256 | null
  readonly bytes: number
}

/** Keeps what a scan finds; it hears of each match that is done, and of each attempt that does not count, in file order. */
export interface ScanKeeper extends RunKeeper {
  readonly finished: FinishedRows
}

/**
 * Reads all segments of a contest, oldest first, and verifies their seals. A last segment that ends in the middle of a
 * record is cut back to its last whole record when `repair` is set (by the holder of the data folder's lock only), else
 * the torn end is passed over. Any other damage is returned with its place. A folder that is not there is an empty
 * contest. Rejects with MachineError when the disk cannot be read.
 */
export async function scanContest(options: {
  readonly dir: string
  readonly contest: ContestId
  readonly key: PublicKey
  readonly repair?: boolean
  /** Default: one that keeps rows and nothing else. What it throws as ExpectedError ends the scan. */
  readonly keeper?: ScanKeeper
}): Promise<ContestScan | Damaged> {
  const { dir, contest, key, keeper = rowKeeper() } = options
  const voided: VoidedRun[] = []
  const book = createRunBook({
    finished: keeper.finished,
    finish: (run) => keeper.finish(run),
    spoil(run) {
      voided.push(run)
      keeper.spoil(run)
    },
  })
  const repairs: string[] = []
  const segments = await segmentsIn(dir)
  let before: Visited | null = null
  let bytes = 0

  for (const [index, segment] of segments.entries()) {
    const path = join(dir, segmentName(segment))
    if (segment !== index + 1)
      return damage(path, segment, 1, `the file before it, ${segmentName(index + 1)}, is missing`)
    const last = index === segments.length - 1
    const context: SegmentContext = { contest, key, segment, previous: before?.sha256 ?? null }
    const chains = book.chains()
    try {
      const scan = await scanSegment(path, context, book)
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
        repairs.push(`${torn}: ${options.repair === true ? 'cut back to' : 'read up to'} its last whole record.`)
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
    unfinished: book.open,
    doubles: book.doubles,
    repairs,
    nextRun: book.highestRun + 1,
    nextSegment: segments.length + 1,
    previous: before?.sha256 ?? null,
    bytes,
  }
}

function rowKeeper(): ScanKeeper {
  const finished = createFinishedTable()
  return { finished, finish: finished.add, spoil: () => undefined }
}

/** A segment that a scan has been through. */
interface Visited {
  readonly path: string
  readonly context: SegmentContext
  readonly chains: ReadonlyMap<number, ChainEnd>
  readonly lines: number
  readonly sha256: Sha256
}

/** A contest that is refused until a person has looked at it. */
export interface Damaged {
  readonly ok: false
  readonly damage: Damage
}

function damage(file: string, segment: number, line: number, message: string): Damaged {
  return { ok: false, damage: { file, segment, line, message: `${file}, line ${line}: ${message}.` } }
}

/** The file after `visited` was begun when `visited` held something else: finds what, if a line of it tells. */
async function changedSince(visited: Visited, next: string): Promise<Damaged> {
  const { path, context, chains, lines } = visited
  const fault = await checkSegment(path, context, chains)
  if (fault !== null) return damage(path, context.segment, fault.line, fault.message)
  return damage(path, context.segment, lines + 1, `the file has lost or gained records since ${next} was begun`)
}

/** Numbers of the segments in a folder, in order; none where there is no folder. */
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
