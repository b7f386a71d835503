import type { MatchEvent, Page } from '../../../main/contract/procedures/procedures.ts'

/** Events that are fetched at a time. */
const PIECE = 200

/** Reads events of one of two matches. */
export type ReadEvents = (of: 'first' | 'second', offset: number, limit: number) => Promise<Page<MatchEvent>>

/**
 * The number of events, from the beginning, that two matches have in common, whatever time they took. null: all of them.
 * `wanted`: false ends the search, which then finds nothing.
 */
export async function eventsInCommon(read: ReadEvents, wanted: () => boolean = () => true): Promise<number | null> {
  for (let at = 0; wanted();) {
    const [first, second] = await Promise.all([read('first', at, PIECE), read('second', at, PIECE)])
    const both = Math.min(first.items.length, second.items.length)
    for (let i = 0; i < both; i++) if (textOf(first.items[i]!) !== textOf(second.items[i]!)) return at + i
    at += both
    if (at >= Math.min(first.total, second.total)) return first.total === second.total ? null : at
    if (both === 0) return null
  }
  return null
}

/** The event without its number and its times. */
function textOf(event: MatchEvent): string {
  if (event.kind === 'input') return JSON.stringify(['input', event.input])
  if (event.kind === 'console') return JSON.stringify(['console', event.seat, event.text])
  return JSON.stringify(['fault', event.seat, event.fault.kind, event.fault.text])
}
