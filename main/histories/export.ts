import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { HistoryBody } from '../contract/histories/history.ts'
import type { ContestId, MatchNumber, SeatId, Sha256 } from '../contract/ids.ts'
import { canonicalText, sha256 } from './canonical.ts'
import { chained, chainLine, linkHash, tagOf, type ChainValue } from './chain.ts'
import { bodyBytes, glanceAtInput, readHistoryLine } from './read-line.ts'
import type { PublicKey, SigningKey } from './keys.ts'
import { changed, readHeads } from './match-ending.ts'
import type { FinishedRows } from './segments/finished-table.ts'
import { largeTree } from './merkle.ts'
import { eachLine, readWholeLines } from './read-lines.ts'
import { rootText, segmentName } from './segments/seal-texts.ts'
import { MachineError, machineErrorFrom } from './machine-error.ts'
import { renamed } from './put-in-place.ts'

/** The seats whose console lines an export contains: none for the public, all for a panel, its own seats for a team. */
export type Consoles = 'none' | 'all' | readonly SeatId[]

/** The signed Merkle root of a contest's finished matches. */
export interface ContestRoot {
  readonly contest: ContestId
  readonly count: number
  readonly root: Sha256
  readonly key: PublicKey
  readonly signature: string
}

export interface Exporter {
  /** null if no match is finished. */
  readonly root: ContestRoot | null
  /**
   * The text of one exported match in pieces of whole lines. Throws MachineError; code `match-unfinished` if it is not
   * finished.
   */
  pieces(match: MatchNumber, consoles: Consoles): AsyncGenerator<string>
  /** The last hash of a finished match's chain. Rejects like `pieces`. */
  head(match: MatchNumber): Promise<Sha256>
  /** Writes one match to a file atomically. Rejects with MachineError. */
  write(match: MatchNumber, consoles: Consoles, file: string): Promise<void>
}

/** A contest whose matches can be exported. */
export interface ExportSource {
  readonly contest: ContestId
  /** The folder of its segments. */
  readonly dir: string
  readonly finished: FinishedRows
  /** The opening of the contest's commitment to its seed; absent: it has not ended. */
  readonly reveal?: { readonly seed: string; readonly nonce: Sha256 } | undefined
}

/**
 * Creates an exporter for the matches of a contest, with a signed root over all matches finished now. Rejects with
 * MachineError if the segments have changed since the scan.
 */
export async function createExporter(
  { contest, dir, finished, reveal }: ExportSource,
  key: SigningKey,
): Promise<Exporter> {
  const leaves = finished.leaves()
  const heads = (from: number, to: number): Promise<Sha256[]> =>
    leaves.heads(from, to, {
      read: (rows) => readHeads(dir, rows),
      changed: (rows) => changed(join(dir, segmentName(rows[0]!.to.segment))),
    })
  const tree = leaves.count === 0 ? null : await largeTree(leaves.count, heads)
  const root = tree === null ? null : signRoot(contest, tree.count, tree.root, key)
  const opened = reveal === undefined ? {} : { reveal }
  /** Blob lines by hash; each segment contains the same few. */
  const blobs = new Map<Sha256, string>()

  async function* pieces(match: MatchNumber, consoles: Consoles): AsyncGenerator<string> {
    const run = finished.get(match)
    const index = leaves.indexOf(match)
    if (run === undefined || tree === null || root === null || index === -1) {
      throw unfinished(contest, match, dir)
    }
    let before: ChainValue = ''
    for (let segment = run.from.segment; segment <= run.to.segment; segment++) {
      const path = join(dir, segmentName(segment))
      const from = segment === run.from.segment ? run.from.byte : 0
      const to = segment === run.to.segment ? run.to.byte : Infinity
      const lines: string[] = []
      const text = await readRun({ path, run: run.run, from, to, before }, consoles)
      if (segment === run.from.segment) {
        for (const name of text.blobs) {
          if (!blobs.has(name)) await readBlobs(path, blobs)
          lines.push(blobs.get(name) ?? missing(path, name))
        }
      }
      before = text.head
      yield lines.join('')
      yield* text.pieces
    }
    const [head] = await heads(index, index + 1)
    if (head === undefined || before !== head) throw changed(join(dir, segmentName(run.from.segment)))
    const path = await tree.path(index)
    yield chained(head, '-', { k: 'proof', ...root, match, head, index, path, ...opened }).line
  }

  return {
    root,
    pieces,
    async head(match) {
      const index = leaves.indexOf(match)
      const [head] = index === -1 ? [] : await heads(index, index + 1)
      if (head === undefined) throw unfinished(contest, match, dir)
      return head
    },
    async write(match, consoles, file) {
      const temporary = `${file}.${process.pid}.tmp`
      try {
        // An existing file is a leftover or a planted link, so it is removed rather than written to.
        await rm(temporary, { force: true })
        const handle = await open(temporary, 'wx')
        try {
          for await (const piece of pieces(match, consoles)) await handle.writeFile(piece)
        } finally {
          await handle.close()
        }
        await renamed(temporary, file)
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined)
        throw machineErrorFrom(error, 'write the exported match', file)
      }
    },
  }
}

