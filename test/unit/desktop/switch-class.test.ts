import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createClassShelf, requireFree } from '../../../main/app/class-shelf.ts'
import { createDispatcher } from '../../../main/administrator/procedures/dispatch.ts'
import { openClassroom } from '../../../main/app/classroom-service.ts'
import { classNetwork } from '../../../main/app/network.ts'
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

function listening() {
  const failures: unknown[] = []
  const told = {
    onNotClosed: (error: unknown) => void failures.push({ notClosed: error }),
    onNotOpened: (error: unknown) => void failures.push(error),
  }
  return { failures, told }
}

test('one class is released before the next is taken, and back again', async () => {
  const [a, b] = [(await shelf.create('First')).folder, (await shelf.create('Second')).folder]
  const { failures, told } = listening()
  present = await open(a)
  expect(() => requireFree(a)).toThrow(expect.objectContaining({ code: 'data-folder-in-use' }))
  present = await switchClass(present, b, open, told)
  requireFree(a)
  expect(() => requireFree(b)).toThrow(expect.objectContaining({ code: 'data-folder-in-use' }))
  expect([present.data, await nameIn(present)]).toEqual([b, 'Second'])
  present = await switchClass(present, a, open, told)
  expect([present.data, await nameIn(present), failures]).toEqual([a, 'First', []])
})

test('where the other class cannot be opened, the first one is opened again', async () => {
  const [a, b] = [(await shelf.create('Third')).folder, (await shelf.create('Fourth')).folder]
  const { failures, told } = listening()
  const lock = lockData(b)
  present = await switchClass(await open(a), b, open, told)
  lock.release()
  expect(failures).toMatchObject([{ code: 'data-folder-in-use' }])
  expect([present.data, await nameIn(present)]).toEqual([a, 'Third'])
  expect(() => requireFree(a)).toThrow(expect.objectContaining({ code: 'data-folder-in-use' }))
})

test('a folder that vanishes while the present class is closed is not made anew, and the first class is opened again', async () => {
  const [a, b] = [(await shelf.create('Fourth and a half')).folder, (await shelf.create('On a stick')).folder]
  const { failures, told } = listening()
  const first = await open(a)
  const close = async (): Promise<void> => {
    await first.service.close()
    rmSync(b, { recursive: true })
  }
  present = await switchClass({ ...first, service: { ...first.service, close } }, b, open, told)
  expect(failures).toMatchObject([{ code: 'data-folder-unknown' }])
  expect([present.data, existsSync(b)]).toEqual([a, false])
})

test('a class that cannot be closed as it should does not keep the other one from being opened, and leaves no lock', async () => {
  const [a, b] = [(await shelf.create('Fifth')).folder, (await shelf.create('Sixth')).folder]
  const { failures, told } = listening()
  const broken = new Error('the disk is gone')
  const network = { ...classNetwork(a, () => undefined), close: () => Promise.reject(broken) }
  const service = await openClassroom({ data: a, network, classes: shelf, onFatal: () => undefined })
  const first = { data: a, service, dispatcher: createDispatcher(service, () => undefined) }
  present = await switchClass(first, b, open, told)
  expect([present.data, await nameIn(present), failures]).toEqual([b, 'Sixth', [{ notClosed: broken }]])
  requireFree(a)
})

test('a screen of the class that was closed can call nothing more', async () => {
  const [a, b] = [(await shelf.create('Seventh')).folder, (await shelf.create('Eighth')).folder]
  const first = await open(a)
  const answers: unknown[] = []
  const transport = { send: (message: object) => void answers.push(message), end: () => undefined }
  const screen = first.dispatcher.connect(transport, { kind: 'host' })
  const ask = (i: string): void => screen.receive({ t: 'q', i, m: 'call', a: ['settings.get', {}] })
  ask('1')
  await expect.poll(() => answers).toHaveLength(1)
  present = await switchClass(first, b, open, listening().told)
  ask('2')
  const other = present.dispatcher.connect(transport, { kind: 'host' })
  other.receive({ t: 'q', i: '3', m: 'call', a: ['settings.get', {}] })
  await expect.poll(() => answers).toHaveLength(2)
  expect(answers).toMatchObject([{ i: '1' }, { i: '3' }])
})
