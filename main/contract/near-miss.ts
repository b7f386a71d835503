import { closestMatch } from 'leven'

/** Longer names are not compared, because that is expensive. */
const LONGEST = 64

/**
 * The candidate that a misspelt name probably means: at most a third of the letters differ, or only the case. Null:
 * none.
 */
export function nearMiss(name: string, candidates: readonly string[]): string | null {
  if (name.length > LONGEST) return null
  const most = Math.floor(name.length / 3)
  const folded = new Map(candidates.map((candidate) => [candidate.toLowerCase(), candidate]))
  const nearest = closestMatch(name.toLowerCase(), [...folded.keys()], { maxDistance: most })
  return nearest === undefined ? null : folded.get(nearest)!
}

/** ` Did you mean "x"?`, to append to a sentence; empty if there is no similar candidate. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const near = nearMiss(name, candidates)
  return near === null ? '' : ` Did you mean "${near}"?`
}
