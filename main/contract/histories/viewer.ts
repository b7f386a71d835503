import type { Audience } from '../game/table.ts'
import type { MatchEvent } from '../procedures/answers.ts'
import type { SeatId } from '../ids.ts'

/**
 * The point of view of a match: the public, which may see everything once it has ended; the panel; or one of its seats.
 */
export type Viewer = SeatId | 'public' | 'panel'

/**
 * True if a viewer may read an event from its own point of view; the public view is that after the end and reads all.
 */
export function mayRead(audience: Audience, viewer: Viewer): boolean {
  if (viewer === 'public' || audience === 'public') return true
  return audience !== 'sealed' && viewer !== 'panel' && audience.includes(viewer)
}

/**
 * As whom a viewer sees states: the public view is that after the end, when everybody may see what the panel sees.
 */
export function seesAs(viewer: Viewer): SeatId | 'panel' {
  return viewer === 'public' ? 'panel' : viewer
}

/**
 * The readers of an event while the match ran. Only an agent's own team reads its output and its faults; the others
 * learn of a fault through the inputs that the referee derives from it.
 */
export function audienceOf(event: MatchEvent): Audience {
  return event.kind === 'input' ? (event.audience ?? 'public') : [event.seat]
}
