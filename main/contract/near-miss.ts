import { closestMatch } from 'leven'

/** Longer names are no slips of a hand, and comparing them costs. */
const LONGEST = 64

/**
 * The candidate that somebody may have meant by a misspelt name: a third of its letters differ at most, or nothing but capitals.
 * Null: none.
 */
export function nearMiss(name: string, candidates: readonly string[]): string | null {
  if (name.length > LONGEST) return null
  const most = Math.floor(name.length / 3)
  const folded = new Map(candidates.map((candidate) => [candidate.toLowerCase(), candidate]))
  const nearest = closestMatch(name.toLowerCase(), [...folded.keys()], { maxDistance: most })
  return nearest === undefined ? null : folded.get(nearest)!
}

/** ` Did you mean "x"?`, to follow a sentence; empty where nothing is near. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const near = nearMiss(name, candidates)
  return near === null ? '' : ` Did you mean "${near}"?`
}
