import { createRecord, type ContestRecord } from '../../../main/services/contests/standings/contest-record.ts'
import type { ScheduledMatch } from '../../../main/services/contests/schedule/scheduled-match.ts'
import type { PlacedDecision } from '../../../main/contract/contests/decisions.ts'
import type { GameContests } from '../../../main/contract/contests/contest-format.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'
import type { Outcome } from '../../../main/contract/game/outcome.ts'

/** Entrants are called by letters as far as these last: A, B, C ... */
const letter = (at: number): string => (at < 26 ? String.fromCharCode(65 + at) : `A${at}`)

/** A contest with this format among `entrants` entrants. */
export function contestOf(format: object, entrants: number, seed = 'Fior'): ContestDescription {
  return contestDescription.parse({
    title: 'A contest',
    game: 'toy',
    format,
    seed,
    entrants: Array.from({ length: entrants }, (_, at) => ({ name: letter(at), agent: 'a'.repeat(64) })),
  })
}

/** The outcome of a match by the scores of its seats. */
function outcomeOf(scores: readonly number[]): Outcome {
  return {
    places: scores.map((score, seat) => {
      return { seat, score, rank: 1 + scores.filter((other) => other > score).length, removed: false }
    }),
  }
}

/** The scores of a match by seat. `entrants`: their indices. */
export type Play = (match: ScheduledMatch) => readonly number[]

/** The entrant that comes first in the list is always better. */
export const byList: Play = ({ entrants }) => entrants.map((entrant) => -entrant)

/**
 * Plays the matches of one stage after the other, each stage in this order; returns those of each stage. `decisions`: known from
 * the start.
 */
export function playOut(
  description: ContestDescription,
  play: Play,
  contests: GameContests = {},
  order: (matches: readonly ScheduledMatch[]) => readonly ScheduledMatch[] = (matches) => matches,
  decisions: readonly PlacedDecision[] = [],
): { readonly record: ContestRecord; readonly stages: readonly (readonly ScheduledMatch[])[] } {
  const record = createRecord(description, contests, decisions)
  const stages: (readonly ScheduledMatch[])[] = []
  for (let stage = record.stage(0); stage !== null; stage = record.stage(stages.length)) {
    const matches = [...stage]
    stages.push(matches)
    for (const match of order(matches)) finishMatch(record, description, match, play(match))
  }
  return { record, stages }
}

/** Reports a match as played with these scores. */
export function finishMatch(
  record: ContestRecord,
  { entrants }: ContestDescription,
  match: ScheduledMatch,
  scores: readonly number[],
): void {
  const none = match.entrants.map(() => 0)
  record.finish({
    ...{ match: match.match, attempt: 1, run: match.match + 1, head: '0'.repeat(64), state: '0'.repeat(64) },
    outcome: outcomeOf(scores),
    entrants: match.entrants.map((at) => entrants[at]!.name),
    ...{ faults: none, printed: none, isolation: 'none', ms: 1 },
    from: { segment: 1, byte: 0 },
    to: { segment: 1, byte: 1 },
  })
}

/** The entrants of a match as letters. */
export const lettersOf = ({ entrants }: ScheduledMatch): string => entrants.map(letter).join('')
