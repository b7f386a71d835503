import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import {
  gradebookIfReadable,
  readGradebook,
  withoutPerson,
  writeGradebook,
} from '../../../main/administrator/classroom/gradebook-file.ts'
import { auditLines } from '../../../main/administrator/people/audit.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { explained, type Explanation } from '../../../main/contract/grades/grade-words.ts'
import type { Gradebook } from '../../../main/contract/grades/gradebook.ts'
import { openContests, type Contests } from '../../../main/services/contests/kept/class-contests.ts'
import { openGradebook, type ClassGradebook } from '../../../main/services/grades/class-gradebook.ts'
import { openClassTerm } from '../../../main/services/grades/class-term.ts'
import { refusal, refusedCommand } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'
import { addStudentsTo, formTeamsIn, playContest, students } from './graded-class.ts'
import { gradesBy, student } from './made-facts.ts'

let home: ClassFolder
let contests: Contests
let data = ''
let contest = ''

/** The gradebook of a class in which ada came first in the only contest, and bob second of three. */
function open(): ClassGradebook {
  const term = openClassTerm({ home, contests })
  const cases = { kept: new Map(), unreadable: new Map<string, string>() }
  return openGradebook({ home, contests, term, cases, now: () => Date.parse('2026-11-28T12:00:00.000Z') })
}

beforeEach(async () => {
  data = temporaryFolder('gradebook')
  home = await openClassFolder(data)
  contest = await playContest(home, openContests(home), 'Week 1', ['anna', 'bea', 'baby'])
  await formTeamsIn(home)
  await addStudentsTo(home)
  contests = openContests(home)
})
afterEach(() => home.close())

const values = ({ rows }: Gradebook) =>
  rows.map(({ name, computed, released, changedTo }) => [
    name,
    computed?.value,
    released?.computed.value,
    changedTo?.value,
  ])
const removed = () =>
  contests.countRuling(contest, {
    ...{ case: 'case-1', entry: 'c'.repeat(64), at: '2026-11-28T01:00:00.000Z' },
    remedies: [{ type: 'removal', entrant: 'anna' }],
  })

test('released grades stay when a ruling changes the record, are marked, and change by a new release', async () => {
  const book = open()
  await book.setScheme(`grade = place("${contest}")`)
  expect(await book.mine(students.ada)).toBeNull()
  expect(await book.release()).toMatchObject({ released: 2 })
  expect(values(await book.book())).toEqual([
    ['ada', 100, 100, undefined],
    ['bob', 50, 50, undefined],
  ])
  await removed()
  expect(values(await book.book())).toEqual([
    ['ada', 0, 100, 0],
    ['bob', 100, 50, 100],
  ])
  expect(await book.mine(students.ada)).toEqual({
    releasedAt: '2026-11-28T12:00:00.000Z',
    computed: {
      ...{ value: 100, band: null },
      explanation: { text: 'place 1 of 3 in “Week 1”: 100 of 100', value: 100, isDropped: false, parts: [] },
    },
    manual: null,
  })
  // Another scheme does not change the record: the grades are compared by the scheme with which they were released.
  await book.setScheme(`grade = place("${contest}") / 2`)
  const other = await book.book()
  expect(values(other)).toEqual([
    ['ada', 0, 100, 0],
    ['bob', 50, 50, 100],
  ])
  expect(other.release).toMatchObject({ isByScheme: false, isComparable: true })
  // The next start reads the decisions from the file.
  const again = open()
  expect(await again.book()).toEqual(other)
  await again.release()
  expect(values(await again.book())).toEqual([
    ['ada', 0, 0, undefined],
    ['bob', 50, 50, undefined],
  ])
  expect((await again.mine(students.ada))?.computed.explanation.parts[0]?.text).toContain('ruling 1: removed')
})

