import type { EntrantId } from '../../main/contract/ids.ts'
import { count, number, percent } from '../words.ts'
import type { Duel } from './heat-map.ts'

/** A sentence about a cell: the results of `row` against `column`. */
export function duelSentence(row: EntrantId, column: EntrantId, duel: Duel | null, scores: boolean): string {
  if (duel === null) return `${row} does not play itself.`
  const { met, better, share } = duel
  if (share === null) return `${row} and ${column} have not played each other yet.`
  if (scores) return `${row} scored ${number(share, 2)} per session against ${column}, in ${count(met, 'session')}.`
  if (met === 1 && share === 0.5) return `${row} and ${column} tied in the only match that they played.`
  const matches = count(met, 'match', 'matches')
  if (!Number.isInteger(better))
    return `In ${matches} with ${column}, ${row} finished ahead in ${number(better, 1)}, a tie counting as half a match (${percent(share)}).`
  return `${row} finished ahead of ${column} in ${number(better, 1)} of ${matches} (${percent(share)}).`
}
