import type { PublicEvent } from '../messages.ts'
import type { State } from '../state.ts'

/** The public events from now on, when the returned function is called. */
export function eventsFrom(state: State): () => readonly PublicEvent[] {
  const known = state.dropped + state.events.length
  return () => state.events.slice(Math.max(0, known - state.dropped))
}