test('a grade by hand stands beside the computed one, with a band, and is released with its reason', async () => {
  const book = open()
  await book.setScheme('grade = place("Week 1") bands 60 "B", else "C"')
  await book.setManual(students.bob, { value: 65, reason: 'oral exam' })
  await book.release()
  const manual = { value: 65, reason: 'oral exam', band: 'B' }
  expect(await book.mine(students.bob)).toMatchObject({ computed: { value: 50, band: 'C' }, manual })
  await book.setManual(students.bob, null)
  const taken = (await book.book()).rows[1]
  expect(taken).toMatchObject({ manual: null, released: { manual }, changedTo: { value: 50, band: 'C' } })
  // One that is given after the release is marked, too, and one that counts anyway hides a change of the record.
  await book.setManual(students.bob, { value: 70, reason: 'second exam' })
  expect((await book.book()).rows[1]).toMatchObject({ changedTo: { value: 70, reason: 'second exam' } })
  await book.setManual(students.bob, { value: 65, reason: 'oral exam' })
  await removed()
  expect(values(await book.book()).map(([name, , , now]) => [name, now])).toEqual([
    ['ada', 0],
    ['bob', undefined],
  ])
  await expect(book.setManual('c'.repeat(16), null)).rejects.toThrow(refusal('person-unknown', 'c'.repeat(16)))
})

test('the window fills a file of an LMS with the grades that count, and tells the rest', async () => {
  const book = open()
  const fill = async (text: string, areLabels = false, isComputed = false) => {
    const { content, ...told } = await book.fill({
      content: btoa(text),
      column: 'Term',
      areLabels,
      areComputed: isComputed,
    })
    return { text: atob(content), ...told }
  }
  const exported = 'Student,ID,Term (1)\r\nbob,2,\r\nzoe,3,7\r\n'
  await expect(fill(exported)).rejects.toThrow(refusal('scheme-missing'))
  await book.setScheme('grade = place("Week 1")')
  await book.setManual(students.bob, { value: 65.5, reason: 'oral exam' })
  expect(await fill(exported)).toEqual({
    text: 'Student,ID,Term (1)\r\nbob,2,65.5\r\nzoe,3,7\r\n',
    ...{ filled: 1, unmatched: ['zoe'], missing: ['ada'], unlabelled: [] },
    ...{ releasedAt: null, unreleased: [], differing: [] },
  })
  await expect(fill(exported, true)).rejects.toThrow(refusal('scheme-without-bands'))
  await book.setScheme('grade = place("Week 1") bands 60 "B"')
  expect(await fill('Student,ID,Term (1)\nada,1,\nbob,2,\n', true)).toMatchObject({
    text: 'Student,ID,Term (1)\nada,1,B\nbob,2,B\n',
  })
  // After a release it has the grades that students see, until the new ones are wanted.
  await book.release()
  await removed()
  const both = 'Student,ID,Term (1)\nada,1,\nbob,2,\n'
  expect(await fill(both)).toMatchObject({
    ...{ text: 'Student,ID,Term (1)\nada,1,100\nbob,2,65.5\n', releasedAt: '2026-11-28T12:00:00.000Z' },
    differing: ['ada'],
  })
  expect(await fill(both, false, true)).toMatchObject({
    ...{ text: 'Student,ID,Term (1)\nada,1,0\nbob,2,65.5\n', releasedAt: null, differing: [] },
  })
})

test('a decision about a gradebook that another window has changed since is refused and changes nothing', async () => {
  const [one, other] = [open(), open()]
  const seen = (await other.book()).version
  const after = await one.setScheme('grade = 1', seen)
  const refused = refusal('gradebook-changed')
  await expect(other.setScheme('grade = 2', seen)).rejects.toThrow(refused)
  await expect(other.setManual(students.ada, { value: 3, reason: 'talk' }, seen)).rejects.toThrow(refused)
  await expect(other.release(seen)).rejects.toThrow(refused)
  expect(await other.book()).toMatchObject({ version: after, scheme: 'grade = 1', release: null })
  const byHand = await other.setManual(students.ada, { value: 3, reason: 'talk' }, after)
  expect(byHand).not.toBe(after)
  const { version } = await one.release(byHand)
  expect((await other.book()).version).toBe(version)
  await expect(other.release(byHand)).rejects.toThrow(refused)
})

