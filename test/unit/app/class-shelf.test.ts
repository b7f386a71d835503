import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClassFolder, readClass, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { classesBeside, createClassShelf, requireFree } from '../../../main/app/class-shelf.ts'
import { defaultDataFolder } from '../../../main/services/machine/data-folder.ts'
import { exportOpenClass } from '../../../main/services/archive/export-class.ts'
import { failure, refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('shelf')
const data = join(folder, 'algebra')
const shown: string[] = []
const made: string[] = []
const shelf = createClassShelf({
  ...{ opens: 'here', home: classesBeside(data) },
  known: () => [{ folder: join(folder, 'gone'), name: 'Gone' }],
  makeSample: async (sample, _now, onStep) => {
    onStep('week 1')
    made.push((await shelf.get(home)).makingSample ?? '')
    mkdirSync(sample, { recursive: true })
    writeFileSync(join(sample, 'class.json'), '{}')
  },
  async show(each) {
    shown.push(each)
    return null
  },
})
let home: ClassFolder

beforeAll(async () => {
  home = await openClassFolder(data)
  await home.change(({ settings }) => void (settings.school = 'Algebra'))
})
afterAll(() => home.close())

test('a new class is empty, has its name, and gets a folder of its own beside the others', async () => {
  const made = [await shelf.create('Geometry 2'), await shelf.create('Geometry 2'), await shelf.create('con')]
  const names = made.map((each) => each.folder.slice(classesBeside(data).length + 1))
  expect(names).toEqual(['geometry-2', 'geometry-2-2', 'class-con'])
  // A class that is begun from another of them lies beside it.
  expect(classesBeside(made[0]!.folder)).toBe(classesBeside(data))
  const content = await readClass(made[0]!.folder)
  expect([content.settings.school, content.contests, content.agents, content.people]).toEqual([
    'Geometry 2',
    [],
    [],
    [],
  ])
  // Nobody holds it.
  requireFree(made[0]!.folder)
})

test('the classes are those that were made and those that were open, without the present one and what is being made', async () => {
  mkdirSync(join(classesBeside(data), '.import-x.new'))
  writeFileSync(join(classesBeside(data), '.import-x.new', 'class.json'), '{}')
  const { current, others, makingSample } = await shelf.get(home)
  expect([current, makingSample]).toEqual([{ folder: data, name: 'Algebra' }, null])
  expect(others.map(({ name }) => name)).toEqual(['class-con', 'geometry-2', 'geometry-2-2'])
})

test('a class is shown; one that is open already, newer or not a class is refused before anything is closed', async () => {
  const other = join(classesBeside(data), 'geometry-2')
  shown.length = 0
  await expect(shelf.open(home, data)).rejects.toEqual(refusal('class-open-already', data))
  await expect(shelf.open(home, join(folder, 'nothing'))).rejects.toEqual(refusal('data-folder-unknown'))
  await expect(shelf.open(home, folder)).rejects.toEqual(refusal('data-folder-unknown', folder))
  const newer = join(folder, 'newer')
  mkdirSync(newer)
  writeFileSync(join(newer, 'class.json'), '{"format": "tartaglia-class/99"}')
  await expect(shelf.open(home, newer)).rejects.toEqual(refusal('data-folder-newer'))
  expect(readdirSync(newer)).toEqual(['class.json'])
  expect(shown).toEqual([])
  await shelf.open(home, other)
  expect(shown).toEqual([other])
  const open = await openClassFolder(other)
  expect(() => requireFree(other)).toThrow(expect.objectContaining({ code: 'data-folder-in-use' }))
  await open.close()
  requireFree(other)
})

test('a class that is called like the sample term has another folder', async () => {
  expect(basename((await shelf.create('Sample term')).folder)).toBe('sample-term-2')
})

test('the sample term is made once, also for two who ask, and its steps are told', async () => {
  let changes = 0
  shelf.onChange.add(() => (changes += 1))
  const [first, second] = await Promise.all([shelf.sampleTerm(), shelf.sampleTerm()])
  expect([first, second]).toEqual([first, first])
  expect([await shelf.sampleTerm(), made, changes >= 3]).toEqual([first, ['week 1'], true])
  expect((await shelf.get(home)).makingSample).toBeNull()
})

test('the launcher opens the sample term where the window makes it, among the data of the user on each system', async () => {
  const url = pathToFileURL(join(import.meta.dirname, '../../../scripts/sample-term-folder.mjs')).href
  const { sampleTermFolder } = (await import(url)) as { sampleTermFolder: typeof defaultDataFolder }
  for (const [env, system] of [
    [{ TARTAGLIA_DATA: '/class' }, 'linux'],
    [{}, 'linux'],
    [{ XDG_DATA_HOME: '/xdg' }, 'linux'],
    [{ XDG_DATA_HOME: 'relative' }, 'linux'],
    [{}, 'darwin'],
    [{ APPDATA: '/roaming' }, 'win32'],
    [{}, 'win32'],
  ] as const) {
    const usual = defaultDataFolder(env, system, '/home/a')
    const sample = sampleTermFolder(env, system, '/home/a')
    expect(sample).toBe(join(classesBeside(usual), 'sample-term'))
    expect(classesBeside(sample)).toBe(classesBeside(usual))
  }
  // A user without a home, as in a container, is asked for a folder where none is named.
  for (const [env, system] of [
    [{ TARTAGLIA_DATA: '/class' }, 'linux'],
    [{ XDG_DATA_HOME: '/xdg' }, 'linux'],
    [{ APPDATA: '/roaming' }, 'win32'],
  ] as const)
    expect(sampleTermFolder(env, system, null)).toBe(
      join(classesBeside(defaultDataFolder(env, system, null)), 'sample-term'),
    )
  expect(() => sampleTermFolder({}, 'linux', null)).toThrow(failure('--data', 'HOME'))
})

test('a class that is open is exported and imported under a new folder, and a new term of it has its own name', async () => {
  const file = join(folder, 'open.tar.gz')
  await exportOpenClass(home, { path: file, overwrite: false }, null)
  const { folder: copy } = await shelf.import(file, 'Algebra copy', null)
  expect((await readClass(copy)).settings.school).toBe('Algebra')
  writeFileSync(file, 'not an archive')
  await expect(shelf.import(file, 'Broken', null)).rejects.toEqual(refusal('archive-not-of-class'))
  expect(existsSync(join(classesBeside(data), 'broken'))).toBe(false)
  const term = await shelf.newTerm(home.folder, {
    ...{ name: 'Algebra 2027', firstDay: null, oldAgents: false, now: Date.now(), zone: 'UTC' },
  })
  expect((await readClass(term.folder)).settings.school).toBe('Algebra 2027')
})
