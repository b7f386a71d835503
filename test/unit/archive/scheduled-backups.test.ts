import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { whyUnusable } from '../../../main/services/archive/backup-test.ts'
import { createOngoingTasks } from '../../../main/services/ongoing-tasks.ts'
import { openScheduledBackups, type ScheduledBackups } from '../../../main/services/archive/scheduled-backups.ts'
import { setClock, type SetClock } from '../../../main/services/contests/recurring/set-clock.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { contentsOf, makeClass } from './made-class.ts'

interface Scene {
  readonly home: ClassFolder
  readonly stick: string
  readonly clock: SetClock
  readonly backups: ScheduledBackups
  readonly notices: string[]
  /** Sets the clock, and waits until the state is as it should be. */
  at(time: string, holds: (state: NonNullable<ReturnType<ScheduledBackups['state']>>) => boolean): Promise<void>
}

async function scene(everyHours: number): Promise<Scene> {
  const folder = temporaryFolder('scheduled')
  const data = join(folder, 'data')
  await makeClass(data)
  return opened(data, join(folder, 'stick'), everyHours)
}

/** Opens a class that copies itself to a stick. */
async function opened(data: string, stick: string, everyHours: number): Promise<Scene> {
  const home = await openClassFolder(data)
  await home.change(({ settings }) => void (settings.backups = { folder: stick, everyHours }))
  const clock = setClock('2026-11-02T08:00:00.000Z')
  const notices: string[] = []
  const fatal: unknown[] = []
  const backups = openScheduledBackups({
    ongoing: createOngoingTasks(),
    ...{ home, clock, onChange: () => undefined },
    onNotice: (text) => void notices.push(text),
    onFatal: (error) => void fatal.push(error),
  })
  onTestFinished(async () => {
    await backups.close()
    await home.close()
    expect(fatal).toEqual([])
  })
  return {
    ...{ home, stick, clock, backups, notices },
    async at(time, holds) {
      clock.set(time)
      await vi.waitFor(() => expect(holds(backups.state()!)).toBe(true), { timeout: 30_000 })
    },
  }
}

/** The folder of a class on a stick. */
const ownIn = (stick: string, data = 'data'): string =>
  join(stick, readdirSync(stick).find((name) => name.startsWith(`${data}-`)) ?? '')
const backupsIn = (stick: string, data = 'data'): readonly string[] =>
  readdirSync(ownIn(stick, data))
    .filter((name) => name.startsWith('20') && !name.endsWith('.json'))
    .toSorted()

test('a class copies itself when it is time, and each copy is the class', async () => {
  const { home, stick, at, notices } = await scene(6)
  mkdirSync(stick)
  await at('2026-11-02T08:00:00.000Z', ({ last }) => last === '2026-11-02T08:00:00.000Z')
  await at('2026-11-02T13:59:00.000Z', ({ next }) => next === '2026-11-02T14:00:00.000Z')
  expect(backupsIn(stick)).toEqual(['2026-11-02T08-00-00-000Z'])
  await at('2026-11-02T14:00:00.000Z', ({ last }) => last === '2026-11-02T14:00:00.000Z')
  expect(backupsIn(stick)).toHaveLength(2)
  const [copy, original] = [contentsOf(join(ownIn(stick), backupsIn(stick)[1]!)), contentsOf(home.folder)]
  expect(copy).toEqual(Object.fromEntries(Object.entries(original).filter(([path]) => !path.startsWith('contests'))))
  expect(notices).toEqual([])
})

const testedIn = (stick: string): unknown => JSON.parse(readFileSync(join(ownIn(stick), 'tested.json'), 'utf8'))