test('the gradebook is read from its file once, and anew after each change, of this program or another one', async () => {
  const book = open()
  await book.setManual(students.bob, { value: 65, reason: 'oral exam' })
  const first = await readGradebook(data)
  expect(await readGradebook(data)).toBe(first)
  await book.setScheme('grade = 1')
  expect((await readGradebook(data)).scheme).toBe('grade = 1')
  const path = join(data, 'gradebook.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('grade = 1', 'grade = 1 + 1'))
  expect((await readGradebook(data)).scheme).toBe('grade = 1 + 1')
  rmSync(path)
  expect((await readGradebook(data)).scheme).toBe('')
})

test('the grade by hand of somebody who has left can be taken back, and not given', async () => {
  const book = open()
  await book.setManual(students.bob, { value: 65, reason: 'oral exam' })
  await home.change(({ people }) => {
    people.find(({ id }) => id === students.bob)!.removed = '2026-11-28T12:00:00.000Z'
  })
  await expect(book.setManual(students.bob, { value: 1, reason: 'x' })).rejects.toThrow(refusal('person-unknown'))
  await book.setManual(students.bob, null)
  expect((await readGradebook(data)).manual).toEqual([])
})

test('a scheme that names a contest to come is kept; it counts nothing yet, says so, and counts when it has ended', async () => {
  const final = await playContest(home, contests, 'Final', ['bea', 'anna', 'baby'])
  const isOpen = async (open: boolean): Promise<void> => {
    await home.change((content) => {
      content.contests.find(({ id }) => id === final)!.state = open ? 'open' : 'ended'
    })
    contests = openContests(home)
  }
  await isOpen(true)
  const scheme = 'grade = weighted(50, mean(place(["Week 1", "Final"])), 50, place("Final"))'
  await open().setScheme(scheme)
  const before = await open().book()
  expect([before.problems, before.toCome]).toEqual([[], [{ contest: final, title: 'Final' }]])
  expect(before.rows.map(({ name, computed }) => [name, computed?.value])).toEqual([
    ['ada', 50],
    ['bob', 25],
  ])
  expect(JSON.stringify(before.rows[0]!.computed?.explanation)).toContain('“Final” has not ended')
  expect((await open().preview('grade = place("Finale")')).problems).toMatchObject([{ code: 'contest-unknown' }])
  expect(await open().release()).toMatchObject({ toCome: [{ contest: final, title: 'Final' }] })
  // A file of grades as they are computed now says it, too.
  const filling = ['--csv', 'moodle', '--computed', '--out', `${data}.moodle.csv`]
  expect((await run('class', 'grades', ...filling, '--data', data)).stderr).toContain('"Final" has not ended')
  await isOpen(false)
  const after = await open().book()
  expect(after.toCome).toEqual([])
  // Those that were released are marked, as after a ruling.
  expect(values(after)).toEqual([
    ['ada', 62.5, 50, 62.5],
    ['bob', 87.5, 25, 87.5],
  ])
  await isOpen(true)
  await home.change(({ contests: all }) => {
    all.find(({ id }) => id === final)!.state = 'cancelled'
  })
  expect((await open().book()).problems).toMatchObject([{ code: 'contest-unknown' }])
})

test('a release knows its contests by their ids: another one with the same title changes nothing', async () => {
  await open().setScheme('grade = place("Week 1")')
  await open().release()
  await playContest(home, contests, 'Week 1', ['bea', 'anna', 'baby'])
  contests = openContests(home)
  const book = await open().book()
  expect(book.problems).toMatchObject([{ code: 'contest-unknown' }])
  expect(book.release).toMatchObject({ isComparable: true })
  expect(values(book).map(([, , , changed]) => changed)).toEqual([undefined, undefined])
  await removed()
  expect(values(await open().book()).map(([, , , changed]) => changed)).toEqual([0, 100])
})

test('every release is kept, with what changed between, until a person is erased', async () => {
  const book = open()
  await book.setScheme('grade = place("Week 1")')
  await book.release()
  expect((await book.book()).releases).toEqual([
    { at: '2026-11-28T12:00:00.000Z', grades: 2, isOtherScheme: false, changes: [] },
  ])
  await book.setManual(students.ada, { value: 90, reason: 'oral exam' })
  await book.release()
  await book.setScheme('grade = place("Week 1") bands 40 "B"')
  await book.release()
  const [newest, second, first] = (await open().book()).releases
  const [ada, bob] = [
    { person: students.ada, name: 'ada' },
    { person: students.bob, name: 'bob' },
  ]
  expect([first!.changes, second!.isOtherScheme, newest!.isOtherScheme]).toEqual([[], false, true])
  expect(second!.changes).toEqual([{ ...ada, before: { value: 100, band: null }, after: { value: 90, band: null } }])
  expect(newest!.changes).toEqual([
    { ...ada, before: { value: 90, band: null }, after: { value: 90, band: 'B' } },
    { ...bob, before: { value: 50, band: null }, after: { value: 50, band: 'B' } },
  ])
  const kept = await readGradebook(data)
  expect(kept.earlier[0]!.grades[0]!.computed.value).toBe(100)
  const without = withoutPerson(kept, students.ada)
  expect(JSON.stringify(without)).not.toContain(students.ada)
  expect(without.earlier.map(({ grades }) => grades.length)).toEqual([1, 1])
})

test('histories that break after the table was computed are named, and do not stop the gradebook', async () => {
  const term = openClassTerm({ home, contests })
  await term.table(null)
  const folder = contests.folder(contest)
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'damaged')
  const broken = openContests(home)
  const counts = await contests.counts(contest)
  const cases = { kept: new Map(), unreadable: new Map<string, string>() }
  const sources = { home, term, cases, contests: { ...broken, counts: () => Promise.resolve(counts) } }
  const book = openGradebook({ ...sources, now: () => 0 })
  expect((await book.book()).unreadable).toEqual({ contests: [contest], cases: [] })
})

