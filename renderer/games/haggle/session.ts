import { worth } from '../../../main/referees/haggle/rules.ts'
import type { Play } from '../../../main/contract/procedures/human-match.ts'
import type { Share } from './rules.ts'

/** A session as seen by a person playing in it: the partner's values are not known. */
export interface Session {
  readonly counts: Share
  /** The worth of one object of each type to this side. */
  readonly values: Share
  readonly maxRounds: number
  readonly turns: readonly OwnTurn[]
  /** The partner's offer to this side; null: none yet. */
  readonly offer: Share | null
  /** The round that is being played, from 1. */
  readonly round: number
  /** This is the last turn: an offer would end the session without a deal. */
  readonly last: boolean
}

/** A demand of a side, as shares; or that it took what it was offered. */
export interface OwnTurn {
  readonly by: 'me' | 'partner'
  readonly kind: 'demand' | 'accept'
  readonly mine: Share
  readonly theirs: Share
  /** The worth of `mine` to this side. */
  readonly worth: number
}

/** The messages of the game; the program's own. */
type Message =
  | { readonly type: 'start'; readonly counts: Share; readonly values: Share; readonly maxRounds: number }
  | { readonly type: 'turn'; readonly offer: Share | null }
type Answer = { readonly value: Share | null } | { readonly threw: string }

/** null: it has not begun. */
export function sessionOf({ dialogue }: Pick<Play, 'dialogue'>): Session | null {
  let start: Extract<Message, { type: 'start' }> | null = null
  let offer: Share | null = null
  const turns: OwnTurn[] = []
  for (const line of dialogue) {
    if (line.from === 'table') {
      const message = line.value as unknown as Message
      if (message.type === 'start') start = message
      else if (message.offer !== null && start !== null) {
        offer = message.offer
        turns.push(turnOf(start, 'partner', 'demand', offer))
      }
    } else if (start !== null) {
      const answer = line.value as unknown as Answer
      if (!('value' in answer)) continue
      if (answer.value !== null) turns.push(turnOf(start, 'me', 'demand', answer.value))
      else if (offer !== null) turns.push(turnOf(start, 'me', 'accept', offer))
    }
  }
  if (start === null) return null
  const { counts, values, maxRounds } = start
  const round = Math.min(maxRounds, 1 + Math.floor(turns.length / 2))
  return { counts, values, maxRounds, turns, offer, round, last: turns.length >= 2 * maxRounds - 1 }
}

type Scenario = Pick<Session, 'counts' | 'values'>

function turnOf({ counts, values }: Scenario, by: OwnTurn['by'], kind: OwnTurn['kind'], mine: Share): OwnTurn {
  const theirs = counts.map((count, type) => count - (mine[type] ?? 0))
  return { by, kind, mine, theirs, worth: worth(mine, values) }
}