test('once a week the newest copy is tested, and of the others the one that was tested longest ago; the result is kept', async () => {
  const { stick, at, notices } = await scene(24)
  mkdirSync(stick)
  const [first, second, third] = ['2026-11-02', '2026-11-09', '2026-11-16'].map((day) => `${day}T08:00:00.000Z`)
  const nameOf = (time: string): string => time.replaceAll(/[:.]/g, '-')
  await at(first!, ({ tested }) => tested !== null)
  const begun = {
    at: first,
    problem: null,
    copies: 1,
    before: { [nameOf(first!)]: first },
    problems: {},
    listed: [nameOf(first!)],
  }
  expect(testedIn(stick)).toEqual(begun)
  for (const day of ['03', '04']) {
    const time = `2026-11-${day}T08:00:00.000Z`
    await at(time, ({ last }) => last === time)
  }
  expect(testedIn(stick)).toEqual(begun)
  await at(second!, ({ tested }) => tested?.at === second)
  const untested = '2026-11-03T08:00:00.000Z'
  expect(testedIn(stick)).toMatchObject({
    ...{ at: second, problem: null, copies: 2 },
    before: { [nameOf(first!)]: first, [nameOf(untested)]: second, [nameOf(second!)]: second },
  })
  await at(third!, ({ tested }) => tested?.at === third)
  expect(testedIn(stick)).toMatchObject({ copies: 2, before: { '2026-11-04T08-00-00-000Z': third } })
  expect(notices).toEqual([])
})

test('an old copy that has decayed is found, although the newest is whole', async () => {
  const { stick, at, notices } = await scene(24)
  mkdirSync(stick)
  await at('2026-11-02T08:00:00.000Z', ({ tested }) => tested !== null)
  const old = join(ownIn(stick), backupsIn(stick)[0]!)
  const file = join(old, 'handed-in/deep/file.bin')
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(file, bytes)
  await at('2026-11-09T08:00:00.000Z', ({ tested }) => tested?.at === '2026-11-09T08:00:00.000Z')
  expect(testedIn(stick)).toMatchObject({ problem: expect.stringContaining('handed-in/deep/file.bin') as string })
  expect(notices).toEqual([expect.stringContaining(old)])
  // It is not forgotten when others are tested, and does not hide them.
  const [, other] = backupsIn(stick)
  rmSync(join(ownIn(stick), `${other!}.sums.json`))
  const opened = join(ownIn(stick), '2026-11-10T08-00-00-000Z')
  mkdirSync(join(opened, 'class-copies'), { recursive: true })
  await at('2026-11-16T08:00:00.000Z', ({ tested }) => tested?.at === '2026-11-16T08:00:00.000Z')
  const { problems } = testedIn(stick) as { problems: Record<string, string> }
  expect(Object.keys(problems)).toEqual([basename(old), other])
  expect(testedIn(stick)).toMatchObject({ problem: Object.values(problems).join(' '), copies: 3 })
  // Opening it to look mends nothing.
  mkdirSync(join(old, 'class-copies'))
  await at('2026-11-23T08:00:00.000Z', ({ tested }) => tested?.at === '2026-11-23T08:00:00.000Z')
  expect(testedIn(stick)).toMatchObject({ problems, copies: 3 })
  rmSync(old, { recursive: true })
  await at('2026-11-30T08:00:00.000Z', ({ tested }) => tested?.at === '2026-11-30T08:00:00.000Z')
  expect(testedIn(stick)).toMatchObject({ problem: problems[other!] })
})

test('a stick that is missing gives one notice, is not made, and is used when it is there again', async () => {
  const { stick, at, notices, backups } = await scene(6)
  await at('2026-11-02T08:00:00.000Z', ({ problem }) => problem !== null)
  await at('2026-11-02T08:15:00.000Z', ({ next }) => next === '2026-11-02T08:30:00.000Z')
  expect(notices).toEqual([expect.stringContaining(stick)])
  // Nor may it be a file: the copies before stay, and the notice is another one.
  writeFileSync(stick, '')
  await at('2026-11-02T08:30:00.000Z', ({ next }) => next === '2026-11-02T08:45:00.000Z')
  expect(notices).toHaveLength(2)
  rmSync(stick)
  mkdirSync(stick)
  await at('2026-11-02T08:45:00.000Z', ({ problem, last }) => problem === null && last !== null)
  expect(backupsIn(stick)).toEqual(['2026-11-02T08-45-00-000Z'])
  expect(readdirSync(ownIn(stick)).filter((name) => name.endsWith('.new'))).toEqual([])
  expect([notices.length, backups.state()!.problem]).toEqual([2, null])
})