test('a preview keeps nothing, and a scheme with a problem is neither kept nor released', async () => {
  const book = open()
  const preview = await book.preview('grade = place("Week 1") bands 60 "pass", else "fail"')
  expect(preview.grades.map(({ value, band }) => [value, band])).toEqual([
    [100, 'pass'],
    [50, 'fail'],
  ])
  expect((await book.preview('grade = nobody')).problems).toMatchObject([{ line: 1, column: 9, code: 'name-unknown' }])
  await expect(book.setScheme('grade = nobody')).rejects.toThrow(refusal('scheme-invalid', 'line 1', 'column 9'))
  await expect(book.release()).rejects.toThrow(refusal('scheme-missing'))
  expect((await book.book()).scheme).toBe('')
  expect(existsSync(join(data, 'gradebook.json'))).toBe(false)
})

test('parts of parts are computed once, and an explanation has an end', () => {
  const parts = Array.from({ length: 60 }, (_, at) => `a${at + 1} = a${at} + a${at}`).join('\n')
  const [grade] = gradesBy(`a0 = 1\n${parts}\ngrade = a60`, [], [student('ada')])
  expect(grade?.value).toBeCloseTo(2 ** 60, -9)
  const figures = (of: ReturnType<typeof explained>): number => of.parts.reduce((sum, each) => sum + figures(each), 1)
  expect(figures(explained(grade!.term))).toBe(2_000)
})

