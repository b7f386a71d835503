import { expect, test } from 'vitest'
import {
  classMetrics,
  noContests,
  noHandIns,
  summedFigures,
  type ClassFigures,
} from '../../../main/operator/class-metrics.ts'
import { healthOf } from '../../../main/operator/health.ts'
import { gauges, metricsText } from '../../../main/operator/prometheus.ts'

const quiet: ClassFigures = {
  ...{ contests: { ...noContests, ended: 3 }, handIns: { ...noHandIns, passed: 2 } },
  ...{ matchesLeft: 4, matchesFinished: 5, attemptsVoid: 6, contestsFailed: 7, arriving: 8, queued: 9 },
  ...{ sessions: 10, screens: 11, diskFree: 12, backupAt: 13_000, backupFails: true, areNamesLocked: true },
}

test('each metric has its help and its type before its samples, and every state has a sample', () => {
  const lines = metricsText(classMetrics(quiet)).split('\n')
  expect(lines.at(-1)).toBe('')
  for (const line of [
    'tartaglia_contests{state="ended"} 3',
    'tartaglia_contests{state="running"} 0',
    'tartaglia_hand_ins{state="passed"} 2',
    'tartaglia_hand_ins{state="refused"} 0',
    'tartaglia_matches_left 4',
    'tartaglia_matches_finished_total 5',
    'tartaglia_match_attempts_void_total 6',
    'tartaglia_contests_failed_total 7',
    'tartaglia_hand_ins_arriving 8',
    'tartaglia_trials_queued 9',
    'tartaglia_sessions 10',
    'tartaglia_screens 11',
    'tartaglia_data_free_bytes 12',
    'tartaglia_backup_timestamp_seconds 13',
    'tartaglia_backup_failing 1',
    'tartaglia_names_locked 1',
  ])
    expect(lines).toContain(line)
  let known = ''
  for (const line of lines.slice(0, -1)) {
    const [, comment, name = ''] = /^# (HELP|TYPE) ([a-z_]+) \S/.exec(line) ?? []
    if (comment !== undefined) known = name
    else expect(line).toMatch(new RegExp(`^${known}(\\{[a-z]+="[^"]*"\\})? [\\d.]+$`))
  }
  // A counter is named like one.
  for (const line of lines.filter((each) => each.startsWith('# TYPE')))
    expect(line.includes('_total ')).toBe(line.endsWith(' counter'))
})

test('figures that are not known have no sample', () => {
  const text = metricsText(classMetrics({ ...quiet, diskFree: null, backupAt: null, backupFails: null }))
  expect(text).not.toMatch(/data_free|backup/)
})

test('the figures of several classes are added; the least room, the oldest backup and a backup that fails are told', () => {
  const empty: ClassFigures = { ...quiet, diskFree: null, backupAt: null, backupFails: null }
  expect(summedFigures([quiet])).toEqual(quiet)
  expect(summedFigures([empty, { ...empty, areNamesLocked: false }])).toMatchObject({
    diskFree: null,
    backupAt: null,
    backupFails: null,
  })
  const other: ClassFigures = {
    ...{ contests: { ...noContests, ended: 1, open: 2 }, handIns: { ...noHandIns, refused: 1 } },
    ...{ matchesLeft: 10, matchesFinished: 20, attemptsVoid: 30, contestsFailed: 40, arriving: 50, queued: 60 },
    ...{ sessions: 70, screens: 80, diskFree: 5, backupAt: 14_000, backupFails: false, areNamesLocked: false },
  }
  expect(summedFigures([empty, quiet, other])).toEqual({
    ...{ contests: { ...noContests, ended: 7, open: 2 }, handIns: { ...noHandIns, passed: 4, refused: 1 } },
    ...{ matchesLeft: 18, matchesFinished: 30, attemptsVoid: 42, contestsFailed: 54, arriving: 66, queued: 78 },
    ...{ sessions: 90, screens: 102, diskFree: 5, backupAt: 13_000, backupFails: true, areNamesLocked: true },
  })
})

test('labels and help keep to one line, and infinity is spelled', () => {
  const text = metricsText([gauges('a', 'b\nc\\', 'd', { 'e"\n\\': Infinity, f: Number.NaN })])
  expect(text).toBe('# HELP a b\\nc\\\\\n# TYPE a gauge\na{d="e\\"\\n\\\\"} +Inf\na{d="f"} NaN\n')
})

test('a class is healthy while it is open and its disk has room; failing backups are told, and end nothing', () => {
  const room = { diskFree: 60 * 1024 * 1024, backupFails: false, areNamesLocked: false }
  expect(healthOf('open', room)).toEqual({ status: 'ok', problems: [] })
  expect(healthOf('open', { ...room, backupFails: true })).toEqual({ status: 'ok', problems: ['backup-failing'] })
  expect(healthOf('open', { ...room, areNamesLocked: true })).toEqual({ status: 'ok', problems: ['names-locked'] })
  expect(healthOf('open', { ...room, diskFree: 1 })).toEqual({ status: 'failing', problems: ['disk-full'] })
  expect(healthOf('open', { diskFree: null, backupFails: null, areNamesLocked: false }).status).toBe('ok')
  expect(healthOf('starting', null).status).toBe('starting')
  expect(healthOf('stopping', room).status).toBe('stopping')
})
