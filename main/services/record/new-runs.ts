import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { HeaderBody, OutcomeBody } from '../../contract/histories/history.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import { codeOf, machineErrorFrom } from '../../histories/machine-error.ts'
import type { PublicKey } from '../../histories/keys.ts'
import { createRunIndex, type RunIndex } from '../../histories/segments/run-index.ts'
import { segmentName, segmentNumber } from '../../histories/segments/seal-texts.ts'
import { scanSegment } from '../../histories/segments/segment-scan.ts'
import { sentence } from '../../contract/sentence.ts'

/** The segments of a contest. */
export interface Segments {
  readonly folder: string
  readonly contest: ContestId
  /** The key that has signed them. */
  readonly key: PublicKey
}

/** The place at which the next reading begins. */
export interface Position {
  /** The first segment that can contain lines of runs that are not read yet. */
  readonly segment: number
  /** SHA-256 of the segment before it; null: there is none. */
  readonly previous: Sha256 | null
}

export const beginning: Position = { segment: 1, previous: null }

/** A run that finished a match. */
interface FinishedRun {
  readonly match: MatchNumber
  /** Revealed by its last line, and needed from the first input on. */
  readonly seed: Sha256
  /** The segment in which it ended. */
  readonly segment: number
}

/** Runs that have finished since the last reading. */
export interface NewRuns {
  /** Those that count, by their numbers. */
  readonly runs: ReadonlyMap<number, FinishedRun>
  /** The segments in which the lines of `runs` are, ascending. */
  readonly segments: readonly number[]
  /** The next position once all of `runs` have been read. */
  readonly next: Position
  /** The SHA-256 of each segment, and of the one before the first; null: the segment is missing. */
  readonly hashes: ReadonlyMap<number, Sha256 | null>
}

/**
 * Finds the matches that have finished, from a position on, and verifies the seals there. `isKnown`: true for a match that
 * was read before. `ended`: gets the head of each match whose end is there, known or not. Throws ExpectedError 'verdict' if a segment is damaged or missing, and MachineError.
 */
export async function findNewRuns(
  { folder, contest, key }: Segments,
  from: Position,
  isKnown: (match: MatchNumber) => boolean,
  ended: (head: Sha256) => void = () => undefined,
): Promise<NewRuns> {
  const runs = new Map<number, FinishedRun>()
  const seeds = new Map<number, Sha256>()
  const finished = new Set<MatchNumber>()
  /** The first segments and the matches of runs that have not ended, or whose end is not sealed. */
  const pending = new Map<number, { readonly segment: number; readonly match: MatchNumber }>()
  const inner = createRunIndex({
    finished: { has: (match) => finished.has(match) || isKnown(match) },
    finish({ run, match, to }) {
      runs.set(run, { match, seed: seeds.get(run) ?? '', segment: to.segment })
      finished.add(match)
    },
    voidAttempt: ({ run }) => pending.delete(run),
  })
  const index = tolerant(inner, pending, { seeds, ended }, from)
  const all = await segmentsIn(folder)
  const hashes = new Map<number, Sha256 | null>([[from.segment - 1, from.previous]])
  const last = all.at(-1) ?? 0
  if (last < from.segment - 1) throw missing(folder, from.segment - 1)
  for (let segment = from.segment; segment <= last; segment++) {
    if (!all.includes(segment)) throw missing(folder, segment)
    const path = join(folder, segmentName(segment))
    const scan = await scanSegment(
      path,
      { contest, key, segment, previous: hashes.get(segment - 1) ?? null },
      index,
    ).catch((error: unknown) => {
      throw machineErrorFrom(error, 'read the history segment', path)
    })
    const { fault } = scan
    if (fault !== null) throw damaged(path, fault.line, fault.message)
    if (scan.tail > 0 && segment !== last)
      throw damaged(path, scan.lines + 1, 'the file ends in the middle of a record')
    hashes.set(segment, scan.sha256)
  }
  seeds.clear()
  for (const [run, { match }] of pending) if (finished.has(match) || isKnown(match)) pending.delete(run)
  const first = Math.min(Math.max(from.segment, last), ...[...pending.values()].map(({ segment }) => segment))
  return {
    runs,
    segments: all.filter((segment) => segment >= from.segment),
    next: positionAt(hashes, first),
    hashes,
  }
}

const positionAt = (hashes: NewRuns['hashes'], segment: number): Position => ({
  segment,
  previous: hashes.get(segment - 1) ?? null,
})

/** The part of some new runs that is left when those with the numbers `read` were read. `from`: no line of the others lies before this segment. */
export function withoutRead(
  { runs, segments, next, hashes }: NewRuns,
  read: ReadonlySet<number>,
  from: number,
): NewRuns {
  return {
    runs: new Map([...runs].filter(([run]) => !read.has(run))),
    segments: segments.filter((segment) => segment >= from),
    next,
    hashes,
  }
}

/** The next position if the others are read later; `withoutRead` gives them. */
export function positionBefore({ segments, next, hashes }: NewRuns): Position {
  return positionAt(hashes, Math.min(next.segment, ...segments.slice(0, 1)))
}

/**
 * A run index that skips the lines of runs that began before the position: they have been read, or do not count. It notes in
 * which segment each of the others began, and the seed of each that has ended. `ended` gets the heads of all.
 */
function tolerant(
  inner: RunIndex,
  pending: Map<number, { readonly segment: number; readonly match: MatchNumber }>,
  { seeds, ended }: { readonly seeds: Map<number, Sha256>; readonly ended: (head: Sha256) => void },
  { segment: first }: Position,
): RunIndex {
  const begun = new Set<number>()
  return {
    note(line, start, end) {
      if (line.k === 'outcome') ended(line.h)
      if (line.k === 'header') {
        begun.add(line.r)
        pending.set(line.r, { segment: start.segment, match: headerOf(line.body).match })
      } else if (first > 1 && !begun.has(line.r)) return null
      if (line.k === 'outcome') seeds.set(line.r, outcomeOf(line.body).seed)
      return inner.note(line, start, end)
    },
    confirm: () => inner.confirm(),
    forget: () => inner.forget(),
    chains: () => inner.chains(),
    get doubles() {
      return inner.doubles
    },
    get open() {
      return inner.open
    },
    get highestRun() {
      return inner.highestRun
    },
  }
}

/** A header as far as it is needed before the run index has checked it, which refuses a wrong one. */
const headerOf = (body: unknown): Pick<HeaderBody, 'match'> => body as HeaderBody
const outcomeOf = (body: unknown): Pick<OutcomeBody, 'seed'> => body as OutcomeBody

/** The numbers of the segments in a folder, ascending; none if there is no folder. */
async function segmentsIn(folder: string): Promise<readonly number[]> {
  try {
    const numbers = (await readdir(folder)).map(segmentNumber)
    return numbers.filter((number) => number !== null).sort((a, b) => a - b)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw machineErrorFrom(error, 'read the history folder', folder)
  }
}

function damaged(path: string, line: number, message: string): ExpectedError {
  return new ExpectedError('verdict', 'history-damaged', sentence(`${path}, line ${line}: ${message}`))
}

function missing(folder: string, segment: number): ExpectedError {
  const path = join(folder, segmentName(segment))
  return new ExpectedError('verdict', 'history-damaged', `${path}, line 1: the file is missing.`)
}
