import type { Outcome } from '../../contract/game/outcome.ts'
import { futureScore, scoreOf, type State } from './state.ts'

/**
 * Places by score; equal scores share one. Zombies keep what their rivers and futures bring. `futures`, `credits` and `options`: by
 * seat, what futures brought and what was left.
 */
export function outcomeOf({ punters }: State): Outcome {
  const scores = punters.map(scoreOf)
  return {
    places: punters.map(({ zombie }, seat) => {
      const score = scores[seat]!
      const rank = 1 + scores.filter((other) => other > score).length
      const removed = zombie !== null
      return { seat, rank, score, removed, ...(removed ? { reason: zombie } : {}) }
    }),
    futures: punters.map(futureScore),
    credits: punters.map(({ credit }) => credit),
    options: punters.map(({ options }) => options),
  }
}
