import type { EntrantId } from '../../contract/ids.ts'
import type { Ticket, Tickets } from './ticket.ts'

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
