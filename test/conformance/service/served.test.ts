import { hostCaller } from '../../../main/contract/people/caller.ts'
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { serveClassroom, type ServedClassroom } from '../../../main/app/serve.ts'
import { requestAddress } from '../../../main/app/address-socket.ts'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { openPlace } from './classroom.ts'
import { refusal } from '../../refusal.ts'

const place = openPlace('service-served')
afterAll(() => place.remove())

const portOf = (classroom: ServedClassroom): number => Number(new URL(classroom.newAddress()).port)
const unexpected = (error: unknown): never => {
  throw error
}

test('a classroom comes back at its port, where pages that are open look for it; a port in use is left alone', async () => {
  const data = join(place.folder, 'data')
  // A folder that somebody has worked in gets no sample class.
  const home = await openClassFolder(data)
  await home.change(() => undefined)
  await home.close()
  const serve = (port: number | null): Promise<ServedClassroom> =>
    serveClassroom({ data, port, onUnexpected: unexpected })

  const first = await serve(null)
  const port = portOf(first)
  // Three ways to a new address: the terminal, the socket of the data folder, a screen that is signed in.
  const invited = await first.service.handlers['screens.invite']({}, hostCaller)
  const addresses = [first.newAddress(), await requestAddress(data), invited.address]
  expect(new Set(addresses).size).toBe(3)
  for (const address of addresses) {
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(303)
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(403)
  }
  await first.close()
  await expect(requestAddress(data)).rejects.toThrow(refusal('classroom-not-served', data))
  const second = await serve(null)
  expect(portOf(second)).toBe(port)
  await second.close()

  const other: Server = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  const third = await serve(null)
  expect(portOf(third)).not.toBe(port)
  await third.close()
  await expect(serve(port)).rejects.toThrow(refusal('port-unavailable', port))
  other.close()
})
