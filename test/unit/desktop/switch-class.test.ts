import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createClassShelf, requireFree } from '../../../main/app/class-shelf.ts'
import { lockData } from '../../../main/histories/lock.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import type { OpenClass } from '../../../main/desktop/open-class.ts'

vi.mock('electron', () => ({ app: {}, dialog: {} }))
const { openClass, switchClass } = await import('../../../main/desktop/open-class.ts')

const folder = temporaryFolder('switch-class')
const shelf = createClassShelf({
  ...{ opens: 'here', home: join(folder, 'classes') },
  known: () => [],
  show: async () => null,
  makeSample: async () => null,
})
const open = (data: string): Promise<OpenClass> => openClass(data, shelf)
let present: OpenClass | null = null
afterEach(() => present?.service.close())

const nameIn = async ({ service }: OpenClass): Promise<string> =>
  (await service.handlers['settings.get']({}, hostCaller)).school

test('one class is released before the next is taken, and back again', async () => {
  const [a, b] = [(await shelf.create('First')).folder, (await shelf.create('Second')).folder]
  const failures: unknown[] = []
  present = await open(a)
  expect(() => requireFree(a)).toThrow(expect.objectContaining({ code: 'data-folder-in-use' }))
  present = await switchClass(present, b, open, (error) => failures.push(error))
  requireFree(a)
  expect(() => requireFree(b)).toThrow(expect.objectContaining({ code: 'data-folder-in-use' }))
  expect([present.data, await nameIn(present)]).toEqual([b, 'Second'])
  present = await switchClass(present, a, open, (error) => failures.push(error))
  expect([present.data, await nameIn(present), failures]).toEqual([a, 'First', []])
})

test('where the other class cannot be opened, the first one is opened again', async () => {
  const [a, b] = [(await shelf.create('Third')).folder, (await shelf.create('Fourth')).folder]
  const failures: unknown[] = []
  const lock = lockData(b)
  present = await switchClass(await open(a), b, open, (error) => failures.push(error))
  lock.release()
  expect(failures).toMatchObject([{ code: 'data-folder-in-use' }])
  expect([present.data, await nameIn(present)]).toEqual([a, 'Third'])
  expect(() => requireFree(a)).toThrow(expect.objectContaining({ code: 'data-folder-in-use' }))
})
