import { attemptState, type AttemptState } from '../contract/people/hand-in.ts'
import type { ContestState } from '../contract/procedures/contest-answers.ts'
import { counter, gauge, gauges, type Metric } from './prometheus.ts'

/** Figures of an open class for the person who runs its machine: numbers alone, no names of people, agents or contests. */
export interface ClassFigures {
  readonly contests: Readonly<Record<ContestState, number>>
  /** In contests that were started and are not over. */
  readonly matchesLeft: number
  /** Since the class was opened. */
  readonly matchesFinished: number
  /** Attempts at matches that do not count, since the class was opened; they are played again. */
  readonly attemptsVoid: number
  readonly contestsFailed: number
  readonly handIns: Readonly<Record<AttemptState, number>>
  /** Files that have arrived and are not a hand-in yet. */
  readonly arriving: number
  /** Trials and practice matches in the queue, with those that are being played. */
  readonly queued: number
  /** Sessions of people that are not over. */
  readonly sessions: number
  /** Windows and browsers that are connected. */
  readonly screens: number
  /** Bytes free for the data folder; null: the system does not say. */
  readonly diskFree: number | null
  /** The newest backup, in ms since the epoch; null: there is none, or the class makes none by itself. */
  readonly backupAt: number | null
  /** null: the class makes no backups by itself. */
  readonly backupFails: boolean | null
  /** Behind a passphrase that nobody has entered: nobody can sign in. */
  readonly areNamesLocked: boolean
}

/** All states of contests and hand-ins are shown, the unused ones as 0. */
export const noContests: Record<ContestState, number> = {
  ...{ open: 0, gathering: 0, queued: 0, running: 0 },
  ...{ ended: 0, cancelled: 0 },
}
export const noHandIns = Object.fromEntries(attemptState.options.map((state) => [state, 0])) as Record<
  AttemptState,
  number
>

/** The counters of a class that is closed, without the rest: a sum that fell would tell of a restart. */
export function countersOf({ matchesFinished, attemptsVoid, contestsFailed }: ClassFigures): ClassFigures {
  return {
    ...{ contests: noContests, handIns: noHandIns, matchesFinished, attemptsVoid, contestsFailed },
    ...{ matchesLeft: 0, arriving: 0, queued: 0, sessions: 0, screens: 0 },
    ...{ diskFree: null, backupAt: null, backupFails: null, areNamesLocked: false },
  }
}

/** The figures of all classes that a program serves, of which there is at least one: sums, the least free space and the oldest backup. */
export function summedFigures(classes: readonly ClassFigures[]): ClassFigures {
  const sum = (of: (figures: ClassFigures) => number): number => classes.reduce((before, each) => before + of(each), 0)
  const least = (of: (figures: ClassFigures) => number | null): number | null => {
    const known = classes.flatMap((each) => of(each) ?? [])
    return known.length === 0 ? null : Math.min(...known)
  }
  const sums = <K extends string>(
    keys: Readonly<Record<K, number>>,
    of: (figures: ClassFigures) => Record<K, number>,
  ) => Object.fromEntries(Object.keys(keys).map((key) => [key, sum((each) => of(each)[key as K])])) as Record<K, number>
  return {
    contests: sums(noContests, ({ contests }) => contests),
    matchesLeft: sum(({ matchesLeft }) => matchesLeft),
    matchesFinished: sum(({ matchesFinished }) => matchesFinished),
    attemptsVoid: sum(({ attemptsVoid }) => attemptsVoid),
    contestsFailed: sum(({ contestsFailed }) => contestsFailed),
    handIns: sums(noHandIns, ({ handIns }) => handIns),
    arriving: sum(({ arriving }) => arriving),
    queued: sum(({ queued }) => queued),
    sessions: sum(({ sessions }) => sessions),
    screens: sum(({ screens }) => screens),
    diskFree: least(({ diskFree }) => diskFree),
    backupAt: least(({ backupAt }) => backupAt),
    backupFails: classes.reduce<boolean | null>(
      (before, { backupFails }) => (backupFails === null ? before : before === true || backupFails),
      null,
    ),
    areNamesLocked: classes.some(({ areNamesLocked }) => areNamesLocked),
  }
}

export function classMetrics(figures: ClassFigures): readonly Metric[] {
  const { diskFree, backupAt, backupFails, areNamesLocked } = figures
  return [
    gauges('tartaglia_contests', 'Contests by state.', 'state', figures.contests),
    gauge(
      'tartaglia_matches_left',
      'Matches that contests which were started still have to play.',
      figures.matchesLeft,
    ),
    counter('tartaglia_matches_finished_total', 'Matches finished since the start.', figures.matchesFinished),
    counter(
      'tartaglia_match_attempts_void_total',
      'Attempts at matches that failed through no fault of an agent since the start.',
      figures.attemptsVoid,
    ),
    counter(
      'tartaglia_contests_failed_total',
      'Contests that an error stopped before their end since the start.',
      figures.contestsFailed,
    ),
    gauges('tartaglia_hand_ins', 'Hand-ins that the class keeps by state.', 'state', figures.handIns),
    gauge('tartaglia_hand_ins_arriving', 'Files that have arrived and wait to be read.', figures.arriving),
    gauge('tartaglia_trials_queued', 'Trials and practice matches that wait or are being played.', figures.queued),
    gauge('tartaglia_sessions', 'Sessions of people that are not over.', figures.sessions),
    gauge('tartaglia_screens', 'Windows and browsers that are connected.', figures.screens),
    ...(diskFree === null
      ? []
      : [gauge('tartaglia_data_free_bytes', 'Bytes free on the disk of the data folder.', diskFree)]),
    ...(backupAt === null
      ? []
      : [gauge('tartaglia_backup_timestamp_seconds', 'Time of the newest backup.', backupAt / 1_000)]),
    ...(backupFails === null
      ? []
      : [gauge('tartaglia_backup_failing', '1 if the last backup failed.', backupFails ? 1 : 0)]),
    gauge(
      'tartaglia_names_locked',
      '1 if the names wait for their passphrase: nobody can sign in.',
      areNamesLocked ? 1 : 0,
    ),
  ]
}
