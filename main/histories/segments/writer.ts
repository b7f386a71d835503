import { createHash, type Hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { historyFormat } from '../../contract/histories/history.ts'
import type { ContestId, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { blobLine, chained, type ChainValue } from '../chain.ts'
import { syncFolder, makeFolder } from '../durable.ts'
import type { SigningKey } from '../keys.ts'
import type { RunLocation } from './run-index.ts'
import { sealText, segmentName } from './seal-texts.ts'
import { machineErrorFrom, type MachineError } from '../machine-error.ts'
import { scanContest, type ContestScan, type Damaged, type ScanKeeper } from './contest-scan.ts'

export interface SegmentWriterOptions {
  /** The contest's existing folder. */
  readonly dir: string
  readonly contest: ContestId
  readonly key: SigningKey
  /** The number of the first file, which must not exist. */
  readonly segment: number
  /** SHA-256 of the whole previous file; null for segment 1. */
  readonly previous: Sha256 | null
  /** Values that headers refer to by hash (contest description, game config), written at the start of each segment. */
  readonly blobs: readonly Json[]
  /** A segment is closed after the group with which it reaches this many bytes. Default: 64 MiB. */
  readonly segmentBytes?: number
}

/**
 * Appends the runs of concurrent matches to one file after another. The first group creates the first file. There may
 * be only one writer per contest, in the process that holds the data folder's lock.
 *
 * After a failed write the writer is broken: every `commit` rejects with the same MachineError, which names the file,
 * and the failed group does not count. Scan and open the contest again once the disk has room.
 */
export interface SegmentWriter {
  /**
   * Adds whole lines from `Recorder.lines()` to the pending group. `run`: their run, if its extent is needed. Throws
   * for an incomplete line.
   */
  append(text: string, run?: number): void
  /** The range of a run's lines on disk, or null; this call removes it. */
  extent(run: number): PlaceRange | null
  /** Resolves when everything appended before this call is on disk and sealed. Concurrent callers share one sync. */
  commit(): Promise<void>
  /** The number of characters not yet on disk; callers should wait for `commit` when it grows large. */
  readonly backlog: number
  /** Commits the remaining lines and closes the file. Afterwards `append` throws. */
  close(): Promise<void>
}

/** From the first byte to after the last. */
export interface PlaceRange {
  readonly from: RunLocation
  readonly to: RunLocation
}

/** If more characters than this are pending, they are written without waiting for a commit. */
const gatherChars = 4 * 1024 * 1024
/** The size in bytes of the reused buffer for groups; a larger group gets its own buffer. */
const bufferKept = 1024 * 1024

interface Segment {
  readonly file: FileHandle
  readonly path: string
  readonly number: number
  readonly hash: Hash
  bytes: number
  lines: number
  /** Value and length of the segment's own chain (run 0). */
  head: ChainValue
  n: number
}

interface Piece {
  readonly text: string
  readonly run: number | null
}

/** Creates a segment writer; the first group creates the first file. */
export function createSegmentWriter(options: SegmentWriterOptions): SegmentWriter {
  const { dir, contest, key } = options
  const segmentBytes = options.segmentBytes ?? 64 * 1024 * 1024
  let next = { number: options.segment, previous: options.previous }
  let segment: Segment | null = null
  let gathered: Piece[] = []
  const extents = new Map<number, PlaceRange>()
  let backlog = 0
  /** The promise of those who wait for the pending group. */
  let wanted: PromiseWithResolvers<void> | null = null
  let running: Promise<void> | null = null
  let broken: MachineError | null = null
  let closed = false
  /** The bytes of the group being written. Reused, to avoid needless garbage collection. */
  let buffer = Buffer.allocUnsafeSlow(bufferKept)

  /**
   * Writes text into the buffer at `from` and adds it to the segment's hash and counts. Returns the end of its bytes.
   */
  function cover(covered: Segment, text: string, from: number): number {
    const end = from + Buffer.byteLength(text)
    if (end > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(end + bufferKept)
      buffer.copy(larger, 0, 0, from)
      buffer = larger
    }
    buffer.write(text, from)
    const bytes = buffer.subarray(from, end)
    covered.hash.update(bytes)
    covered.bytes += bytes.length
    for (let i = bytes.indexOf(10); i !== -1; i = bytes.indexOf(10, i + 1)) covered.lines++
    return end
  }

  async function begin(): Promise<{ segment: Segment; opening: string }> {
    const path = join(dir, segmentName(next.number))
    let file: FileHandle
    try {
      // wx: never overwrites an existing segment.
      file = await open(path, 'wx')
      syncFolder(dir)
    } catch (error) {
      throw machineErrorFrom(error, 'create the history segment', path)
    }
    const fresh: Segment = {
      file,
      path,
      number: next.number,
      hash: createHash('sha256'),
      bytes: 0,
      lines: 0,
      head: '',
      n: 0,
    }
    const first = ofSegment(fresh, {
      k: 'segment',
      format: historyFormat,
      contest,
      segment: fresh.number,
      key: key.fingerprint,
      previous: next.previous,
    })
    return { segment: fresh, opening: first + options.blobs.map((value) => blobLine(value).line).join('') }
  }

  /** Writes one group with its seal and syncs it. */
  async function writeGroup(pieces: readonly Piece[]): Promise<void> {
    let opening = ''
    if (segment === null) ({ segment, opening } = await begin())
    const durable = segment.bytes
    try {
      const lines = opening + pieces.map(({ text }) => text).join('')
      const end = cover(segment, lines, 0)
      const sealed = cover(segment, sealOf(segment), end)
      await writeAll(segment.file, buffer.subarray(0, sealed))
      if (buffer.length > bufferKept) buffer = Buffer.allocUnsafeSlow(bufferKept)
      await segment.file.datasync()
    } catch (error) {
      const { file, path } = segment
      segment = null
      // The group was not confirmed. If it cannot be truncated now, the next scan does it.
      await file.truncate(durable).catch(() => undefined)
      await file.close().catch(() => undefined)
      throw machineErrorFrom(error, 'write the history segment', path)
    }
    extend(extents, pieces, { segment: segment.number, byte: durable + Buffer.byteLength(opening) })
    if (segment.bytes >= segmentBytes) await finishSegment(segment)
  }

  async function finishSegment(done: Segment): Promise<void> {
    segment = null
    next = { number: done.number + 1, previous: done.hash.digest('hex') }
    await done.file.close().catch((error: unknown) => {
      throw machineErrorFrom(error, 'close the history segment', done.path)
    })
  }

  function sealOf(covered: Segment): string {
    const { number, bytes, lines } = covered
    const sealed = { bytes, lines, sha256: covered.hash.copy().digest('hex') }
    const signature = key.sign(sealText({ contest, segment: number, ...sealed }))
    return ofSegment(covered, { k: 'seal', ...sealed, signature })
  }

  async function writeGroups(): Promise<void> {
    // Waits for one turn of the event loop, so that matches that end together share a sync.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (gathered.length > 0 || wanted !== null) {
      const [pieces, asked] = [gathered, wanted]
      gathered = []
      wanted = null
      try {
        if (broken !== null) throw broken
        if (pieces.length > 0) await writeGroup(pieces)
        for (const { text } of pieces) backlog -= text.length
        asked?.resolve()
      } catch (error) {
        broken ??= machineErrorFrom(error, 'write histories in', dir)
        backlog = 0
        asked?.reject(broken)
      }
    }
    running = null
  }

  const writer: SegmentWriter = {
    append(text, run) {
      if (closed) throw new Error('the segment writer is closed')
      if (text === '') return
      if (!text.endsWith('\n')) throw new Error('only whole lines can be appended to a segment')
      gathered.push({ text, run: run ?? null })
      backlog += text.length
      if (backlog > gatherChars) running ??= writeGroups()
    },
    extent(run) {
      const extent = extents.get(run) ?? null
      extents.delete(run)
      return extent
    },
    commit() {
      wanted ??= Promise.withResolvers()
      running ??= writeGroups()
      return wanted.promise
    },
    get backlog() {
      return backlog
    },
    async close() {
      if (closed) return
      closed = true
      try {
        await writer.commit()
      } finally {
        if (segment !== null) await finishSegment(segment)
      }
    },
  }
  return writer
}

/** Records the extents of consecutive pieces that are on disk from `start` on. */
function extend(extents: Map<number, PlaceRange>, pieces: readonly Piece[], start: RunLocation): void {
  let at = start
  for (const { text, run } of pieces) {
    const to = { segment: at.segment, byte: at.byte + Buffer.byteLength(text) }
    if (run !== null) extents.set(run, { from: extents.get(run)?.from ?? at, to })
    at = to
  }
}

/** Adds a line to the segment's own chain and returns it. */
function ofSegment(segment: Segment, body: { readonly [key: string]: Json }): string {
  const { line, h } = chained(segment.head, '-', { ...body, r: 0, n: segment.n })
  segment.head = h
  segment.n++
  return line
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done)
    done += bytesWritten
  }
}

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
