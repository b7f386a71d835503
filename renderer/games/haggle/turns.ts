import type { OpenMatch } from '../game.ts'
import { foresees } from '../swings.ts'
import type { Digest } from './digests.ts'

/** Maximum number of events drawn; a session has some ten, and of a very long one the end is shown. */
const EVENTS_MAX = 400

/** A turn that is known, and the position after it. */
export interface Turn {
  readonly position: number
  readonly digest: Digest
}

/**
 * The demands, acceptances and walks away of a session, as far as they have been fetched: up to its end for everybody, who know
 * it; else up to the position.
 */
export function turnsOf({
  match,
  position,
}: {
  readonly match: Pick<OpenMatch<unknown, Digest>, 'digest' | 'folded' | 'epoch' | 'viewer'>
  readonly position: number
}): readonly Turn[] {
  const { digest, folded, epoch } = match
  // Asked for again whenever more has been read.
  const known = foresees(match) ? folded : Math.min(folded, position)
  const length = epoch < 0 ? 0 : known
  const turns: Turn[] = []
  for (let event = Math.max(0, length - EVENTS_MAX); event < length; event++) {
    const turn = digest(event)
    if (turn === null || turn === undefined || turn.kind === 'console' || turn.kind === 'fault') continue
    turns.push({ position: event + 1, digest: turn })
  }
  return turns
}
