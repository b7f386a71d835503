import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dataLayout } from '../../../main/administrator/classroom/layout.ts'
import { openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { keptKinds, type OwnKind } from '../../../main/contract/people/kept-data.ts'
import { classroom, type Classroom } from '../../../main/contract/procedures/classroom.ts'
import { dueData, dueSentences } from '../../../main/services/people/due-data.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** The kinds of data about people in a place; `nobody`: it has none, or none of whom the class knows; `copies`: what other places have. */
type Place = readonly OwnKind[] | 'nobody' | 'copies'

/** Each table of people.db. */
const tables: Readonly<Record<string, Place>> = {
  ...{ account: ['account'], one_time_code: ['account'], session: ['account'], guess: ['networks'] },
  ...{ audit: ['log'], audit_cut: 'nobody', attempt: ['handIns', 'deadlines'], practice: ['practice'] },
  ...{ class_code: 'nobody', guest_link: 'nobody' },
}

/** Each list of class.json. */
const lists: Readonly<Record<string, Place>> = {
  ...{ people: ['entry'], teams: ['teams'], extensions: ['deadlines'], agents: ['handIns'] },
  ...{ format: 'nobody', revision: 'nobody', settings: 'nobody', components: 'nobody', contests: 'nobody' },
  ...{ recurring: 'nobody', handInRules: 'nobody', deadlines: 'nobody', deleted: 'nobody', names: 'copies' },
}

/** Each part of a data folder. */
const parts: Readonly<Record<string, Place>> = {
  'class.json': ['entry', 'teams', 'deadlines', 'handIns'],
  'people.db': ['account', 'networks', 'log', 'handIns', 'practice'],
  'gradebook.json': ['grades'],
  ...{ cases: ['hearings'], dossiers: ['dossiers'], 'handed-in': ['handIns'], practice: ['practice'] },
  ...{ receipts: 'nobody', keys: 'nobody', agents: 'nobody', components: 'nobody', challenges: 'nobody' },
  ...{ texts: 'nobody', comments: 'nobody', trials: 'nobody', arenas: 'nobody', contests: 'nobody' },
  ...{ 'recovered.txt': 'nobody', 'address.json': 'nobody', 'address.sock': 'nobody', 'holder.json': 'nobody' },
  ...{ lock: 'nobody', port: 'nobody', cluster: 'nobody' },
  ...{ 'class-records': 'copies', 'class-copies': 'copies', 'people.db-shm': 'copies', 'people.db-wal': 'copies' },
  ...{ earlier: 'copies', backups: 'copies', 'tartaglia-scratch': 'copies' },
}

test('each table, list and part in which a class keeps something is known by the kind of its data', () => {
  const { database } = openPeopleDatabase(temporaryFolder('kept-data'))
  const made = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  database.close()
  expect(Object.keys(tables).toSorted()).toEqual(made.map(({ name }) => String(name)).toSorted())
  expect(Object.keys(lists).toSorted()).toEqual(Object.keys(classroom.shape).toSorted())
  expect(Object.keys(parts).toSorted()).toEqual(Object.keys(dataLayout).toSorted())
})

test('docs/privacy.md has the list of the code', () => {
  const docs = readFileSync('docs/privacy.md', 'utf8')
  const rows = docs.split('\n').filter((line) => line.startsWith('|'))
  const cells = rows.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  expect(cells).toEqual(keptKinds.map(({ what, why, seen, until }) => [what, why, seen, until]))
})

const DAY = 86_400_000
const contest = (id: string, ended: string): Classroom['contests'][number] => ({
  ...{ id, ended, state: 'ended', nonce: 'a'.repeat(64) },
  description: { title: id } as Classroom['contests'][number]['description'],
})
const somebody = (n: number, more: object): object => ({
  ...{ id: `${n}`.repeat(16), name: `Person ${n}`, role: 'student', added: '2026-09-01T00:00:00.000Z', ...more },
})

test('data are due once their period is over, and never without one', () => {
  const people = [
    somebody(1, { removed: '2026-10-01T00:00:00.000Z' }),
    somebody(2, { removed: '2026-10-01T00:00:00.000Z', erased: '2026-10-02T00:00:00.000Z' }),
    somebody(3, {}),
  ]
  const empty = classroom.parse({ format: 'tartaglia-class/4', agents: [], contests: [], people })
  const content = { ...empty, contests: [contest('first', '2026-08-31T12:00:00.000Z')] }
  const due = (periods: object, at: string) =>
    dueData(
      { ...content, settings: { ...content.settings, retention: { ...content.settings.retention, ...periods } } },
      Date.parse(at),
    )
  const nothing = { left: [], contests: [], classSince: null }
  expect(due({}, '2046-01-01T00:00:00Z')).toEqual(nothing)
  const over = Date.parse('2026-10-01T00:00:00.000Z') + 30 * DAY
  expect(due({ leftDays: 30 }, new Date(over - 1).toISOString())).toEqual(nothing)
  expect(due({ leftDays: 30 }, new Date(over).toISOString()).left.map(({ name }) => name)).toEqual(['Person 1'])
  // Six months after 31 August is the last day of February.
  expect(due({ contestMonths: 6 }, '2027-02-28T11:59:59.999Z')).toEqual(nothing)
  expect(due({ contestMonths: 6 }, '2027-02-28T12:00:00.000Z').contests).toMatchObject([{ contest: 'first' }])
  expect(due({ classMonths: 12 }, '2027-08-31T23:59:59.999Z')).toEqual(nothing)
  const whole = due({ leftDays: 1, contestMonths: 1, classMonths: 12 }, '2027-09-01T00:00:00.000Z')
  expect(whole.classSince).toBe('2026-09-01T00:00:00.000Z')
  expect(dueSentences(whole).map(({ link }) => link)).toEqual(['#/people', '#/contests', '#/settings'])
  expect(dueSentences(nothing)).toEqual([])
})
