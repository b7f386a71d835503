import type { ClassFigures } from './class-metrics.ts'

/** `starting`: the class is being opened; `stopping`: running contests are stopped, and hand-ins end. */
export type Stage = 'starting' | 'open' | 'stopping'

/** The answer to "does the class work?" for a program that watches it. */
export interface Health {
  /** `failing`: somebody has to act; the others than `ok` last for some seconds. */
  readonly status: 'ok' | 'failing' | 'starting' | 'stopping'
  /** Several are possible; `disk-full` alone is failing. `names-locked`: contests go on, and nobody can sign in until an educator unlocks the names. */
  readonly problems: readonly ('disk-full' | 'backup-failing' | 'names-locked')[]
}

/** Bytes free below which hand-ins and matches can fail at any moment. */
const DISK_MIN = 50 * 1024 * 1024

/** `figures` null: the class is not open. */
export function healthOf(
  stage: Stage,
  figures: Pick<ClassFigures, 'diskFree' | 'backupFails' | 'areNamesLocked'> | null,
): Health {
  if (stage !== 'open' || figures === null) return { status: stage === 'stopping' ? stage : 'starting', problems: [] }
  const isFull = figures.diskFree !== null && figures.diskFree < DISK_MIN
  return {
    status: isFull ? 'failing' : 'ok',
    problems: [
      ...(isFull ? (['disk-full'] as const) : []),
      ...(figures.backupFails ? (['backup-failing'] as const) : []),
      ...(figures.areNamesLocked ? (['names-locked'] as const) : []),
    ],
  }
}
