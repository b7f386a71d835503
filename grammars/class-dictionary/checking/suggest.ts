import leven from 'leven'

const MAX_LENGTH = 40

/** The candidate most similar to a misspelt name; null: none is similar. Case is ignored. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  if (name.length > MAX_LENGTH) return null
  let best: string | null = null
  let least = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least) continue
    const distance = leven(name.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}
