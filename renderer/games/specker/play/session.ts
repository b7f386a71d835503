import { readChallenge, type Challenge } from '../../../../grammars/challenges/index.ts'
import type { SeatId } from '../../../../main/contract/ids.ts'
import type { Play } from '../../../../main/contract/procedures/human-match.ts'
import { choicesOf } from '../../../../main/referees/specker/choices.ts'
import { kindsOf } from '../../../../main/referees/specker/kinds.ts'
import type { Action, Bundle, Kind, Message, StartMessage } from '../../../../main/referees/specker/messages.ts'
import { playerViewFrom, type PlayerView } from '../../../../main/referees/specker/player-view.ts'
import type { PublicEvent } from '../rules.ts'

/** A match as seen by a person who plays in it. */
export interface Session {
  readonly start: StartMessage
  /** null: this version cannot read its file. */
  readonly challenge: Challenge | null
  readonly choices: ReturnType<typeof choicesOf>
  /** The kinds that may be sold here; the first is the default of an offer. */
  readonly kinds: readonly [Kind, ...Kind[]]
  /** The state sent with the last question; null before the first. */
  readonly known: PlayerView | null
  /** All public events, oldest first, each with the seller of its challenge. */
  readonly happenings: readonly { readonly event: PublicEvent; readonly seller: SeatId | null }[]
  /** Why this player was removed; null if they were not. */
  readonly removed: string | null
}

/** null: it has not begun. */
export function sessionOf({ dialogue }: Pick<Play, 'dialogue'>): Session | null {
  // Messages of the program itself, and answers validated by its schema.
  const messages = dialogue.flatMap(({ from, value }) => (from === 'table' ? [value as unknown as Message] : []))
  const actions = dialogue.flatMap(({ from, value }): readonly Action[] =>
    from === 'person' ? (value as unknown as Bundle).actions : [],
  )
  const start = messages.find((message) => message.type === 'start')
  if (start === undefined) return null
  const turns = messages.filter((message) => message.type === 'turn')
  const choices = choicesOf(start.config)
  return {
    start,
    challenge: challengeOf(start.challenge.source),
    choices,
    kinds: kindsOf(choices),
    known: playerViewFrom({ start, turns, actions }),
    happenings: withSellers(turns.flatMap(({ events }) => events)),
    removed: messages.findLast((message) => message.type === 'removed')?.text ?? null,
  }
}

/** A challenge number belongs to one seller; an offer that undercuts it gets a new number. */
function withSellers(events: readonly PublicEvent[]): Session['happenings'] {
  const sellers = new Map<number, SeatId>()
  return events.map((event) => {
    if (event.type === 'offered' || event.type === 'reoffered') sellers.set(event.challenge, event.seat)
    if (event.type === 'removed' || event.type === 'refused') return { event, seller: null }
    return { event, seller: sellers.get(event.challenge) ?? null }
  })
}

/** Cached: the session is rebuilt at every message. */
let last: { readonly source: string; readonly challenge: Challenge | null } | null = null

function challengeOf(source: string): Challenge | null {
  if (last?.source !== source) last = { source, challenge: readChallenge(source).challenge }
  return last.challenge
}
