import type { ContestRecord } from '../standings/contest-record.ts'
import { DIFFERENT_MAX, isSameMatch, type PlayedAgain } from '../engine/replayed-sample.ts'
import type { MatchNumber } from '../../../contract/ids.ts'
import { endingInHistory } from '../../../histories/match-ending.ts'

// A contest that repeats another one is compared with it, match by match.

/** A contest's histories: the folder, and their record. */
interface Recorded {
  readonly folder: string
  readonly record: Pick<ContestRecord, 'finished'>
}

/** Compares the matches that two contests both have. Rejects with MachineError if a history cannot be read. */
export async function compareMatches(first: Recorded, again: Recorded): Promise<PlayedAgain> {
  const different: MatchNumber[] = []
  let matches = 0
  for (const row of again.record.finished.values()) {
    const before = first.record.finished.get(row.match)
    if (before === undefined) continue
    matches += 1
    const [one, other] = await Promise.all([endingInHistory(first.folder, before), endingInHistory(again.folder, row)])
    if (!isSameMatch(one, other) && different.length < DIFFERENT_MAX) different.push(row.match)
  }
  return { matches, different }
}

/** The comparison of a contest with the one that it repeats, in a sentence. */
export function comparisonSentence(of: string, { matches, different }: PlayedAgain): string {
  const compared = `Compared with ${of}: ${matches === 1 ? '1 match' : `${matches} matches`}`
  if (different.length === 0) return `${compared}, all of which went the same.`
  const listed = different.slice(0, LISTED_MAX).join(', ')
  const more = different.length > LISTED_MAX ? ', \u2026' : ''
  const why = 'an agent draws from more than the seed, answered close to a limit, or the rules have changed since'
  return `${compared}, ${different.length} of which went differently (${listed}${more}): ${why}.`
}

/** The maximum number of matches that a sentence lists. */
const LISTED_MAX = 20
