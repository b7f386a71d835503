import type { EntrantId } from '../../../contract/ids.ts'
import type { Ticket, Tickets } from './ticket.ts'

/** Tickets waiting to be played: those of a list, created when needed, and those that were put back. */
export interface TicketQueue {
  /**
   * Takes the first waiting ticket none of whose entrants is engaged in another match; undefined: none now, or none
   * within the lookahead. If nobody is engaged, undefined means that nothing is waiting.
   */
  take(engaged: ReadonlySet<EntrantId>): Ticket | undefined
  /** Puts a ticket back to the front of the queue. */
  putBack(ticket: Ticket): void
}

/** Postponed tickets with the same engaged entrants, as ascending index ranges; `end` is exclusive. */
interface Postponed {
  readonly engaged: readonly EntrantId[]
  readonly ranges: { next: number; end: number }[]
}

/** Maximum number of tickets examined by one `take`; the next call continues from there. */
const LOOKAHEAD = 1_000

export function createTicketQueue(tickets: Tickets): TicketQueue {
  /** A stack: the last one is taken next. */
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
      const [range] = waiting.ranges
      const ticket = tickets.at(range!.next++)
      if (range!.next === range!.end) waiting.ranges.shift()
      if (waiting.ranges.length === 0) postponed.delete(key)
      if (ticket !== undefined) return ticket
    }
    return undefined
  }

  const postpone = (engaged: readonly EntrantId[], index: number): void => {
    const key = JSON.stringify(engaged.toSorted())
    const known = postponed.get(key)
    const last = known?.ranges.at(-1)
    if (known === undefined) postponed.set(key, { engaged, ranges: [{ next: index, end: index + 1 }] })
    else if (last?.end === index) last.end += 1
    else known.ranges.push({ next: index, end: index + 1 })
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
