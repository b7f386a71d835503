import leven from 'leven'

const MAX_LENGTH = 40

/** The candidate most similar to a misspelt name; null: none is similar. Case is ignored. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  if (name.length > MAX_LENGTH) return null
  let best: string | null = null
  let least = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least) continue
    const distance = distanceOf(name.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** Two neighbours in each other's place count as one change. */
function distanceOf(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const swapped = `${one.slice(0, at)}${one[at + 1] ?? ''}${one[at] ?? ''}${one.slice(at + 2)}`
  return swapped === other && one !== other ? 1 : leven(one, other)
}
