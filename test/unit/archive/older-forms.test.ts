import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { keepDayCopy } from '../../../main/administrator/classroom/day-copies.ts'
import {
  closePeopleDatabase,
  openPeopleDatabase,
  PEOPLE_FORM,
} from '../../../main/administrator/people/people-database.ts'
import { CLASS_FORMAT } from '../../../main/contract/procedures/classroom.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { rowsOf } from './made-class.ts'

// Each older form of the files of a data folder: as its version wrote them, and as they are read now.

const classForms = join('test/unit/classroom/forms')
const peopleForms = join('test/unit/people/forms')
const numbersUpTo = (last: number): readonly number[] => Array.from({ length: last }, (_, at) => at + 1)

test('each older form of class.json and of people.db has its file', () => {
  expect(readdirSync(classForms).toSorted()).toEqual(numbersUpTo(CLASS_FORMAT - 1).map((form) => `class-${form}.json`))
  expect(readdirSync(peopleForms).toSorted()).toEqual(numbersUpTo(PEOPLE_FORM - 1).map((form) => `people-${form}.sql`))
})

describe.each(numbersUpTo(CLASS_FORMAT - 1))('class.json in form %i', (form) => {
  const file = join(classForms, `class-${form}.json`)
  const older = JSON.parse(readFileSync(file, 'utf8')) as { settings: object; agents: object[]; people?: object[] }

  test('is read with all that it holds, written in the present form, and kept as it was', async () => {
    const data = temporaryFolder('older-class')
    copyFileSync(file, join(data, 'class.json'))
    const opened = await openClassFolder(data)
    expect(opened.content.settings).toMatchObject(older.settings)
    expect(opened.content.agents).toMatchObject(older.agents)
    expect(opened.content.people).toMatchObject(older.people ?? [])
    await opened.change(({ settings }) => void (settings.school = 'Changed'))
    await opened.change(({ settings }) => void (settings.school = 'Changed again'))
    await opened.close()
    expect(readFileSync(join(data, 'class.json'), 'utf8')).toContain(`"tartaglia-class/${CLASS_FORMAT}"`)
    const kept = join(data, 'class-copies', `class-form-${form}.json`)
    expect(readFileSync(kept, 'utf8')).toBe(readFileSync(file, 'utf8'))
  })

  test('is not opened if its copy cannot be kept, and stays as it is', async () => {
    const data = temporaryFolder('older-class')
    copyFileSync(file, join(data, 'class.json'))
    writeFileSync(join(data, 'class-copies'), '')
    await expect(openClassFolder(data)).rejects.toMatchObject({ code: 'path-unusable' })
    expect(readFileSync(join(data, 'class.json'), 'utf8')).toBe(readFileSync(file, 'utf8'))
  })
})

test('a class in the present form has no copy of an older one', async () => {
  const data = temporaryFolder('present-class')
  const home = await openClassFolder(data)
  await home.change(({ settings }) => void (settings.school = 'Algebra'))
  await home.close()
  closePeopleDatabase(openPeopleDatabase(data))
  await (await openClassFolder(data)).close()
  const copies = join(data, 'class-copies')
  expect(existsSync(copies) ? readdirSync(copies).filter((name) => name.includes('form')) : []).toEqual([])
})

const schemaOf = (file: string): unknown => {
  const database = new DatabaseSync(file)
  const rows = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
  database.close()
  return rows.map(({ type, name, sql }) => [type, name, typeof sql === 'string' ? sql.replaceAll(/\s+/g, '') : sql])
}

