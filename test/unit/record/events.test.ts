import { spawnSync } from 'node:child_process'
import { rename } from 'node:fs/promises'
import {
  appendFileSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { passingKey } from '../../../main/histories/keys.ts'
import { buildDatabase, freeFor, type DatabaseContents } from '../../../main/services/record/build-database.ts'
import { checkEvents } from '../../../main/services/record/check-events.ts'
import { eventContents } from '../../../main/services/record/event-writer.ts'
import { putInPlace } from '../../../main/histories/put-in-place.ts'
import { schemaOf } from '../../../main/services/record/schema.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { dice, haggle, haggleMatch } from './haggle-matches.ts'
import { build, dump, record, rowsOf, segmentsIn, type Played } from './stage.ts'

let dir: string
beforeEach(() => {
  dir = join(temporaryFolder('record'), 'contest')
})

const next = dice(7)
const sessions = (from: number, to: number): readonly Played[] =>
  Array.from({ length: to - from }, (_, at) => haggleMatch(from + at, next).played)

const query = (sql: string) => rowsOf(dir, haggle, sql)
const check = (refresh: () => Promise<unknown> = () => Promise.resolve()) =>
  checkEvents(haggle, segmentsIn(dir), join(dir, 'events.db'), refresh)

test('a contest without a match has tables without rows', async () => {
  await record(dir, haggle, [])
  expect(await build(dir, haggle)).toMatchObject({ matches: 0, anew: true })
  expect(query('SELECT * FROM matches')).toEqual([])
  expect(await check()).toEqual({ matches: 0, problems: [] })
})

test('the common tables have what the histories have', async () => {
  const happenings = [
    { input: { type: 'answer', seat: 0, value: [0, 0, 0] }, hidden: true },
    { printed: 'hmm', seat: 1 },
    { fault: { kind: 'timeout', text: 'Too late.', tookMs: 1_000 }, seat: 1 },
    { input: { type: 'abort', seat: 1, reason: 'It timed out.' } },
  ] as const
  const config = { ...(sessions(0, 1)[0]!.config as object), maxRounds: 5, seed: 3 }
  await record(dir, haggle, [{ match: 0, config, names: ['anna', 'ben'], happenings }])
  await build(dir, haggle)
  expect(query('SELECT contest, title, game, version FROM contests')).toEqual([
    { contest: 'mined-1', title: 'A contest to mine', game: 'haggle', version: 1 },
  ])
  expect(query('SELECT match, seats, events, inputs, faults, prints, ms, broken FROM matches')).toEqual([
    { match: 0, seats: 2, events: 4, inputs: 2, faults: 1, prints: 1, ms: 4, broken: null },
  ])
  expect(query('SELECT line, move, at, waited, kind, entrant, entrant_seat, hidden FROM events')).toEqual([
    { line: 1, move: 1, at: 0, waited: 0, kind: 'input', entrant: 'anna', entrant_seat: 0, hidden: 1 },
    { line: 3, move: 3, at: 2, waited: 2, kind: 'fault', entrant: 'ben', entrant_seat: 1, hidden: 1 },
    { line: 4, move: 4, at: 3, waited: 1, kind: 'input', entrant: 'ben', entrant_seat: 1, hidden: 0 },
  ])
  expect(query('SELECT move, entrant, body, kind, took, text FROM faults')).toEqual([
    { move: 3, entrant: 'ben', body: 0, kind: 'timeout', took: 1_000, text: 'Too late.' },
  ])
  expect(query('SELECT entrant, rank, score, removed, reason, faults, prints FROM seats')).toEqual([
    { entrant: 'anna', rank: 1, score: 0, removed: 0, reason: null, faults: 0, prints: 0 },
    { entrant: 'ben', rank: 1, score: 0, removed: 1, reason: 'It timed out.', faults: 1, prints: 1 },
  ])
  expect(query('SELECT entrant, points FROM points')).toEqual([
    { entrant: 'anna', points: 0.5 },
    { entrant: 'ben', points: 0.5 },
  ])
  // The output of agents is not in it.
  expect(readFileSync(join(dir, 'events.db')).includes('hmm')).toBe(false)
})

test('what is added while a contest goes on gives the same as building it again, over several segments', async () => {
  await record(dir, haggle, sessions(0, 10), 4_000)
  expect(await build(dir, haggle)).toMatchObject({ matches: 10, added: { matches: 10 }, anew: true })
  await record(dir, haggle, sessions(10, 17), 4_000)
  expect(readdirSync(dir).length).toBeGreaterThan(4)
  expect(await build(dir, haggle)).toMatchObject({ matches: 17, added: { matches: 7 }, anew: false })
  expect(await build(dir, haggle)).toMatchObject({ matches: 17, added: { matches: 0, events: 0 }, anew: false })
  await build(dir, haggle, true, 'again.db')
  expect(dump(join(dir, 'events.db'))).toEqual(dump(join(dir, 'again.db')))
  expect(await check()).toEqual({ matches: 17, problems: [] })
  expect(readdirSync(dir).filter((name) => name.endsWith('.new'))).toEqual([])
})

test('a stopped build has kept its parts, and the next one goes on from there', async () => {
  const own = dice(9)
  for (let from = 0; from < 12; from += 3)
    await record(
      dir,
      haggle,
      [from, from + 1, from + 2].map((match) => haggleMatch(match, own).played),
      4_000,
    )
  const order = { ...segmentsIn(dir), file: join(dir, 'events.db'), anew: false, partMs: 0 }
  let begun = 0
  const stopping: DatabaseContents = {
    ...eventContents,
    open(database, game) {
      const { begin, finish } = eventContents.open(database, game)
      return {
        begin(header, facts) {
          if (++begun > 5) throw new Error('stopped')
          return begin(header, facts)
        },
        finish,
      }
    },
  }
  await expect(buildDatabase(haggle, order, stopping)).rejects.toThrow('stopped')
  expect(query('SELECT count(*) AS n FROM matches')).toEqual([{ n: 5 }])
  expect(await buildDatabase(haggle, order, eventContents)).toMatchObject({
    ...{ matches: 12, added: { matches: 7 }, anew: false },
  })
  await build(dir, haggle, true, 'again.db')
  expect(dump(order.file)).toEqual(dump(join(dir, 'again.db')))
  expect(await check()).toEqual({ matches: 12, problems: [] })
  expect(readdirSync(dir).filter((name) => name.endsWith('.new'))).toEqual([])
})

test('what has been read is not read again', async () => {
  await record(dir, haggle, sessions(0, 10), 4_000)
  await build(dir, haggle)
  // The first segment is complete, and nothing that comes later begins in it.
  writeFileSync(join(dir, 'segment-000001.jsonl'), 'damaged\n')
  await record(dir, haggle, []).catch(() => undefined)
  expect(await build(dir, haggle)).toMatchObject({ matches: 10, anew: false })
  await expect(build(dir, haggle, true)).rejects.toThrow(refusal('history-damaged'))
  await expect(check()).rejects.toThrow(refusal('history-damaged'))
})

test('a run that never ended, and one that is played again, count once', async () => {
  const [first, second] = sessions(0, 2)
  await record(dir, haggle, [{ ...first!, ends: false }, second!], 2_000)
  await build(dir, haggle)
  expect(query('SELECT match FROM matches')).toEqual([{ match: 1 }])
  await record(dir, haggle, [first!, first!], 2_000)
  expect(await build(dir, haggle)).toMatchObject({ matches: 2, added: { matches: 1 } })
  await build(dir, haggle, true, 'again.db')
  expect(dump(join(dir, 'events.db'))).toEqual(dump(join(dir, 'again.db')))
})

test('lines that no seal covers yet are left for later', async () => {
  await record(dir, haggle, sessions(0, 3))
  const [segment] = readdirSync(dir)
  const path = join(dir, segment!)
  const whole = readFileSync(path)
  const lastSeal = whole.lastIndexOf('\n', whole.length - 2) + 1
  writeFileSync(path, whole.subarray(0, lastSeal))
  const { matches } = await build(dir, haggle)
  expect(matches).toBeLessThan(3)
  appendFileSync(path, whole.subarray(lastSeal))
  expect(await build(dir, haggle)).toMatchObject({ matches: 3, anew: false })
  expect(await check()).toEqual({ matches: 3, problems: [] })
})

test.each([
  ['of other tables', (path: string) => change(path, "UPDATE made_of SET value = 'x' WHERE name = 'form'")],
  ['that is not a database', (path: string) => writeFileSync(path, 'no database at all, but some text'.repeat(99))],
  ['that is empty', (path: string) => writeFileSync(path, '')],
])('a database %s is built again', async (_, spoil) => {
  await record(dir, haggle, sessions(0, 4))
  await build(dir, haggle)
  spoil(join(dir, 'events.db'))
  expect(await build(dir, haggle)).toMatchObject({ matches: 4, anew: true })
})

test('segments that another class has signed are refused', async () => {
  await record(dir, haggle, sessions(0, 2))
  const order = { ...segmentsIn(dir), key: passingKey().publicKey, file: join(dir, 'events.db'), anew: false }
  await expect(buildDatabase(haggle, order, eventContents)).rejects.toThrow(refusal('history-damaged'))
  expect(readdirSync(dir)).toEqual(['segment-000001.jsonl'])
})

test('the comparison with the segments finds rows that were changed, added or removed', async () => {
  await record(dir, haggle, sessions(0, 6))
  await build(dir, haggle)
  const path = join(dir, 'events.db')
  copyFileSync(path, join(dir, 'kept.db'))
  const changes: readonly [string, RegExp][] = [
    ['DELETE FROM matches WHERE match = 3', /Match 3 is in the segments and not/],
    ["UPDATE matches SET head = 'x' WHERE match = 1", /Match 1 has another head/],
    ['DELETE FROM events WHERE match = 2 AND move = 1', /Match 2 has \d+ rows of events/],
    ['INSERT INTO faults SELECT * FROM faults LIMIT 1', /rows of faults/],
    ['DELETE FROM demands WHERE match = 4 AND turn = 1', /Match 4 has \d+ rows in the tables of the game/],
    ['DELETE FROM seats WHERE match = 2 AND entrant_seat = 0', /Match 2 has \d+ rows of seats/],
    ['DELETE FROM points WHERE match = 2', /Match 2 has 0 rows of points/],
    ["INSERT INTO removals VALUES (1, 'ben', 1, 2, 'x', NULL, 'x')", /Match 1 has 1 rows of removals/],
    ['UPDATE matches SET match = 77 WHERE match = 5', /Match 77 is in the database and not/],
    ['UPDATE matches SET inputs = inputs + 1 WHERE match = 0', /Match 0 has \d+ inputs in the segments/],
  ]
  for (const [statement, problem] of changes) {
    copyFileSync(join(dir, 'kept.db'), path)
    change(path, statement)
    expect((await check()).problems.join(' ')).toMatch(problem)
  }
  writeFileSync(path, 'not a database')
  expect((await check()).problems).toHaveLength(1)
})

test('the comparison allows a contest to go on meanwhile', async () => {
  await record(dir, haggle, sessions(0, 3), 4_000)
  await build(dir, haggle)
  const goOn = async () => {
    await record(dir, haggle, sessions(3, 6), 4_000)
    await build(dir, haggle)
    await record(dir, haggle, sessions(6, 8), 4_000)
  }
  expect(await check(goOn)).toEqual({ matches: 6, problems: [] })
  change(join(dir, 'events.db'), 'UPDATE matches SET match = 77 WHERE match = 1')
  const { problems } = await check(() => record(dir, haggle, sessions(8, 10), 4_000))
  // Those that ended before are missed.
  expect(problems.map((problem) => /^Match (\d+)/.exec(problem)?.[1]).sort()).toEqual(['1', '6', '7', '77'])
})

test('a match that the segments have lost is not kept', async () => {
  const [first, second, third] = sessions(0, 3)
  await record(dir, haggle, [first!, second!])
  await record(dir, haggle, [third!])
  expect(await build(dir, haggle)).toMatchObject({ matches: 3 })
  // As after a power cut.
  rmSync(join(dir, 'segment-000002.jsonl'))
  expect(await build(dir, haggle)).toMatchObject({ matches: 2, anew: true })
  await record(dir, haggle, [third!])
  await build(dir, haggle)
  rmSync(join(dir, 'segment-000002.jsonl'))
  // It is played again, in another way.
  await record(dir, haggle, [{ ...sessions(2, 3)[0]!, match: 2 }])
  expect(await build(dir, haggle)).toMatchObject({ matches: 3, anew: true })
  expect(await check()).toEqual({ matches: 3, problems: [] })
})

test('a database is written only while enough of the disk is free, and one that has all matches needs nothing', async () => {
  await record(dir, haggle, sessions(0, 3))
  const order = { ...segmentsIn(dir), file: join(dir, 'events.db'), anew: false, free: Number.MAX_SAFE_INTEGER }
  await expect(buildDatabase(haggle, order, eventContents)).rejects.toThrow(refusal('disk-full'))
  await build(dir, haggle)
  expect(await buildDatabase(haggle, order, eventContents)).toMatchObject({ matches: 3, anew: false })
  const before = readFileSync(order.file)
  await record(dir, haggle, sessions(3, 4))
  await expect(buildDatabase(haggle, order, eventContents)).rejects.toThrow(refusal('disk-full'))
  expect(readFileSync(order.file).equals(before)).toBe(true)
  expect(readdirSync(dir).filter((name) => name.endsWith('.new'))).toEqual([])
})

test.each([
  [0, 100],
  [80, 160],
  [5_000, 1_024],
])('the room that a database of %i MB of histories leaves is %i MB', (histories, free) => {
  expect(freeFor(histories * 1_048_576)).toBe(free * 1_048_576)
})

test('a file that is in use is replaced when it is free again, or stays', async () => {
  await record(dir, haggle, [])
  const move = (tries: number) => {
    let left = tries
    return (from: string, to: string): Promise<void> =>
      left-- > 0 ? Promise.reject(Object.assign(new Error('in use'), { code: 'EBUSY' })) : rename(from, to)
  }
  const [from, to] = [join(dir, 'new'), join(dir, 'old')]
  writeFileSync(from, 'new')
  writeFileSync(to, 'old')
  const [stays, fails] = await Promise.allSettled([
    putInPlace(from, to, true, move(99)),
    putInPlace(from, to, false, move(99)),
  ])
  expect(stays).toEqual({ status: 'fulfilled', value: false })
  expect(fails).toMatchObject({ status: 'rejected', reason: { code: 'EBUSY' } })
  expect(readFileSync(to, 'utf8')).toBe('old')
  expect(await putInPlace(from, to, false, move(2))).toBe(true)
  expect(readFileSync(to, 'utf8')).toBe('new')
})

test('a match that the rules refuse has no rows of the game, and says why', async () => {
  const [first, second] = sessions(0, 2)
  const other = { ...haggle, version: 2 }
  await record(dir, other, [first!])
  await record(dir, haggle, [second!])
  await build(dir, haggle)
  expect(query('SELECT match, broken, rows FROM matches WHERE match = 0')).toMatchObject([{ match: 0, rows: 0 }])
  expect(query('SELECT broken FROM matches WHERE match = 0')[0]!['broken']).toMatch(/version 2/)
  expect(query('SELECT DISTINCT match FROM sessions')).toEqual([{ match: 1 }])
})

test('what a process that was killed has left is removed when it is old', async () => {
  await record(dir, haggle, sessions(0, 1))
  const left = (digit: string): string => `events.db.${digit.repeat(8)}-0000-0000-0000-000000000000.new`
  for (const digit of ['1', '2']) writeFileSync(join(dir, left(digit)), 'half')
  const longAgo = new Date(Date.now() - 86_400_000)
  utimesSync(join(dir, left('1')), longAgo, longAgo)
  await build(dir, haggle)
  expect(readdirSync(dir).sort()).toEqual(['events.db', left('2'), 'segment-000001.jsonl'])
})

test('what a process that has ended has left is removed at once', async () => {
  await record(dir, haggle, sessions(0, 1))
  const { pid } = spawnSync(process.execPath, ['--version'])
  const left = (writer: number): string => `events.db.${writer}.11111111-0000-0000-0000-000000000000.new`
  for (const writer of [pid, process.pid]) writeFileSync(join(dir, left(writer)), 'half')
  await build(dir, haggle)
  expect(readdirSync(dir).sort()).toEqual(['events.db', left(process.pid), 'segment-000001.jsonl'])
})

test('nobody but its owner can read the file', async () => {
  await record(dir, haggle, sessions(0, 1))
  await build(dir, haggle)
  expect(statSync(join(dir, 'events.db')).mode & 0o777).toBe(0o600)
})

test('the schema describes exactly the columns that there are', async () => {
  await record(dir, haggle, sessions(0, 1))
  await build(dir, haggle)
  const database = new DatabaseSync(join(dir, 'events.db'), { readOnly: true })
  for (const { name, columns } of schemaOf('haggle')) {
    const found = database.prepare(`SELECT * FROM "${name}"`).columns()
    expect(found.map((column) => column.name)).toEqual(columns.map((column) => column.name))
    for (const { about } of columns) expect(about).toMatch(/^[^A-Z.].*[^.]$/s)
  }
  database.close()
})

function change(path: string, statement: string): void {
  const database = new DatabaseSync(path)
  database.exec(statement)
  database.close()
}
