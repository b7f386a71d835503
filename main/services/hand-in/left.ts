import type { StoredAttempt } from '../../administrator/people/attempts.ts'
import { playWaiting, queue, type HandIns } from './class-hand-ins.ts'
import { settleLateDays } from './judge-again.ts'
import type { Received } from './receive.ts'
import { readAgain, recoverHandIns } from './recover.ts'

// The hand-ins that a process left when it was killed.

/** Completes those with a receipt and queues them; the others are `readUnread`. See `recoverHandIns`. */
export async function recoverQueue(room: HandIns): Promise<void> {
  const { completed, unread } = await recoverHandIns(room)
  queue(room, completed)
  room.unread = unread
  settleLateDays(room)
}

/**
 * Reads the files that were left unread, one after another, beside those that are handed in meanwhile, and queues their trials. Those
 * that are not read when the class is closed are read when it is opened again. `onReceived`: see `handIn`.
 */
export function readUnread(
  room: HandIns,
  onReceived: (left: StoredAttempt, received: Received) => Promise<unknown>,
): void {
  const { unread } = room
  room.unread = []
  room.reading = readEach(room, unread, onReceived).catch(room.onFatal)
}

async function readEach(
  room: HandIns,
  unread: readonly StoredAttempt[],
  onReceived: Parameters<typeof readUnread>[1],
): Promise<void> {
  for (const left of unread) {
    if (room.closed) return
    const received = await readAgain(room, left)
    if (received !== null) {
      queue(room, [{ id: left.id, team: left.team, receipt: received.receipt.b.n }])
      await onReceived(left, received)
      playWaiting(room)
    }
    room.onChange()
  }
}
