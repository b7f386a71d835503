import type { StoredAttempt } from '../../administrator/people/attempts.ts'
import { completeLater, LEFT_AGAIN_AFTER, playWaiting, queue, type HandIns } from './class-hand-ins.ts'
import { settleLateDays } from './judge-again.ts'
import type { Received } from './receive.ts'
import { readAgain, recoverHandIns, unreadHandIns } from './recover.ts'

// The hand-ins that a process left when it was killed.

/**
 * Completes those with a receipt and queues them; the others are `readUnread`. See `recoverHandIns`. `enter`: enters those that wait in
 * their contests, now and whenever others are completed.
 */
export async function recoverQueue(room: HandIns, enter: HandIns['enter']): Promise<void> {
  const { completed, unread } = await recoverHandIns(room)
  queue(room, completed)
  room.unread = unread
  room.enter = enter
  settleLateDays(room)
  await enter()
}

/**
 * Reads the files that were left unread, one after another, beside those that are handed in meanwhile, and queues their trials. Those
 * that are not read when the class is closed are read when it is opened again; those that the machine prevents are tried again after a
 * while. `onReceived`: see `handIn`.
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
  let isLeft = false
  for (const each of unread) {
    if (room.closed) return
    // One that fails does not keep the others from being read.
    const end = await readOne(room, each, onReceived).catch((error: unknown) => {
      room.onFatal(error)
      return 'left' as const
    })
    isLeft ||= end === 'left'
    room.onChange()
  }
  if (isLeft) readLater(room, unread, onReceived)
}

async function readOne(
  room: HandIns,
  each: StoredAttempt,
  onReceived: Parameters<typeof readUnread>[1],
): Promise<'ended' | 'left'> {
  const received = await readAgain(room, each, room.closing.signal)
  if (typeof received === 'string') return received
  queue(room, [{ id: each.id, team: each.team, receipt: received.receipt.b.n }])
  try {
    await onReceived(each, received)
  } finally {
    playWaiting(room)
  }
  return 'ended'
}

/** Completes those that have a receipt by now, and reads the others again. */
function readLater(
  room: HandIns,
  unread: readonly StoredAttempt[],
  onReceived: Parameters<typeof readUnread>[1],
): void {
  if (room.closed) return
  completeLater(room)
  room.cancelReading = room.wake(room.now() + LEFT_AGAIN_AFTER, () => {
    const ids = new Set(unread.map(({ id }) => id))
    room.unread = unreadHandIns(room).filter(({ id }) => ids.has(id))
    readUnread(room, onReceived)
  })
}
