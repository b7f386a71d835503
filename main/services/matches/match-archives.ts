import type { ContestEntry } from '../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId } from '../../contract/ids.ts'
import type { ArchiveWish, HistoryFilter } from '../../contract/procedures/procedures.ts'
import type { Download } from '../files/downloads.ts'
import { archivePieces, type ArchivedMatch, type ArchiveSource } from '../histories/history-archive.ts'
import { wantedMatches, type RecordedContests } from '../histories/verify-many.ts'

/** An export of many matches as one archive, which a screen fetches piece by piece. */
export interface MatchArchive extends Download {
  readonly fileName: string
  readonly matches: number
  /** See StartedArchive. */
  readonly leftOut: readonly string[]
}

/** The class, as far as its matches are exported. */
export interface ArchivedClass extends ArchiveSource {
  readonly contests: RecordedContests
  /** All contests, oldest first. */
  entries(): readonly ContestEntry[]
}

/** Begins an export. Rejects with ExpectedError 'usage' if there are no such finished matches. */
export async function openMatchArchive(source: ArchivedClass, wish: ArchiveWish): Promise<MatchArchive> {
  const { name, matches, total, leftOut } = await chosen(source, wish)
  let done = 0
  const pieces = archivePieces(matches, source, () => done++)
  return { pieces, part: () => done / total, fileName: `${name}.tar`, matches: total, leftOut }
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
