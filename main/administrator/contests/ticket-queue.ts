import type { EntrantId, MatchNumber, Sha256 } from '../../contract/ids.ts'

/** A match that is to be played. */
export interface Ticket {
  readonly match: MatchNumber
  /** From 1; a host fault makes the next. */
  readonly attempt: number
  readonly seed: Sha256
  readonly entrants: readonly { readonly name: EntrantId; readonly agent: Sha256 }[]
  /** It is played for comparison, in fresh processes: nothing of it is kept. */
  readonly again?: true
  /** Somebody plays whom nobody can ask to play it again: a match that is void stays so. */
  readonly once?: true
  /** Entrants who can be in one match at a time only: each has one connection. */
  readonly engaged?: readonly EntrantId[]
}

/** Tickets in the order in which they are to be played; a list is one. */
export interface Tickets {
  readonly length: number
  /** Makes the ticket of an index from 0 to below `length`, when its turn has come; undefined: that one need not be played. */
  at(index: number): Ticket | undefined
}

/** Tickets that wait to be played: those of a list, each made when its turn comes, and those that were put back. */
export interface TicketQueue {
  /**
   * The first that waits and nobody of whom is engaged in another match; undefined: there is none now, or not near. Where nobody
   * is engaged it is undefined only when nothing waits.
   */
  take(engaged: ReadonlySet<EntrantId>): Ticket | undefined
  /** It is the next one from now on. */
  putBack(ticket: Ticket): void
}

/** Tickets of a list that waited for the same people: from one index to before another, one such after the other. */
interface Postponed {
  readonly engaged: readonly EntrantId[]
  readonly stretches: { next: number; end: number }[]
}

/** Matches ahead that are looked at in one go for one that can be played: whoever asks again looks further. */
const LOOKAHEAD = 1_000

export function createTicketQueue(tickets: Tickets): TicketQueue {
  /** The next one is the last. */
  const returned: Ticket[] = []
  const postponed = new Map<string, Postponed>()
  let next = 0

  const free = ({ engaged = [] }: Pick<Ticket, 'engaged'>, busy: ReadonlySet<EntrantId>): boolean =>
    !engaged.some((name) => busy.has(name))

  const takeReturned = (busy: ReadonlySet<EntrantId>): Ticket | undefined => {
    const at = returned.findLastIndex((ticket) => free(ticket, busy))
    return at === -1 ? undefined : returned.splice(at, 1)[0]
  }

  const takePostponed = (busy: ReadonlySet<EntrantId>): Ticket | undefined => {
    for (const [key, waiting] of postponed) {
      if (!free(waiting, busy)) continue
      const [stretch] = waiting.stretches
      const ticket = tickets.at(stretch!.next++)
      if (stretch!.next === stretch!.end) waiting.stretches.shift()
      if (waiting.stretches.length === 0) postponed.delete(key)
      if (ticket !== undefined) return ticket
    }
    return undefined
  }

  const postpone = (engaged: readonly EntrantId[], index: number): void => {
    const key = JSON.stringify(engaged.toSorted())
    const known = postponed.get(key)
    const last = known?.stretches.at(-1)
    if (known === undefined) postponed.set(key, { engaged, stretches: [{ next: index, end: index + 1 }] })
    else if (last?.end === index) last.end += 1
    else known.stretches.push({ next: index, end: index + 1 })
  }

  return {
    take(busy) {
      const waited = takeReturned(busy) ?? takePostponed(busy)
      if (waited !== undefined) return waited
      for (let passed = 0; next < tickets.length && passed < LOOKAHEAD;) {
        const index = next++
        const ticket = tickets.at(index)
        if (ticket === undefined) continue
        if (free(ticket, busy)) return ticket
        postpone(ticket.engaged ?? [], index)
        passed += 1
      }
      return undefined
    },
    putBack: (ticket) => void returned.push(ticket),
  }
}
