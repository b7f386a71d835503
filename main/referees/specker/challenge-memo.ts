import { readChallenge, type ReadChallenge } from '../../../grammars/challenges/index.ts'

/** More than any classroom plays at a time; each cached challenge takes a few hundred kilobytes. */
const KEPT = 16
const known = new Map<string, ReadChallenge>()

/** `readChallenge`, cached by source text: all matches of a contest share one result. */
export function readOnce(source: string): ReadChallenge {
  const read = known.get(source) ?? readChallenge(source)
  known.delete(source)
  known.set(source, read)
  if (known.size > KEPT) known.delete(known.keys().next().value!)
  return read
}