test('old copies are thinned, and those that were made by hand or have been opened stay', async () => {
  const { stick, at } = await scene(24)
  mkdirSync(stick)
  await at('2026-11-02T08:00:00.000Z', ({ last }) => last === '2026-11-02T08:00:00.000Z')
  const old = ['2026-09-01T07-00-00-000Z', '2026-09-01T08-00-00-000Z', '2026-09-01T09-00-00-000Z', '7', 'notes']
  for (const name of old) mkdirSync(join(ownIn(stick), name))
  mkdirSync(join(ownIn(stick), old[0]!, 'class-copies'))
  await at('2026-11-03T08:00:00.000Z', ({ last }) => last === '2026-11-03T08:00:00.000Z')
  const copies = ['2026-11-02T08-00-00-000Z', '2026-11-03T08-00-00-000Z']
  const kept = [...copies, ...copies.map((name) => `${name}.sums.json`), 'tested.json']
  expect(readdirSync(ownIn(stick)).toSorted()).toEqual([...old.filter((name) => name !== old[1]), ...kept].toSorted())
})

test('copies are thinned although no further one succeeds, and what was broken off is removed', async () => {
  const { stick, at } = await scene(24)
  mkdirSync(stick)
  await at('2026-11-02T08:00:00.000Z', ({ last }) => last === '2026-11-02T08:00:00.000Z')
  const old = ['2026-09-01T08-00-00-000Z', '2026-09-01T09-00-00-000Z', '.2026-11-01T08-00-00-000Z.new', '.7.new']
  // In the way of the next copy.
  const [copied, next] = ['2026-11-02T08-00-00-000Z', '2026-11-03T08-00-00-000Z']
  writeFileSync(join(ownIn(stick), '2026-10-01T08-00-00-000Z.sums.json'), '')
  for (const name of [...old, next]) mkdirSync(join(ownIn(stick), name, 'deep'), { recursive: true })
  await at('2026-11-03T08:00:00.000Z', ({ problem }) => problem !== null)
  expect(readdirSync(ownIn(stick)).toSorted()).toEqual(
    ['.7.new', old[1]!, copied, `${copied}.sums.json`, next, 'tested.json'].toSorted(),
  )
})

test('two classes on one stick, of which one is a copy of the other, keep and test their own copies', async () => {
  const first = await scene(24)
  mkdirSync(first.stick)
  await first.at('2026-11-02T08:00:00.000Z', ({ tested }) => tested !== null)
  const again = join(temporaryFolder('again'), 'again')
  cpSync(join(ownIn(first.stick), backupsIn(first.stick)[0]!), again, { recursive: true })
  const second = await opened(again, first.stick, 24)
  expect(second.home.key.publicKey).toBe(first.home.key.publicKey)
  // It would not be due, if both were one class.
  await second.at('2026-11-02T09:00:00.000Z', ({ tested }) => tested?.at === '2026-11-02T09:00:00.000Z')
  // The first copy would be surplus then.
  await second.at('2027-01-02T09:00:00.000Z', ({ last }) => last === '2027-01-02T09:00:00.000Z')
  expect([backupsIn(first.stick), backupsIn(first.stick, 'again')]).toEqual([
    ['2026-11-02T08-00-00-000Z'],
    ['2026-11-02T09-00-00-000Z', '2027-01-02T09-00-00-000Z'],
  ])
})

