import type { Json } from '../json.ts'
import type { HistoryVerdict } from '../procedures/answers.ts'
import type { MatchDetail, OutlinePage } from '../procedures/match-answers.ts'

/** The maximum number of bytes of a page that holds a match. */
export const REPLAY_BYTES_MAX = 3_000_000

/** The id of the element that holds the match: a `RecordedMatch` as JSON, compressed by gzip, in base64. */
export const RECORDED_MATCH = 'recorded-match'

/** A match in a page that is opened without Tartaglia: what its public history holds, and what follows from that. */
export interface RecordedMatch {
  readonly detail: MatchDetail
  /** The exported history; its lines record the events. */
  readonly history: string
  /** The outline of the whole match. */
  readonly outline: OutlinePage
  /** The saved states of the rules that the outline lists, in order. */
  readonly states: readonly { readonly position: number; readonly state: Json }[]
  /** The verdict of the program that wrote the page, without names of signers: a stranger knows none of them. */
  readonly verdict: HistoryVerdict
}
