import { ExpectedError } from '../../../contract/expected-error.ts'
import type { Decision, DecisionWish } from '../../../contract/contests/decisions.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { ContestId, EntrantId } from '../../../contract/ids.ts'
import { gameContests } from '../descriptions/new-contest.ts'
import { chosenFormat, type ChosenFormat } from '../formats/registry.ts'
import type { ContestRecord } from '../standings/contest-record.ts'
import { checkPhrase, entryOf, type KeptContests } from './kept-entries.ts'

// A contest about which the educator can decide something, and what decisions about it have in common.

/** A contest about which something can be decided. */
export interface Open extends ChosenFormat {
  readonly kept: KeptContests
  readonly id: ContestId
  readonly description: ContestDescription
  readonly record: ContestRecord
  /** Players at a table. */
  readonly seats: number
  /** Entrants that have withdrawn. */
  readonly away: ReadonlySet<EntrantId>
}

export const refused = (message: string): ExpectedError => new ExpectedError('usage', 'decision-refused', message)

/** A decision that is possible, without its place. */
export interface Wanted {
  readonly decision: Decision
  readonly consequences: readonly string[]
}

export const reasonOf = ({ reason }: { readonly reason?: string }) => (reason === undefined ? {} : { reason })

/**
 * The contest, if something can be decided about it. Throws ExpectedError 'usage' if it is over, or something must happen first.
 */
export async function openContest(kept: KeptContests, id: ContestId, type?: DecisionWish['type']): Promise<Open> {
  const entry = entryOf(kept, id)
  const { description, state, entriesUntil, rerun } = entry
  if (state !== 'open')
    throw new ExpectedError('usage', 'contest-over', `The contest ${id} is ${state}: nothing can be decided about it.`)
  if (rerun !== undefined && type !== 'accept')
    throw refused(`The contest ${id} repeats ${rerun.of}, with the decisions about that one.`)
  if (entriesUntil !== undefined)
    throw new ExpectedError(
      'usage',
      'too-early',
      `Entries of ${id} may be adapted until ${entriesUntil}: close them first.`,
    )
  checkPhrase(entry, 'nothing can be decided before the class has given its phrase')
  const contests = gameContests(description)
  const chosen = chosenFormat(description.format, contests)
  if (typeof chosen === 'string') throw new ExpectedError('usage', 'schedule-invalid', chosen)
  const record = await kept.records.get(id)
  const away = record.decisions.flatMap(({ decision }) => (decision.type === 'withdraw' ? decision.entrant : []))
  const seats = chosen.format.tableSize(chosen.settings, description.entrants.length)
  return { ...chosen, kept, id, description, record, seats, away: new Set(away) }
}

/** True if a round has not begun. */
export const hasRoundLeft = ({ record }: Open): boolean => record.begun < record.stages
