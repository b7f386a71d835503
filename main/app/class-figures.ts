import { statfs } from 'node:fs/promises'
import { countAttempts } from '../administrator/people/attempts.ts'
import { countSessions } from '../administrator/people/sessions.ts'
import { namesState } from '../contract/people/locked-names.ts'
import type { Rooms } from './rooms.ts'
import { noContests, noHandIns, type ClassFigures } from '../operator/class-metrics.ts'

type Counted = Pick<Rooms, 'home' | 'accounts' | 'runner' | 'handIns' | 'signals' | 'backups' | 'clock'>

/** Collects the figures of an open class. It reads no history, so it may be called every few seconds. */
export async function figuresOf(rooms: Counted): Promise<ClassFigures> {
  const { home, accounts, runner, handIns, signals, backups, clock } = rooms
  const contests = { ...noContests }
  for (const { id, state } of home.content.contests) contests[runner.now(id)?.state ?? state] += 1
  const left = runner.started().map((id) => runner.now(id)?.progress ?? { done: 0, total: 0 })
  const copies = backups.state()
  const disk = await statfs(home.folder).catch(() => null)
  return {
    contests,
    matchesLeft: left.reduce((sum, { done, total }) => sum + Math.max(0, total - done), 0),
    ...runner.tally(),
    handIns: { ...noHandIns, ...countAttempts(accounts.people) },
    arriving: handIns.arriving.size,
    queued: handIns.waiting.length,
    sessions: countSessions(accounts.people, clock.now()),
    // Each of them listens to it.
    screens: signals.listening('status'),
    diskFree: disk === null ? null : disk.bavail * disk.bsize,
    backupAt: copies === null || copies.last === null ? null : Date.parse(copies.last),
    backupFails: copies === null ? null : copies.problem !== null,
    areNamesLocked: namesState(home.content) === 'locked',
  }
}
