import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { networkHandlers } from '../../../main/app/handlers/network-handlers.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { createNetwork, type Network } from '../../../main/portal/network.ts'
import { beginSession, sessionsOf } from '../../../main/administrator/people/sessions.ts'
import type { Dispatcher } from '../../../main/administrator/procedures/dispatch.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openTestClass, person } from '../accounts/class.ts'

const ada = person('a', 'Ada')
const all = { host: '0.0.0.0', port: 0 }
let network: Network | null = null
afterEach(() => network?.close())

/** The procedures of a class that one student has signed in to. */
function open() {
  const folder = temporaryFolder('network-handlers')
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  const accounts = openTestClass([ada])
  const place = { address: '192.0.2.1', agent: 'a browser' }
  beginSession(accounts.people, { person: ada.id, kind: 'browser', ...place }, accounts.now())
  network = createNetwork({ keys: join(folder, 'keys'), files: folder, onUnexpected: () => undefined })
  network.serve({ dispatcher: {} as Dispatcher, accounts })
  const handlers = networkHandlers({ network })
  return {
    accounts,
    sessions: () => sessionsOf(accounts.people, ada.id, accounts.now()).length,
    state: () => handlers['network.state']({}, hostCaller),
    open: (to: { host: string; port: number }) => handlers['network.open'](to, hostCaller),
    close: () => handlers['network.close']({}, hostCaller),
  }
}
const reaches = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  const [event] = await Promise.race([
    once(socket, 'connect').then(() => ['connect']),
    once(socket, 'error').then(() => ['error']),
  ]).catch(() => ['error'])
  socket.destroy()
  return event === 'connect'
}

test('a class is closed, opened once, and closed with the sessions of its people but not of the educator', async () => {
  const room = open()
  expect(await room.state()).toEqual({ isOpen: false, last: null })
  const opened = await room.open(all)
  expect(opened).toMatchObject({ isOpen: true, by: 'class', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(await room.state()).toEqual(opened)
  const port = Number(new URL(opened.isOpen ? opened.addresses[0]! : '').port)
  expect(await reaches(port)).toBe(true)
  // Another one does not open it again.
  await expect(room.open(all)).rejects.toMatchObject({ code: 'network-open' })
  expect([room.sessions(), room.accounts.ended]).toEqual([1, []])
  expect(await room.close()).toEqual({ isOpen: false, last: { host: '0.0.0.0', port } })
  // The educator at this machine has none among them: theirs are the portal's.
  expect([room.sessions(), room.accounts.ended.length]).toEqual([0, 1])
  expect(await reaches(port)).toBe(false)
  expect(await room.close()).toMatchObject({ isOpen: false })
  expect(await room.open(all)).toMatchObject({ isOpen: true })
})

test.each([
  [{ host: '127.0.0.1', port: 0 }, 'address-invalid'],
  [{ host: 'localhost', port: 0 }, 'address-invalid'],
  // An address of the documentation, which no machine has.
  [{ host: '203.0.113.77', port: 0 }, 'address-invalid'],
  [{ host: 'not an address', port: 0 }, 'address-invalid'],
])('%j is refused, and the class stays closed', async (place, code) => {
  const room = open()
  await expect(room.open(place)).rejects.toMatchObject({ code })
  expect(await room.state()).toEqual({ isOpen: false, last: null })
  expect(room.sessions()).toBe(1)
})

test('a class that is not served cannot be opened', async () => {
  const handlers = networkHandlers({ network: undefined })
  await expect((async () => handlers['network.open'](all, hostCaller))()).rejects.toMatchObject({
    code: 'classroom-not-served',
  })
  expect(await handlers['network.state']({}, hostCaller)).toEqual({ isOpen: false, last: null })
})
