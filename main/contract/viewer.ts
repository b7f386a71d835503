import type { Audience } from './game.ts'
import type { MatchEvent } from './answers.ts'
import type { SeatId } from './ids.ts'

/** As whom a match is watched: as everybody, who may know all of it once it has ended; as the panel; or as one of its seats. */
export type Viewer = SeatId | 'public' | 'panel'

/** What a viewer could read of a match's events at the moment at which they happened. When a match has ended everybody reads all. */
export function mayRead(audience: Audience, viewer: Viewer): boolean {
  if (viewer === 'public' || audience === 'public') return true
  return audience !== 'sealed' && viewer !== 'panel' && audience.includes(viewer)
}

/**
 * Who could read an event while the match ran. What an agent prints is its own team's, and so is a fault: what the others learn of it
 * is in the inputs that the referee makes of it.
 */
export function audienceOf(event: MatchEvent): Audience {
  return event.kind === 'input' ? (event.audience ?? 'public') : [event.seat]
}
