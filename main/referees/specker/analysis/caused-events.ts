import type { PublicEvent } from '../messages.ts'
import type { State } from '../state.ts'

/** The public events from now on, when the returned function is called. */
export function eventsFrom(state: State): () => readonly PublicEvent[] {
  const known = state.dropped + state.events.length
  return () => state.events.slice(Math.max(0, known - state.dropped))
}

/** The challenges whose buyers have answered and whose sellers owe the secret. */
export function answeredDeals(deals: State['deals']): Set<number> {
  const answered = new Set<number>()
  for (const { challenge, answer } of deals.values()) if (answer !== undefined) answered.add(challenge)
  return answered
}
