import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { procedures } from '../../../main/contract/procedures/procedures.ts'
import { template } from '../../../renderer/screens/challenges/template.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { refusal } from '../../refusal.ts'

const place = openPlace('service-challenges')
const data = join(place.folder, 'data')
let room: Room

beforeAll(async () => {
  room = await openRoom(data)
})
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const named = (name: string): string => template.replace('my-challenge', name)
const names = async (): Promise<readonly string[]> => (await room.call('challenges.list', {})).map(({ name }) => name)

test('a challenge is saved beside the shipped ones, replaced when that is meant, and deleted', async () => {
  const shipped = await names()
  expect(shipped).toContain('max-csp')
  const saved = await room.call('challenges.save', { name: 'mine', source: named('mine'), from: null })
  expect(saved).toMatchObject({ name: 'mine', title: 'My challenge', own: true, problem: null })
  expect(await names()).toEqual([...shipped, 'mine'])
  await expect(room.call('challenges.save', { name: 'mine', source: named('mine'), from: null })).rejects.toThrow(
    refusal('name-taken', 'mine'),
  )
  const other = named('mine').replace('My challenge', 'Another title')
  await room.call('challenges.save', { name: 'mine', source: other, from: saved.version })
  expect(await room.call('challenges.get', { name: 'mine' })).toMatchObject({ title: 'Another title', source: other })
  expect(await readdir(join(data, 'challenges'))).toEqual(['mine.challenge'])
  await room.call('challenges.delete', { name: 'mine' })
  expect(await names()).toEqual(shipped)
  await expect(room.call('challenges.delete', { name: 'mine' })).rejects.toThrow(refusal('challenge-unknown', 'mine'))
})

test('of two who change one version the second is told, and nothing is written over', async () => {
  const { version } = await room.call('challenges.save', { name: 'shared', source: named('shared'), from: null })
  expect(await room.call('challenges.get', { name: 'shared' })).toMatchObject({ version })
  const [one, two] = ['One', 'Two'].map((title) => named('shared').replace('My challenge', title)) as [string, string]
  const first = await room.call('challenges.save', { name: 'shared', source: one, from: version })
  expect(first.version).not.toBe(version)
  const late = room.call('challenges.save', { name: 'shared', source: two, from: version })
  await expect(late).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('saved elsewhere') })
  expect(await room.call('challenges.get', { name: 'shared' })).toMatchObject({ source: one, version: first.version })
  await room.call('challenges.save', { name: 'shared', source: two, from: first.version })
  expect(await room.call('challenges.get', { name: 'shared' })).toMatchObject({ source: two })

  // At the same moment: one of them is first.
  const { version: newest } = await room.call('challenges.get', { name: 'shared' })
  const both = [one, named('shared')].map((source) =>
    room.call('challenges.save', { name: 'shared', source, from: newest }),
  )
  expect((await Promise.allSettled(both)).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])

  await room.call('challenges.delete', { name: 'shared' })
  const gone = room.call('challenges.save', { name: 'shared', source: two, from: newest })
  await expect(gone).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('deleted elsewhere') })
})

test('what ships is neither written over nor deleted, even where a file of its name lies in the class', async () => {
  const save = { name: 'max-csp', source: named('max-csp'), from: '0'.repeat(64) }
  await expect(room.call('challenges.save', save)).rejects.toThrow(refusal('built-in', save.name))
  await expect(room.call('challenges.delete', { name: 'max-csp' })).rejects.toThrow(refusal('built-in', 'max-csp'))
  await mkdir(join(data, 'challenges'), { recursive: true })
  await writeFile(join(data, 'challenges', 'max-csp.challenge'), named('max-csp'))
  await writeFile(join(data, 'challenges', 'Not a name.challenge'), 'x')
  expect((await names()).filter((name) => name === 'max-csp')).toHaveLength(1)
  expect(await room.call('challenges.get', { name: 'max-csp' })).toMatchObject({ own: false })
  expect(await names()).not.toContain('Not a name')
})

test.each(['../up', 'a/b', '', 'A', '-a', 'a--b', 'new', 'a'.repeat(65), 'a.challenge', 'a\0'])(
  'the name %j is refused',
  (name) => {
    const { input } = procedures['challenges.save']
    expect(input.safeParse({ name, source: '', from: null }).success).toBe(false)
    expect(procedures['challenges.delete'].input.safeParse({ name }).success).toBe(false)
  },
)

test('a file of another name, and one that is too long, are refused', async () => {
  const save = { name: 'one', source: named('two'), from: null }
  await expect(room.call('challenges.save', save)).rejects.toThrow(refusal('name-differs', 'two'))
  const { input } = procedures['challenges.save']
  expect(input.safeParse({ ...save, source: 'x'.repeat(1_000_001) }).success).toBe(false)
})

test('a draft is kept with its errors, and no contest takes it until they are mended', async () => {
  const broken = named('sketch').replace('goal = max', 'goal = best')
  const { problem, version } = await room.call('challenges.save', { name: 'sketch', source: broken, from: null })
  expect(problem).toMatch(/^line \d+, column \d+: /)
  expect(await readFile(join(data, 'challenges', 'sketch.challenge'), 'utf8')).toBe(broken)
  expect(await room.call('challenges.get', { name: 'sketch' })).toMatchObject({ title: 'My challenge', source: broken })
  const { name, versions } = await room.submit({
    fileName: 'walker.js',
    content: await readFile(join(resources.agents, 'specker', 'baby.js'), 'utf8'),
    game: 'specker',
  })
  const entrants = ['one', 'two'].map((each) => ({ name: `${name}-${each}`, agent: versions[0]!.agent }))
  const draft = draftOf(entrants, { config: { challenge: 'sketch' } })
  await expect(room.call('contests.create', { draft })).rejects.toThrow(
    refusal('challenge-invalid', 'config.challenge', 'sketch'),
  )
  await expect(room.call('contests.estimate', { draft })).rejects.toThrow(refusal('challenge-invalid', 'sketch'))

  await room.call('challenges.save', { name: 'sketch', source: named('sketch'), from: version })
  const { contest } = await room.call('contests.create', { draft })
  const { draft: kept } = await room.call('contests.get', { contest })
  // The contest has the text: it stays what it was whatever becomes of the challenge.
  expect(kept.config).toMatchObject({ challenge: named('sketch') })
})

test('a backup has the challenges of the class', async () => {
  await room.call('challenges.save', { name: 'kept', source: named('kept'), from: null })
  const { folder } = await room.call('settings.backup', {})
  expect(await readFile(join(folder, 'challenges', 'kept.challenge'), 'utf8')).toBe(named('kept'))
})
