import { randomUUID } from 'node:crypto'
import type { ContestEntry } from '../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId } from '../../contract/ids.ts'
import type { ArchivePiece, ArchiveWish, HistoryFilter, StartedArchive } from '../../contract/procedures/procedures.ts'
import { archivePieces, type ArchivedMatch, type ArchiveSource } from '../histories/history-archive.ts'
import { wantedMatches, type RecordedContests } from '../histories/verify-many.ts'

/** Exports of many matches as one archive each, which a screen fetches piece by piece. */
export interface MatchArchives {
  begin(wish: ArchiveWish): Promise<StartedArchive>
  piece(archive: string): Promise<ArchivePiece>
  drop(archive: string): Promise<void>
  close(): Promise<void>
}

/** The class, as far as its matches are exported. */
export interface ArchivedClass extends ArchiveSource {
  readonly contests: RecordedContests
  /** All contests, oldest first. */
  entries(): readonly ContestEntry[]
}

/** Exports that are open at a time; beyond it, the oldest is dropped. */
const OPEN_MAX = 4
/** A piece is sent when it has at least this many bytes. */
const PIECE_BYTES = 512 * 1024

interface Open {
  readonly pieces: AsyncGenerator<Uint8Array>
  done: number
  /** Pieces of one archive are taken one after the other. */
  turn: Promise<unknown>
}

export function createMatchArchives(source: ArchivedClass): MatchArchives {
  const open = new Map<string, Open>()
  const drop = async (archive: string): Promise<void> => {
    const found = open.get(archive)
    open.delete(archive)
    await found?.turn.catch(() => undefined)
    await found?.pieces.return(undefined)
  }
  return {
    async begin(wish) {
      const { name, matches, total, leftOut } = await chosen(source, wish)
      const archive = randomUUID()
      const one: Open = { pieces: archivePieces(matches, source, () => one.done++), done: 0, turn: Promise.resolve() }
      open.set(archive, one)
      if (open.size > OPEN_MAX) await drop(open.keys().next().value!)
      return { archive, fileName: `${name}.tar`, matches: total, leftOut }
    },
    async piece(archive) {
      const one = open.get(archive)
      if (one === undefined)
        throw new ExpectedError('usage', 'file-not-open', 'That export was dropped; begin it once more.')
      const taken = one.turn.then(() => take(one))
      one.turn = taken
      try {
        const piece = await taken
        if (piece.last) await drop(archive)
        return piece
      } catch (error) {
        await drop(archive)
        throw error
      }
    },
    drop,
    async close() {
      for (const archive of [...open.keys()]) await drop(archive)
    },
  }
}

async function take(one: Open): Promise<ArchivePiece> {
  const parts: Uint8Array[] = []
  let bytes = 0
  let last = false
  while (bytes < PIECE_BYTES && !last) {
    const next = await one.pieces.next()
    if (next.done === true) last = true
    else {
      parts.push(next.value)
      bytes += next.value.length
    }
  }
  return { content: Buffer.concat(parts).toString('base64'), done: one.done, last }
}

interface Chosen {
  /** The archive's name, without its ending. */
  readonly name: string
  readonly matches: AsyncIterable<ArchivedMatch> | Iterable<ArchivedMatch>
  readonly total: number
  readonly leftOut: readonly string[]
}

async function chosen(source: ArchivedClass, wish: ArchiveWish): Promise<Chosen> {
  if (wish.of === 'selection') return selected(source, wish.matches)
  const entries = wish.of === 'contest' ? [source.contests.entry(wish.contest)] : source.entries().toReversed()
  const filter = wish.of === 'contest' ? everything : wish.filter
  const found = await wantedMatches(source.contests, entries, filter)
  const leftOut = found.unreadable.map(({ message }) => message)
  if (found.total === 0) {
    const why = leftOut[0] ?? 'There are no finished matches to export.'
    throw new ExpectedError('usage', 'match-unknown', why)
  }
  async function* matches(): AsyncGenerator<ArchivedMatch> {
    for await (const { contest, row } of found.matches)
      if (row !== null) yield { contest: contest.id, match: row.match }
  }
  const name = wish.of === 'contest' ? wish.contest : 'histories'
  return { name, matches: matches(), total: found.total, leftOut }
}

/** A filter that wants all matches. */
const everything = { search: '', game: '', subject: '', agents: [], faults: false } satisfies HistoryFilter

/** Selected matches, each once, contest by contest. Rejects with ExpectedError 'usage' if one is not finished. */
async function selected(source: ArchivedClass, matches: readonly ArchivedMatch[]): Promise<Chosen> {
  const byContest = new Map<ContestId, Set<number>>()
  for (const { contest, match } of matches) {
    source.contests.entry(contest)
    const record = await source.contests.record(contest)
    if (record.finished.get(match) === undefined) {
      const message = `Match ${match} of ${contest} is not finished or does not exist.`
      throw new ExpectedError('usage', 'match-unknown', message)
    }
    byContest.set(contest, (byContest.get(contest) ?? new Set()).add(match))
  }
  const sorted = [...byContest].flatMap(([contest, numbers]) =>
    [...numbers].sort((a, b) => a - b).map((match) => ({ contest, match })),
  )
  return { name: 'histories', matches: sorted, total: sorted.length, leftOut: [] }
}
