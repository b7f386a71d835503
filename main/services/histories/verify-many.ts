import type { ContestEntry } from '../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId, EntrantId } from '../../contract/ids.ts'
import type { HistoryFilter, HistoryVerdict, VerifiedMany } from '../../contract/procedures/procedures.ts'
import type { FinishedRows, RowFilter } from '../../histories/segments/finished-table.ts'
import type { FinishedRow } from '../../histories/segments/finished-pages.ts'
import { MachineError } from '../../histories/machine-error.ts'
import type { Following } from '../background-tasks.ts'
import { nameKey, searchKey } from '../../contract/names.ts'
import { games } from '../../referees/games.ts'

/** The maximum number of histories that are listed with what is wrong with them. */
const LISTED_MAX = 100
/** The number of matches that are looked up at a time. */
const PAGE = 1_000

/** The contests of a class, as far as reading and verifying their histories needs them. */
export interface RecordedContests {
  /** Throws ExpectedError 'usage' if there is no such contest. */
  entry(id: ContestId): ContestEntry
  /** Rejects with ExpectedError 'verdict' if its histories are damaged. */
  record(id: ContestId): Promise<{ readonly finished: FinishedRows }>
  /** The folder of its segments. */
  folder(id: ContestId): string
}

/** A match of the class that is to be verified. */
export interface WantedMatch {
  readonly contest: ContestEntry
  readonly row: FinishedRow
}

/** A contest whose matches cannot be looked up, because its histories are damaged. */
interface UnreadableContest {
  readonly contest: ContestEntry
  readonly row: null
  readonly message: string
}

/** The result of `wantedMatches`. */
interface WantedMatches {
  readonly total: number
  readonly matches: AsyncIterable<WantedMatch | UnreadableContest>
  readonly unreadable: readonly UnreadableContest[]
}

/**
 * The matches that a filter wants and their number, by the state of the class now. A contest whose histories are damaged is
 * one entry without a row, which the number leaves out; `unreadable` has these alone.
 */
export async function wantedMatches(
  contests: Pick<RecordedContests, 'record'>,
  entries: readonly ContestEntry[],
  filter: HistoryFilter,
): Promise<WantedMatches> {
  const parts: { readonly contest: ContestEntry; readonly wanted: RowFilter; readonly count: number }[] = []
  const unreadable: UnreadableContest[] = []
  let total = 0
  for (const contest of entries) {
    const wanted = wantedIn(contest, filter)
    if (wanted === null) continue
    try {
      const count = (await contests.record(contest.id)).finished.page({ offset: 0, limit: 0 }, wanted).total
      total += count
      parts.push({ contest, wanted, count })
    } catch (error) {
      unreadable.push({ contest, row: null, message: problemIn(error) })
    }
  }
  async function* matches(): AsyncGenerator<WantedMatch | UnreadableContest> {
    yield* unreadable
    for (const { contest, wanted, count } of parts) {
      for (let offset = 0; offset < count; offset += PAGE) {
        const { finished } = await contests.record(contest.id)
        const { rows } = finished.page({ offset, limit: Math.min(PAGE, count - offset) }, wanted)
        for (const row of rows) yield { contest, row }
      }
    }
  }
  return { total, matches: matches(), unreadable }
}

/**
 * Verifies matches one after the other and counts the verdicts. A match that cannot be verified, because its files were
 * changed, is counted with those that are not genuine. Rejects with ExpectedError 'stopped' if the signal aborts.
 */
export async function verifyMany(
  { total, matches }: Pick<WantedMatches, 'total' | 'matches'>,
  verify: (match: WantedMatch) => Promise<HistoryVerdict>,
  { signal, onPart }: Following,
): Promise<VerifiedMany> {
  const bad: VerifiedMany['bad'][number][] = []
  let [genuine, others] = [0, 0]
  for await (const match of matches) {
    if (signal.aborted) throw new ExpectedError('stopped', 'stopped', 'The verification was stopped.')
    const message = match.row === null ? match.message : await problemOf(verify(match))
    if (message === null) genuine++
    else if (++others <= LISTED_MAX) bad.push({ contest: match.contest.id, match: match.row?.match ?? null, message })
    onPart(Math.min(1, (genuine + others) / Math.max(1, total)))
  }
  return { genuine, bad, others }
}

/** Why a history is not genuine or could not be verified; null: it is genuine. */
async function problemOf(verdict: Promise<HistoryVerdict>): Promise<string | null> {
  try {
    const found = await verdict
    return found.ok ? null : `Line ${found.line}: ${found.message}`
  } catch (error) {
    return problemIn(error)
  }
}

/** The sentence of an error of the histories or the machine. Throws any other error, and 'stopped'. */
function problemIn(error: unknown): string {
  if (error instanceof MachineError || (error instanceof ExpectedError && error.kind !== 'stopped'))
    return error.message
  throw error
}

/** The matches of a contest that a filter wants; null: none. An empty filter wants all. */
export function wantedIn({ id, description }: ContestEntry, filter: HistoryFilter): RowFilter | null {
  const { search, game, subject, agents, faults } = filter
  if (game !== '' && description.game !== game) return null
  if (subject !== '' && subjectOf(description) !== subject) return null
  const names = description.entrants.map(({ name }) => name)
  const players = agents.filter((agent) => agent !== '').map((agent) => entrantsCalled(names, agent))
  const wanted = search.toLowerCase()
  const found = id.includes(wanted) || description.title.toLowerCase().includes(wanted)
  if (!found) players.push(partlyCalled(names, search))
  return players.some(({ size }) => size === 0) ? null : { players, faults }
}

/** True if it wants all matches of its contests, so that their number is known without reading them. */
export function wantsWhole({ players = [], faults = false }: RowFilter): boolean {
  return players.length === 0 && !faults
}

/** The subject of a contest's matches, such as the name of their challenge; null: it has no name. */
export function subjectOf({ game, config }: ContestEntry['description']): string | null {
  return games.get(game)?.settings.subject(config) ?? null
}

/** The entrants with exactly this name; if there are none, those whose names contain it. */
function entrantsCalled(names: readonly EntrantId[], wanted: string): ReadonlySet<EntrantId> {
  const key = nameKey(wanted)
  const exact = names.filter((name) => nameKey(name) === key)
  return exact.length > 0 ? new Set(exact) : partlyCalled(names, wanted)
}

function partlyCalled(names: readonly EntrantId[], part: string): ReadonlySet<EntrantId> {
  const key = searchKey(part)
  return new Set(names.filter((name) => searchKey(name).includes(key)))
}
