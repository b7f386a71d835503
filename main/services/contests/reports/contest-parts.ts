import { createPartSums, type PartSums } from '../standings/part-sums.ts'
import type { ContestRecord } from '../standings/contest-record.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId, EntrantId, MatchNumber } from '../../../contract/ids.ts'
import type { PartsForm, PartsTable } from '../../../contract/game/match-parts.ts'
import { DETAIL_MAX } from '../../../contract/procedures/procedures.ts'
import type { FinishedRow } from '../../../histories/segments/finished-pages.ts'
import { games } from '../../../referees/games.ts'
import { startFolding, type MatchFolding } from '../../matches/match-folding.ts'
import type { Contests } from '../kept/class-contests.ts'

/** The tables of parts of contests, computed from their histories alone, in a worker process. */
export interface ContestParts {
  /**
   * Folds the matches that are not in the table yet, for as long as a call may take, and returns the table. null: the contest has
   * none, because its game has no parts or it has more than `DETAIL_MAX` entrants. Throws ExpectedError 'host' if a
   * history cannot be read.
   */
  get(id: ContestId): Promise<PartsTable | null>
  /** Stops all work; waiting calls fail. */
  close(): void
}

/** The matches of a contest beyond this number are not read. */
const MATCHES_MAX = 10_000
/** The number of contests whose sums are kept. */
const CONTESTS_MAX = 8

/** The sums of a contest's matches before match `next`. */
interface Folded {
  readonly sums: PartSums
  next: MatchNumber
  matches: number
}

/** Creates the tables. `callMs`: a call that takes longer returns after its next match; the start of the worker is not counted. */
export function createContestParts(contests: Contests, callMs: number): ContestParts {
  /** In order of use, the most recent last. */
  const kept = new Map<ContestId, Folded>()
  let last: Promise<unknown> = Promise.resolve()
  let folding: MatchFolding<'parts'> | null = null
  let closed = false

  const foldedOf = (id: ContestId, form: PartsForm): Folded => {
    const folded = kept.get(id) ?? { sums: createPartSums(form), next: 0, matches: 0 }
    kept.delete(id)
    kept.set(id, folded)
    if (kept.size > CONTESTS_MAX) kept.delete(kept.keys().next().value!)
    return folded
  }

  const fold = async (id: ContestId): Promise<PartsTable | null> => {
    const { description } = contests.entry(id)
    const form = partsOf(description)
    if (form === null) return null
    const folded = foldedOf(id, form)
    const record = await contests.record(id)
    const first = nextOf(record, folded)
    if (first !== null && !closed) {
      const { config, variants } = await contests.configs(id)
      folding = startFolding('parts', {
        game: description.game,
        folder: contests.folder(id),
        purpose: `"${form.title}"`,
      })
      let until = Infinity
      try {
        for (let run = first as FinishedRow | null; run !== null; run = nextOf(record, folded)) {
          const { extras, variant } = record.placeOf(run.match)
          const left = new Set(extras.map((entrant) => description.entrants[entrant]?.name))
          const counting = run.entrants.map((name): EntrantId | null => (left.has(name) ? null : name))
          folded.sums.add(counting, await folding.fold(run, variants[variant ?? -1] ?? config))
          folded.next = run.match + 1
          folded.matches += 1
          const now = performance.now()
          if (now > until) break
          until = Math.min(until, now + callMs)
        }
      } finally {
        folding.close()
        folding = null
      }
    }
    const { title, partWord, measure, columns, amount, best } = form
    return {
      ...{ title, partWord, measure, columns, amount, best },
      rows: folded.sums.rows(),
      matches: folded.matches,
      complete: nextOf(record, folded) === null,
    }
  }

  return {
    get(id) {
      // One at a time, so that at most one core is used.
      const result = last.then(() => fold(id))
      last = result.catch(() => undefined)
      return result
    },
    close() {
      closed = true
      folding?.close()
    },
  }
}

/** The whole table of a contest; null: there is none, it could not be computed, or the signal aborts. */
export async function wholeParts(
  contests: Contests,
  id: ContestId,
  { signal, onNotice }: { readonly signal: AbortSignal; readonly onNotice: (text: string) => void },
): Promise<PartsTable | null> {
  const parts = createContestParts(contests, Infinity)
  let stopped = signal.aborted
  if (stopped) return null
  const stop = (): void => {
    stopped = true
    parts.close()
  }
  signal.addEventListener('abort', stop)
  try {
    return await parts.get(id)
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error
    if (!(stopped as boolean)) onNotice(error.message)
    return null
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function partsOf({ game, entrants }: ContestDescription): PartsForm | null {
  return entrants.length > DETAIL_MAX ? null : (games.get(game)?.analyses.partsTable ?? null)
}

/** The next match to fold; skips void ones. null: it is not over, or there are no more. */
function nextOf(record: ContestRecord, folded: Folded): FinishedRow | null {
  for (; folded.next < MATCHES_MAX && record.isDone(folded.next); folded.next++) {
    const run = record.finished.get(folded.next)
    if (run !== undefined) return run
  }
  return null
}