test('a release of the deepest scheme is read again; a gradebook that could not be is not written', async () => {
  const row = (from: string) => `${from}${' + 1'.repeat(250)}`
  const chain = Array.from({ length: 8 }, (_, at) => `a${at + 1} = ${row(`a${at}`)}`).join('\n')
  const book = open()
  await book.setScheme(`a0 = ${row('place("Week 1")')}\n${chain}\ngrade = a8`)
  await book.release()
  expect(values(await book.book())[0]).toEqual(['ada', 100 + 9 * 250, 100 + 9 * 250, undefined])
  const path = join(data, 'gradebook.json')
  const before = readFileSync(path, 'utf8')
  let explanation: Explanation = { text: '', value: 0, isDropped: false, parts: [] }
  for (let depth = 0; depth < 300; depth++) explanation = { ...explanation, parts: [explanation] }
  const grades = [{ person: students.ada, computed: { value: 0, band: null, explanation }, manual: null }]
  const release = { at: '2026-11-28T12:00:00.000Z', scheme: '', contests: {}, grades }
  await expect(writeGradebook(data, { ...(await readGradebook(data)), release })).rejects.toThrow(
    refusal('gradebook-unfit'),
  )
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test('grades without a contest that cannot be read are not released, and nothing is marked', async () => {
  const book = open()
  await book.setScheme('grade = mean(place(contests))')
  await book.release()
  const folder = contests.folder(contest)
  const segment = readdirSync(folder)
    .map((name) => join(folder, name))
    .find((path) => readFileSync(path).includes('"rank":1'))!
  writeFileSync(segment, readFileSync(segment, 'utf8').replace('"rank":1', '"rank":2'))
  contests = openContests(home)
  const damaged = open()
  expect(await damaged.book()).toMatchObject({
    ...{ unreadable: { contests: [contest], cases: [] }, release: { isComparable: false } },
    rows: [{ released: { computed: { value: 100 } }, changedTo: null }, {}],
  })
  await expect(damaged.release()).rejects.toThrow(refusal('grades-incomplete', contest))
})

test('a damaged gradebook, and one of a newer version, are told and left; a repaired one is read', async () => {
  const path = join(data, 'gradebook.json')
  const book = open()
  for (const [text, code] of [
    ['{"format": "tartaglia-gradebook/1"', 'json-invalid'],
    ['{"format": "tartaglia-gradebook/2", "scheme": {}}', 'data-folder-newer'],
  ] as const) {
    writeFileSync(path, text)
    await expect(book.book()).rejects.toThrow(refusal(code, path))
    await expect(book.setManual(students.ada, null)).rejects.toThrow(refusal(code, path))
    const told = await book.mine(students.ada).catch((error: unknown) => error)
    expect(told).toMatchObject({ code: 'gradebook-unreadable' })
    expect(String(told)).not.toContain(path)
    expect(await gradebookIfReadable(data)).toBeNull()
    expect(readFileSync(path, 'utf8')).toBe(text)
  }
  // A release of former versions has no contests, and theirs was the only one.
  const release = { at: '2026-11-28T12:00:00.000Z', scheme: 'grade = 7', grades: [] }
  writeFileSync(path, JSON.stringify({ format: 'tartaglia-gradebook/1', scheme: 'grade = 7', manual: [], release }))
  expect(await readGradebook(data)).toMatchObject({ earlier: [], release: { ...release, contests: {} } })
  expect(values(await book.book())).toEqual([
    ['ada', 7, undefined, undefined],
    ['bob', 7, undefined, undefined],
  ])
})

test('the same decisions in a terminal; a new term has only the scheme, and an erased person has no grades', async () => {
  await home.close()
  const verb = async (...args: readonly string[]) => {
    const { stdout } = await run('class', ...args, '--data', data, '--json')
    return JSON.parse(stdout) as { readonly [key: string]: unknown }
  }
  const scheme = `${data}.scheme`
  writeFileSync(scheme, 'grade = place("Week 1") bands 60 "B", else "C"')
  expect(await verb('grades')).toEqual(refusedCommand('scheme-missing'))
  await verb('gradebook', 'keep', scheme)
  await verb('gradebook', 'by-hand', 'bob', '--grade', '65', '--reason', 'oral exam')
  expect(await verb('gradebook', 'by-hand', 'bob', '--grade', '65')).toEqual(refusedCommand('option-missing'))
  expect(await verb('gradebook', 'by-hand', 'bob', '--grade', 'x', '--reason', 'y')).toEqual(
    refusedCommand('input-invalid'),
  )
  expect(await verb('gradebook', 'by-hand', 'bob', '--grade', '65', '--reason', '  ')).toEqual(
    refusedCommand('input-invalid'),
  )
  expect(await verb('gradebook', 'release')).toMatchObject({ released: 2 })
  const manual = { value: 65, reason: 'oral exam', band: 'B' }
  expect(await verb('grades')).toMatchObject({
    grades: [
      { name: 'ada', value: 100, manual: null },
      { name: 'bob', value: 50, manual },
    ],
  })
  expect(await verb('gradebook', 'show')).toMatchObject({
    rows: [{ name: 'ada' }, { name: 'bob', released: { manual } }],
  })
  expect((await run('class', 'gradebook', 'show', '--data', data)).stdout).toMatch(
    /bob +Team bea +50\.00 C +65\.00 B +65\.00 B/,
  )
  const people = openPeopleDatabase(data)
  const version = expect.stringMatching(/^[0-9a-f]{16}$/) as string
  expect(auditLines(people, 0, 10).items.map(({ did, what, person }) => [did, what, person])).toEqual([
    ['grades.release', { version }, null],
    ['grades.setManual', { person: students.bob, version }, null],
    ['grades.setScheme', { version }, null],
  ])
  closePeopleDatabase(people)
  // The file for the LMS has the grade that counts.
  const out = `${data}.csv`
  writeFileSync(`${data}.canvas`, 'Student,ID,Term (1)\nada,1,\nbob,2,\n')
  await verb('grades', '--csv', `canvas=${data}.canvas`, '--column', 'Term', '--out', out)
  expect(readFileSync(out, 'utf8')).toBe('Student,ID,Term (1)\nada,1,100\nbob,2,65\n')
  // They are the released ones until the new ones are wanted.
  await verb('gradebook', 'by-hand', 'bob', '--grade', '66', '--reason', 'second exam')
  const filling = ['grades', '--csv', `canvas=${data}.canvas`, '--column', 'Term', '--out'] as const
  expect(await verb(...filling, `${out}.2`)).toMatchObject({ differing: ['bob'], unreleased: [] })
  expect(readFileSync(`${out}.2`, 'utf8')).toBe(readFileSync(out, 'utf8'))
  expect(await verb(...filling, `${out}.3`, '--computed')).toMatchObject({ releasedAt: null, differing: [] })
  expect(readFileSync(`${out}.3`, 'utf8')).toBe('Student,ID,Term (1)\nada,1,100\nbob,2,66\n')

  const next = `${data}-next`
  await run('class', 'new-term', '--from', data, '--data', next)
  expect(JSON.parse(readFileSync(join(next, 'gradebook.json'), 'utf8'))).toEqual({
    ...{ format: 'tartaglia-gradebook/1', scheme: readFileSync(scheme, 'utf8'), manual: [] },
    ...{ release: null, earlier: [] },
  })

  await verb('people', 'remove', 'bob')
  // A damaged gradebook stops neither: a new term has no scheme then, and erasing is finished later.
  const path = join(data, 'gradebook.json')
  const whole = readFileSync(path)
  writeFileSync(path, '{')
  expect(await verb('people', 'erase', 'bob', '--yes')).toMatchObject({
    ...{ code: 'json-invalid', error: expect.stringContaining(students.bob) as string },
  })
  expect(readFileSync(join(data, 'class.json'), 'utf8')).not.toContain('"bob"')
  const made = JSON.parse((await run('class', 'new-term', '--from', data, '--data', `${data}-other`, '--json')).stdout)
  expect(made).toMatchObject({ leftOut: [expect.stringContaining('gradebook.json') as string] })
  expect(existsSync(join(`${data}-other`, 'gradebook.json'))).toBe(false)
  writeFileSync(path, whole)
  await verb('people', 'erase', students.bob, '--yes')
  const kept = readFileSync(join(data, 'gradebook.json'), 'utf8')
  expect([kept.includes(students.ada), kept.includes(students.bob), kept.includes('oral exam')]).toEqual([
    true,
    false,
    false,
  ])
  // Nor does a later archive have their grades.
  const archive = `${data}.tar.gz`
  await verb('export', archive)
  const packed = gunzipSync(readFileSync(archive)).toString('latin1')
  expect([packed.includes(students.ada), packed.includes('oral exam'), packed.includes('second exam')]).toEqual([
    true,
    false,
    false,
  ])
  home = await openClassFolder(data)
})
