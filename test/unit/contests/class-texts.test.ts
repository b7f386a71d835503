import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { backUp } from '../../../main/services/archive/back-up.ts'
import { openTexts, type ClassTexts } from '../../../main/services/texts/class-texts.ts'
import { namedIn, textNames, withTextNames } from '../../../main/services/texts/text-names.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import { refusal, type Fact } from '../../refusal.ts'

// The registry is fixed, so the toy joins it for this file.
vi.mock(import('../../../main/referees/games.ts'), async (load) => {
  const real = await load()
  const toy = (await import('./fixtures/routes.ts')).routes
  return { games: new Map([...real.games, [toy.id, toy]]) }
})

const field = { game: 'routes', field: 'map' }
const map = '{ "rivers": [[0, 1], [1, 2]] }\n'

let folder = ''
let home: ClassFolder
let texts: ClassTexts
beforeEach(async () => {
  folder = temporaryFolder('texts')
  home = await openClassFolder(folder)
  texts = openTexts(home)
})
afterEach(() => home.close())

test('a text of the class is listed, read and deleted under its name', async () => {
  expect(await texts.list(field)).toEqual([])
  expect(await texts.add(field, 'coast', map)).toEqual({ name: 'coast', own: true, bytes: map.length })
  await texts.add(field, 'alps', map)
  expect((await texts.list(field)).map(({ name }) => name)).toEqual(['alps', 'coast'])
  expect(await texts.get(field, 'coast')).toBe(map)
  await texts.delete(field, 'coast')
  expect((await texts.list(field)).map(({ name }) => name)).toEqual(['alps'])
  await expect(texts.get(field, 'coast')).rejects.toThrow(refusal('text-unknown', '"coast"', 'alps'))
})

test('what cannot be added or deleted is said in one sentence, and nothing is written', async () => {
  await texts.add(field, 'coast', map)
  const again = Promise.allSettled(['alps', 'alps'].map((name) => texts.add(field, name, map)))
  expect((await again).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  await expect(texts.add(field, 'coast', map)).rejects.toThrow(refusal('name-taken', '"coast"'))
  await expect(texts.add(field, 'inland', '{}\n')).rejects.toThrow(refusal('file-invalid', '{"rivers"'))
  await expect(texts.delete(field, 'inland')).rejects.toThrow(refusal('text-unknown', '"inland"'))
  expect(readdirSync(join(folder, 'texts', 'routes', 'maps')).sort()).toEqual(['alps.json', 'coast.json'])
})

test.each<[string, { game: string; field: string }, ErrorCode, Fact]>([
  ['an unknown game', { game: 'nothing', field: 'map' }, 'game-unknown', '"nothing"'],
  ['an unknown field', { game: 'routes', field: 'rounds' }, 'text-unknown', '"rounds"'],
  ['what every object has', { game: 'routes', field: 'constructor' }, 'text-unknown', '"constructor"'],
  [
    'challenges, which have their own procedures',
    { game: 'specker', field: 'challenge' },
    'text-unknown',
    '"challenge"',
  ],
])('%s has no texts', async (_, wrong, code, fact) => {
  await expect(texts.list(wrong)).rejects.toThrow(refusal(code, fact))
  await expect(texts.get(wrong, 'coast')).rejects.toThrow(refusal(code, fact))
  await expect(texts.add(wrong, 'coast', map)).rejects.toThrow(refusal(code, fact))
})

test('a map that a contest keeps by its hash has its name on screens, as long as the class has it', async () => {
  await texts.add(field, 'coast', map)
  const keptAs = (text: string): string => `sha256:${hash('sha256', text)}`
  const described = (text: string) =>
    ({ game: 'routes', config: { map: keptAs(text) }, format: { type: 'single' } }) as const
  const names = await textNames(folder, described(map))
  expect(withTextNames(described(map), names).config).toEqual({ map: 'coast' })
  expect(namedIn(`1. map ${keptAs(map)}`, names)).toBe('1. map coast')
  const unknown = described('{ "rivers": [] }\n')
  expect(withTextNames(unknown, await textNames(folder, unknown))).toEqual(unknown)
  expect(namedIn(`1. map ${unknown.config.map}`, names)).not.toMatch(/[0-9a-f]{8}/)
})

test('a backup has them, and not the one that is being written', async () => {
  await texts.add(field, 'coast', map)
  writeFileSync(join(folder, 'texts', 'routes', 'maps', 'x.json.01234567-89ab-cdef-0123-456789abcdef.new'), '{')
  const backup = await backUp(home)
  expect(backup.folder.startsWith(join(folder, sep))).toBe(false)
  expect(readdirSync(join(backup.folder, 'texts', 'routes', 'maps'))).toEqual(['coast.json'])
})

test('a backup is not written into the folder that it protects, through a link either', async () => {
  mkdirSync(join(folder, 'inside'))
  symlinkSync(join(folder, 'inside'), `${folder}-backups`)
  await expect(backUp(home)).rejects.toThrow(refusal('backup-inside', `${folder}-backups`))
  expect(readdirSync(join(folder, 'inside'))).toEqual([])
})
