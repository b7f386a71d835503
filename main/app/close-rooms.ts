import { closeAccounts } from '../administrator/people/accounts.ts'
import { closeHandIns } from '../services/hand-in/class-hand-ins.ts'
import { landAll } from '../services/hand-in/in-flight.ts'
import type { Rooms } from './rooms.ts'

/** The time that hand-ins get to be received, in ms. systemd and containers give a program some ten seconds more to end. */
const LANDING = 20_000

/** Receives no further hand-in, and waits for those in flight while their connections are there. */
export function landHandIns(rooms: Pick<Rooms, 'inFlight'>): Promise<void> {
  return landAll(rooms.inFlight, LANDING)
}

/**
 * Closes the rooms, those that begin work first. A room that cannot be closed, as where a stick was pulled out, keeps no other one open, nor the lock
 * of the folder: the first error is thrown at the end.
 */
export async function closeRooms(rooms: Rooms): Promise<void> {
  rooms.classes?.onChange.delete(rooms.onClasses)
  rooms.signals.close()
  const failures: unknown[] = []
  const steps: readonly (() => unknown)[] = [
    () => landHandIns(rooms),
    () => rooms.network?.close(),
    () => rooms.examinations.close(),
    () => rooms.otherAnswers.close(),
    () => rooms.reruns.close(),
    () => rooms.plays.close(),
    () => rooms.parts.close(),
    () => rooms.caseDeadlines.stop(),
    () => rooms.records.close(),
    () => rooms.live.close(),
    () => rooms.updates.close(),
    () => rooms.backups.close(),
    () => rooms.ongoing.close(),
    () => rooms.recurring.close(),
    () => rooms.runner.close(),
    () => closingHandIns(rooms),
    () => rooms.downloads.close(),
    () => rooms.matches.close(),
    () => rooms.uploads.close(),
    () => rooms.archives.close(),
    () => closeAccounts(rooms.accounts),
    () => rooms.home.close(),
  ]
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Both at once: hand-ins wait for trials that agents end. */
async function closingHandIns({ handIns, agents }: Pick<Rooms, 'handIns' | 'agents'>): Promise<void> {
  const both = await Promise.allSettled([closeHandIns(handIns), agents.close()])
  for (const each of both) if (each.status === 'rejected') throw each.reason
}