test('a class that was opened in its folder for backups is not copied there, and not deleted', async () => {
  const { stick, at } = await scene(24)
  mkdirSync(stick)
  await at('2026-11-02T08:00:00.000Z', ({ tested }) => tested !== null)
  const data = join(ownIn(stick), backupsIn(stick)[0]!)
  const inside = await opened(data, stick, 24)
  await inside.at('2027-01-02T08:00:00.000Z', ({ problem }) => problem !== null)
  expect(inside.backups.state()).toMatchObject({ last: null, problem: expect.stringContaining(data) as string })
  // Nor does the class of which it is a copy delete it for a newer one of the same week.
  mkdirSync(join(ownIn(stick), '2026-11-02T20-00-00-000Z'))
  for (const day of ['2027-01-02', '2027-01-03', '2027-01-04'])
    await at(`${day}T09:00:00.000Z`, ({ last }) => last === `${day}T09:00:00.000Z`)
  expect(existsSync(join(data, 'class.json'))).toBe(true)
})

test('copies go on after a clock that was ahead is set back', async () => {
  const { stick, at, backups } = await scene(24)
  mkdirSync(stick)
  await at('2027-11-02T08:00:00.000Z', ({ tested }) => tested !== null)
  await at('2026-11-02T08:00:00.000Z', () => true)
  backups.changed()
  await at('2026-11-02T08:00:01.000Z', ({ tested }) => tested?.at === '2026-11-02T08:00:01.000Z')
  expect(backups.state()).toMatchObject({ last: '2026-11-02T08:00:01.000Z', next: '2026-11-03T08:00:01.000Z' })
})

test('a copy with a file that has changed, is missing, or was added is not as it was copied', async () => {
  const { stick, at } = await scene(24)
  mkdirSync(stick)
  await at('2026-11-02T08:00:00.000Z', ({ tested }) => tested !== null)
  const copy = join(ownIn(stick), backupsIn(stick)[0]!)
  const agent = join(copy, 'agents/deep/file.bin')
  const bytes = readFileSync(agent)
  writeFileSync(agent, Buffer.from(bytes).fill(0, 0, 1))
  expect(await whyUnusable(copy)).toContain('agents/deep/file.bin')
  rmSync(agent)
  expect(await whyUnusable(copy)).toContain('agents/deep/file.bin')
  writeFileSync(agent, bytes)
  expect(await whyUnusable(copy)).toBeNull()
  await expect(whyUnusable(copy, undefined, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ code: 'disk-full' })
  writeFileSync(join(copy, 'agents/more'), '')
  expect(await whyUnusable(copy)).toContain('agents/more')
  rmSync(join(copy, 'agents/more'))
  writeFileSync(`${copy}.sums.json`, '{}')
  expect(await whyUnusable(copy)).toContain('.sums.json')
})

test('a damaged copy of an older version, which has no checksums, is found by opening it', async () => {
  const { stick, at } = await scene(24)
  mkdirSync(stick)
  await at('2026-11-02T08:00:00.000Z', ({ tested }) => tested !== null)
  const copy = join(ownIn(stick), backupsIn(stick)[0]!)
  rmSync(`${copy}.sums.json`)
  expect(await whyUnusable(copy)).toBeNull()
  const people = readFileSync(join(copy, 'people.db'))
  writeFileSync(join(copy, 'people.db'), people.subarray(0, 5_000))
  expect(await whyUnusable(copy)).toContain('people.db')
  writeFileSync(join(copy, 'people.db'), people)
  writeFileSync(join(copy, 'gradebook.json'), '{')
  expect(await whyUnusable(copy)).toContain('gradebook.json')
  rmSync(join(copy, 'gradebook.json'))
  rmSync(join(copy, 'keys/class.pem'))
  expect(await whyUnusable(copy)).toContain('class.pem')
  rmSync(join(copy, 'class.json'))
  expect(await whyUnusable(copy)).toContain('class.json')
})

test('a copy that is too large for the scratch disk is not called damaged', async () => {
  const { stick, at } = await scene(24)
  mkdirSync(stick)
  await at('2026-11-02T08:00:00.000Z', ({ tested }) => tested !== null)
  const copy = join(ownIn(stick), backupsIn(stick)[0]!)
  // A file with a hole: 8 TB that take no room.
  writeFileSync(join(copy, 'agents/large'), '')
  truncateSync(join(copy, 'agents/large'), 8 * 1024 ** 4)
  await expect(whyUnusable(copy)).rejects.toMatchObject({ code: 'disk-full' })
})