/** The rows that forms hold, by table, in the present form; a form that lacks a table has none of it. */
const presentRows: Readonly<Record<string, object>> = {
  one_time_code: { person: 'ada', hash: 'scrypt$32768$8$1$aabb$ccdd', until: 9 },
  account: { person: 'ada', password: 'scrypt$1$1$1$aa$bb', since: 5 },
  session: { id: 's', person: 'ada', kind: 'browser', made: 1, seen: 2, until: 3, address: '::1', agent: 'x' },
  guess: { key: 'k', at: 4 },
  class_code: { code: 'ABCD', until: 7 },
  audit: { n: 1, at: 1, person: 'ada', did: 'people.list', what: '{}', h: 'a'.repeat(64) },
  attempt: {
    ...{
      id: 3,
      team: 'team',
      members: '[]',
      person: 'ada',
      contest: 'c',
      game: 'g',
      file: 'a.js',
      sha256: 'b'.repeat(64),
    },
    ...{ at: 6, state: 'judged', readings: 1, wish: null, late_days: null },
  },
  guest_link: { until: 8 },
  practice: {
    id: 4,
    team: 'team',
    person: 'ada',
    game: 'g',
    agent: 'a',
    version: 'v',
    number: 1,
    at: 6,
    state: 'done',
  },
}

describe.each(numbersUpTo(PEOPLE_FORM - 1))('people.db in form %i', (form) => {
  const sql = readFileSync(join(peopleForms, `people-${form}.sql`), 'utf8')
  const make = (data: string): string => {
    const file = join(data, 'people.db')
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
    return file
  }

  test('becomes the present form with all its rows, and is kept as it was, without sessions and guesses', () => {
    const [data, fresh] = [temporaryFolder('older-people'), temporaryFolder('new-people')]
    const file = make(data)
    const before = rowsOf(file)
    closePeopleDatabase(openPeopleDatabase(data))
    closePeopleDatabase(openPeopleDatabase(fresh))
    expect(schemaOf(file)).toEqual(schemaOf(join(fresh, 'people.db')))
    const rows = rowsOf(file)
    for (const table of Object.keys(rows)) {
      const held = table === 'one_time_code' || (before[table]?.length ?? 0) > 0
      expect([table, rows[table]]).toMatchObject([table, held ? [presentRows[table]!] : []])
    }
    const kept = join(data, 'class-copies', `people-form-${form}.db`)
    const passing = ['session', 'guest_link', 'guess'].filter((table) => table in before)
    const lasting = { ...before, ...Object.fromEntries(passing.map((table) => [table, []])) }
    expect([rowsOf(kept), schemaOf(kept)]).toEqual([lasting, schemaOf(make(temporaryFolder('older-people')))])
  })

  test('is not opened if its copy cannot be kept, and stays as it is', () => {
    const data = temporaryFolder('older-people')
    const file = make(data)
    mkdirSync(join(data, 'class-copies', `people-form-${form}.db.new`, 'in-the-way'), { recursive: true })
    expect(() => openPeopleDatabase(data)).toThrow(expect.objectContaining({ path: file }) as Error)
    const database = new DatabaseSync(file)
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: form })
    database.close()
  })
})

test('copies of older forms end with those of days', async () => {
  const data = temporaryFolder('old-copies')
  const copies = join(data, 'class-copies')
  mkdirSync(copies)
  const [now, day] = [Date.now(), 86_400_000]
  const ages = { 'class-form-1.json': 31, 'people-form-8.db': 31, 'people-form-9.db': 29, 'notes.txt': 99 }
  for (const [name, age] of Object.entries(ages)) {
    writeFileSync(join(copies, name), '')
    utimesSync(join(copies, name), new Date(now - age * day), new Date(now - age * day))
  }
  writeFileSync(join(data, 'class.json'), '{}')
  await keepDayCopy(data, new Date(now))
  expect(readdirSync(copies).filter((name) => !name.startsWith('class-2'))).toEqual(['notes.txt', 'people-form-9.db'])
})

test('a people.db of a newer version is refused and stays as it is', () => {
  const data = temporaryFolder('newer-people')
  closePeopleDatabase(openPeopleDatabase(data))
  const database = new DatabaseSync(join(data, 'people.db'))
  database.exec(`PRAGMA user_version = ${PEOPLE_FORM + 1}`)
  database.close()
  expect(() => openPeopleDatabase(data)).toThrow(refusal('data-folder-newer', 'people.db', PEOPLE_FORM + 1))
  expect(readdirSync(data)).not.toContain('class-copies')
})
