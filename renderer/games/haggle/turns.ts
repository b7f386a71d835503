import type { OpenMatch } from '../game.ts'
import type { Digest } from './digests.ts'

/** Events from which a picture is drawn; a session has some ten, and one of very many is shown from its end. */
const EVENTS_MAX = 400

/** A turn that is known, and the position after it. */
export interface Turn {
  readonly position: number
  readonly digest: Digest
}

/** The demands, acceptances and walks away of a session up to its end, as far as they have been fetched. */
export function turnsOf({
  digest,
  folded,
  epoch,
}: Pick<OpenMatch<unknown, Digest>, 'digest' | 'folded' | 'epoch'>): readonly Turn[] {
  // Asked for again whenever more has been read.
  const length = epoch < 0 ? 0 : folded
  const turns: Turn[] = []
  for (let event = Math.max(0, length - EVENTS_MAX); event < length; event++) {
    const known = digest(event)
    if (known === undefined || known.kind === 'console' || known.kind === 'fault') continue
    turns.push({ position: event + 1, digest: known })
  }
  return turns
}
