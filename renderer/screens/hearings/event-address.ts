import { placeIn, readMatchLink } from '../../../main/contract/histories/match-link.ts'
import { contestId, type ContestId, type MatchNumber } from '../../../main/contract/ids.ts'

/** An event of a match that is brought as evidence. `move`: the number of events up to it; `part`: its sentence, from 1; null: all. */
export interface EventPlace {
  readonly contest: ContestId
  readonly match: MatchNumber
  readonly move: number
  readonly part: number | null
}

/** The event that an address names: one of the app's links, or that of a match's screen. null: it names none. */
export function eventAt(address: string): EventPlace | null {
  const link = readMatchLink(address.trim())
  const found = /#\/contests\/([a-z0-9-]+)\/matches\/(\d{1,9})(\?.*)?$/.exec(address.trim())
  if (link === null && found === null) return null
  const place = link ?? { contest: found![1]!, match: Number(found![2]), ...placeIn(found![3] ?? '') }
  const { contest, match, move, line } = place
  if (move === undefined || move === 0 || !contestId.safeParse(contest).success) return null
  return { contest, match, move, part: line ?? null }
}