function unfinished(contest: ContestId, match: MatchNumber, dir: string): MachineError {
  return new MachineError(`Match ${match} of ${contest} is not finished.`, dir, 'match-unfinished')
}

function signRoot(contest: ContestId, count: number, root: Sha256, key: SigningKey): ContestRoot {
  return { contest, count, root, key: key.publicKey, signature: key.sign(rootText(contest, count, root)) }
}

/** A part of a segment, and the run to find in it. */
interface RunPart {
  readonly path: string
  readonly run: number
  readonly from: number
  readonly to: number
  /** The run's chain value before the part. */
  readonly before: ChainValue
}

/** Reads one run's lines in a part of a segment, and the blobs that its header names, if present. Checks the chain. */
async function readRun({ path, run, from, to, before }: RunPart, consoles: Consoles): Promise<RunText> {
  const mark = Buffer.from(`"r":${run}`)
  const pieces: string[] = []
  let lines = ''
  let head = before
  let blobs: readonly Sha256[] = []
  const follow = (tag: '+' | '-', digest: Sha256, h: Sha256): void => {
    if (linkHash(head, tag, digest) !== h) throw changed(path)
    head = h
  }
  const visit = (bytes: Buffer): undefined => {
    // Skips most lines of other runs without parsing them.
    if (!bytes.includes(mark)) return
    const input = glanceAtInput(bytes)
    if (input !== null) {
      if (input.r !== run) return
      follow('-', sha256(bodyBytes(bytes)), input.h)
      lines += `${bytes.toString('utf8')}\n`
      return
    }
    const read = readHistoryLine(bytes)
    if (!read.ok) throw changed(path)
    const { body, digest, h } = read
    if (!('r' in body) || body.r !== run) return
    follow(tagOf(body.k), digest, h)
    if (body.k === 'header') blobs = [...new Set([body.config, body.description])]
    lines += hidden(body, consoles)
      ? chainLine(canonicalText({ k: 'redacted', r: body.r, n: body.n, digest }), h)
      : `${bytes.toString('utf8')}\n`
  }
  try {
    const gather = (batch: Buffer): undefined => {
      lines = ''
      eachLine(batch, visit)
      pieces.push(lines)
    }
    await readWholeLines(path, gather, from, to)
  } catch (error) {
    throw machineErrorFrom(error, 'read the history segment', path)
  }
  return { pieces, head, blobs }
}

interface RunText {
  /** Each consists of whole lines. */
  readonly pieces: readonly string[]
  readonly head: ChainValue
  readonly blobs: readonly Sha256[]
}

function hidden(body: HistoryBody, consoles: Consoles): boolean {
  if (body.k !== 'console' || consoles === 'all') return false
  return consoles === 'none' || !consoles.includes(body.post.seat)
}

/** Adds the blobs at the start of a segment to `blobs`. */
async function readBlobs(path: string, blobs: Map<Sha256, string>): Promise<void> {
  await readWholeLines(path, (batch) =>
    eachLine(batch, (bytes) => {
      const read = readHistoryLine(bytes)
      if (!read.ok) throw changed(path)
      if (read.body.k === 'blob') blobs.set(read.body.sha256, `${bytes.toString('utf8')}\n`)
      return read.body.k === 'blob' || read.body.k === 'segment'
    }),
  )
}

function missing(path: string, name: Sha256): never {
  throw new MachineError(
    `${path} does not contain the value ${name}, to which a match in it refers.`,
    path,
    'history-damaged',
  )
}
