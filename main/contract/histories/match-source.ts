import * as z from 'zod'
import { contestId, matchNumber } from '../ids.ts'

/** The source of a match's history: a contest of this class, or an opened file. */
export const matchSource = z.discriminatedUnion('from', [
  z.strictObject({ from: z.literal('contest'), contest: contestId, match: matchNumber }),
  z.strictObject({ from: z.literal('file'), file: z.string().min(1).max(100) }),
])
export type MatchSource = z.infer<typeof matchSource>

/** A unique name for each source, as used in topics: `<file>` or `<contest>/<match>`. */
export function sourceName(source: MatchSource): string {
  return source.from === 'file' ? source.file : `${source.contest}/${source.match}`
}
