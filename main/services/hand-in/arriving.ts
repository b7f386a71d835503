import type { StoredAttempt } from '../../administrator/people/attempts.ts'
import { gameOf, type Receiving, type TeamHandIn } from './receive.ts'

/** A file of a team that has arrived; `at`: ms since the epoch. */
export type Arriving = Pick<StoredAttempt, 'team' | 'contest' | 'game' | 'at' | 'receipt'>

/**
 * Counts a hand-in from its arrival on, while it waits for room to be read, so that entries do not close over it. `receiving` gets the
 * time of the arrival. Rejects like `receiving`, or if nothing tells the game.
 */
export async function whileArriving<T>(
  room: Pick<Receiving, 'home' | 'now'> & { readonly arriving: Set<Arriving> },
  handIn: Pick<TeamHandIn, 'team' | 'contest' | 'game' | 'agent'>,
  receiving: (at: number) => Promise<T>,
): Promise<T> {
  const { team, contest } = handIn
  const at = room.now()
  const arriving: Arriving = { team: team.id, contest, game: gameOf(room.home.content, handIn), at, receipt: null }
  room.arriving.add(arriving)
  try {
    return await receiving(at)
  } finally {
    room.arriving.delete(arriving)
  }
}
