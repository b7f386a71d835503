import { createHash, type Hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlacedDecision } from '../../contract/contests/decisions.ts'
import { historyFormat } from '../../contract/histories/history.ts'
import type { ContestId, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { blobLine, chained, type ChainValue } from '../chain.ts'
import { makeFolder, syncFolderAside } from '../durable.ts'
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
  /** Adds a decision of the educator, which is on disk after the next `commit`. */
  decide(placed: PlacedDecision): void
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

/** A line of the segment's own chain, which is made when the segment is known. */
interface OwnLine {
  readonly body: { readonly [key: string]: Json }
}

/** The state of a contest's writer. */
interface Writing {
  readonly options: SegmentWriterOptions
  /** Number and predecessor of the segment that is created next. */
  next: { readonly number: number; readonly previous: Sha256 | null }
  /** The open segment; null: the next group creates one. */
  segment: Segment | null
  /** The pending group. */
  gathered: (Piece | OwnLine)[]
  /** The extents of runs that were not asked for yet. */
  readonly extents: Map<number, PlaceRange>
  /** Characters that are not on disk. */
  backlog: number
  /** Settled once the pending group is on disk; null: nobody waits for it. */
  wanted: PromiseWithResolvers<void> | null
  /** The loop that writes groups; null: nothing is being written. */
  running: Promise<void> | null
  /** The first failure, after which nothing is written. */
  broken: MachineError | null
  closed: boolean
  /** The bytes of the group being written. Reused, to avoid needless garbage collection. */
  buffer: Buffer
}

/** Creates a segment writer; the first group creates the first file. */
export function createSegmentWriter(options: SegmentWriterOptions): SegmentWriter {
  const writing: Writing = {
    options,
    next: { number: options.segment, previous: options.previous },
    segment: null,
    gathered: [],
    extents: new Map(),
    backlog: 0,
    wanted: null,
    running: null,
    broken: null,
    closed: false,
    buffer: Buffer.allocUnsafeSlow(bufferKept),
  }
  return {
    append: (text, run) => append(writing, text, run),
    decide(placed) {
      if (writing.closed) throw new Error('the segment writer is closed')
      writing.gathered.push({ body: { k: 'decision', ...placed } })
    },
    extent(run) {
      const extent = writing.extents.get(run) ?? null
      writing.extents.delete(run)
      return extent
    },
    commit: () => commit(writing),
    get backlog() {
      return writing.backlog
    },
    async close() {
      if (writing.closed) return
      writing.closed = true
      try {
        await commit(writing)
      } finally {
        if (writing.segment !== null) await finishSegment(writing, writing.segment)
      }
    },
  }
}

/** See SegmentWriter.append. */
function append(writing: Writing, text: string, run?: number): void {
  if (writing.closed) throw new Error('the segment writer is closed')
  if (text === '') return
  if (!text.endsWith('\n')) throw new Error('only whole lines can be appended to a segment')
  writing.gathered.push({ text, run: run ?? null })
  writing.backlog += text.length
  if (writing.backlog > gatherChars) writing.running ??= writeGroups(writing)
}

/** See SegmentWriter.commit. */
function commit(writing: Writing): Promise<void> {
  writing.wanted ??= Promise.withResolvers()
  writing.running ??= writeGroups(writing)
  return writing.wanted.promise
}

/** Writes pending groups until there are none. */
async function writeGroups(writing: Writing): Promise<void> {
  // Waits for one turn of the event loop, so that matches that end together share a sync.
  await new Promise<void>((resolve) => setImmediate(resolve))
  while (writing.gathered.length > 0 || writing.wanted !== null) {
    const { gathered: pieces, wanted } = writing
    writing.gathered = []
    writing.wanted = null
    try {
      if (writing.broken !== null) throw writing.broken
      if (pieces.length > 0) await writeGroup(writing, pieces)
      for (const piece of pieces) if ('text' in piece) writing.backlog -= piece.text.length
      wanted?.resolve()
    } catch (error) {
      writing.broken ??= machineErrorFrom(error, 'write histories in', writing.options.dir)
      writing.backlog = 0
      wanted?.reject(writing.broken)
    }
  }
  writing.running = null
}

/** Writes one group with its seal and syncs it. */
async function writeGroup(writing: Writing, gathered: readonly (Piece | OwnLine)[]): Promise<void> {
  const { segment, opening } =
    writing.segment === null ? await begin(writing) : { segment: writing.segment, opening: '' }
  writing.segment = segment
  const durable = segment.bytes
  const pieces = gathered.map((piece) =>
    'text' in piece ? piece : { text: ofSegment(segment, piece.body), run: null },
  )
  try {
    const lines = opening + pieces.map(({ text }) => text).join('')
    const end = cover(writing, segment, lines, 0)
    const sealed = cover(writing, segment, sealOf(writing.options, segment), end)
    await writeAll(segment.file, writing.buffer.subarray(0, sealed))
    if (writing.buffer.length > bufferKept) writing.buffer = Buffer.allocUnsafeSlow(bufferKept)
    await segment.file.datasync()
  } catch (error) {
    const { file, path } = segment
    writing.segment = null
    // The group was not confirmed. If it cannot be truncated now, the next scan does it.
    await file.truncate(durable).catch(() => undefined)
    await file.close().catch(() => undefined)
    throw machineErrorFrom(error, 'write the history segment', path)
  }
  extend(writing.extents, pieces, { segment: segment.number, byte: durable + Buffer.byteLength(opening) })
  const { segmentBytes = 64 * 1024 * 1024 } = writing.options
  if (segment.bytes >= segmentBytes) await finishSegment(writing, segment)
}

/** Creates the next segment. `opening`: its first lines, which are to be written. */
async function begin({ next, options }: Writing): Promise<{ segment: Segment; opening: string }> {
  const { dir, contest, key, blobs } = options
  const { number, previous } = next
  const path = join(dir, segmentName(number))
  let file: FileHandle | undefined
  try {
    // wx: never overwrites an existing segment.
    file = await open(path, 'wx', 0o600)
    await syncFolderAside(dir)
  } catch (error) {
    await file?.close().catch(() => undefined)
    throw machineErrorFrom(error, 'create the history segment', path)
  }
  const segment: Segment = { file, path, number, hash: createHash('sha256'), bytes: 0, lines: 0, head: '', n: 0 }
  const names = { contest, segment: number, key: key.fingerprint, previous }
  const first = ofSegment(segment, { k: 'segment', format: historyFormat, ...names })
  return { segment, opening: first + blobs.map((value) => blobLine(value).line).join('') }
}

async function finishSegment(writing: Writing, done: Segment): Promise<void> {
  writing.segment = null
  writing.next = { number: done.number + 1, previous: done.hash.digest('hex') }
  await done.file.close().catch((error: unknown) => {
    throw machineErrorFrom(error, 'close the history segment', done.path)
  })
}

/** Writes text into the buffer at `from` and adds it to the segment's hash and counts. Returns the end of its bytes. */
function cover(writing: Writing, segment: Segment, text: string, from: number): number {
  const end = from + Buffer.byteLength(text)
  if (end > writing.buffer.length) {
    const larger = Buffer.allocUnsafeSlow(end + bufferKept)
    writing.buffer.copy(larger, 0, 0, from)
    writing.buffer = larger
  }
  writing.buffer.write(text, from)
  const bytes = writing.buffer.subarray(from, end)
  segment.hash.update(bytes)
  segment.bytes += bytes.length
  for (let i = bytes.indexOf(10); i !== -1; i = bytes.indexOf(10, i + 1)) segment.lines++
  return end
}

/** The line that signs everything in the segment so far. */
function sealOf({ contest, key }: SegmentWriterOptions, segment: Segment): string {
  const { number, bytes, lines } = segment
  const sealed = { bytes, lines, sha256: segment.hash.copy().digest('hex') }
  const signature = key.sign(sealText({ contest, segment: number, ...sealed }))
  return ofSegment(segment, { k: 'seal', ...sealed, signature })
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
  /** The content of the disk before; show its `repairs`. */
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
    makeFolder(dir, 0o700)
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
