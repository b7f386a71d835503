import { EventEmitter, once } from 'node:events'
import fastify from 'fastify'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from '@fastify/websocket'
import { expect, test } from 'vitest'
import type { Dispatcher } from '../../../main/administrator/procedures/dispatch.ts'
import { networkOf } from '../../../main/contract/networks.ts'
import { createUnidentified, plainServer } from '../../../main/http/server.ts'
import { classCertificate } from '../../../main/portal/certificate.ts'
import { limitNetworks } from '../../../main/portal/listener.ts'
import { converse } from '../../../main/portal/sockets.ts'
import { addUploads, createSlowness } from '../../../main/portal/uploads.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('a sender is too slow by the bytes of the time that was waited for it, not by our own slowness', () => {
  const isSlow = createSlowness({ window: 30_000, bytes: 60_000 })
  // A byte each nine seconds.
  expect([1, 2, 3, 4].map(() => isSlow(9_000, 1))).toEqual([false, false, false, true])
  // 4 kB a second.
  expect([1, 2, 3, 4, 5, 6, 7].map(() => isSlow(5_000, 20_000))).not.toContain(true)
  // Nothing had to be waited for.
  expect(Array.from({ length: 100 }, () => isSlow(0, 1))).not.toContain(true)
})

test.each(['while it is read', 'after it was refused'])(
  'an upload in drops ends %s',
  async (when) => {
    const app = fastify()
    const taken: string[] = []
    const dispatcher = {
      async take(_kind: string, _query: unknown, content: AsyncIterable<Uint8Array>) {
        if (when === 'after it was refused') return { ok: false, error: { code: 'refused' } }
        try {
          for await (const piece of content) taken.push(String(piece.length))
        } catch (error) {
          taken.push(String(error))
        }
        return { ok: true, value: { file: 'x' } }
      },
    } as unknown as Dispatcher
    await addUploads(app, dispatcher, () => ({ kind: 'host' }), { silence: 1_000, window: 300, bytes: 1_000 })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.resume()
    socket.write(
      'POST /packages?name=a HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 90000\r\n\r\n',
    )
    const drops = setInterval(() => socket.write('x'), 50)
    await once(socket, 'close')
    clearInterval(drops)
    if (when === 'while it is read') expect(taken.at(-1)).toMatch(/slow|not completed/)
    await app.close()
  },
  20_000,
)

test('a connection whose handshake takes too long is cut, and finds no answer for a request that it never sent', async () => {
  const folder = temporaryFolder('handshake')
  const { key, certificate: cert } = await classCertificate(folder, ['127.0.0.1'], new Date())
  const app = fastify({ ...plainServer, https: { key, cert, handshakeTimeout: 50 } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let got = 0
  socket.on('data', (piece) => (got += piece.length))
  socket.on('error', () => undefined)
  await once(socket, 'close')
  expect(got).toBe(0)
  await app.close()
}, 60_000)

/** A socket that has accepted answers which nobody takes. */
class Unread extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  isRead = true
  ended = false
  pause(): void {
    this.isRead = false
  }
  resume(): void {
    this.isRead = true
  }
  terminate(): void {
    this.ended = true
  }
  send(_text: string, done: () => void): void {
    this.bufferedAmount += 10
    this.once('taken', done)
  }
  close(): void {
    this.ended = true
  }
  ping(): void {
    return
  }
}

test('whoever does not take their answers is not read, and so begins their patience anew with nothing', async () => {
  const socket = new Unread()
  const wire = Object.assign(new EventEmitter(), { setTimeout: () => undefined })
  let received = 0
  let answer: (message: object) => Promise<void> | undefined = () => undefined
  const dispatcher = {
    connect(transport: { send(message: object): Promise<void> | undefined }) {
      answer = (message) => transport.send(message)
      return { receive: () => void (received += 1), close: () => undefined }
    },
  } as unknown as Dispatcher
  converse(socket as unknown as WebSocket, dispatcher, { kind: 'guest' }, wire as unknown as Socket)
  socket.emit('message', Buffer.from('{}'), false)
  expect([received, socket.isRead]).toEqual([1, true])
  void answer({})
  socket.emit('message', Buffer.from('{}'), false)
  expect([received, socket.isRead]).toEqual([2, false])
  // It takes them: it is read again.
  socket.bufferedAmount = 0
  socket.emit('taken')
  await sleep(0)
  expect(socket.isRead).toBe(true)
  // A pong that waits has no end that anybody is told.
  socket.bufferedAmount = 6
  socket.emit('message', Buffer.from('{}'), false)
  expect(socket.isRead).toBe(false)
  socket.bufferedAmount = 0
  await sleep(300)
  expect(socket.isRead).toBe(true)
  socket.emit('close')
})

test('the addresses of one network of IPv6 are one crowd of silent connections', () => {
  const dismissed: string[] = []
  const waiting = createUnidentified<string>(4, (each) => dismissed.push(each), networkOf)
  waiting.add('honest 1', '2001:db8:1::1')
  waiting.add('honest 2', '2001:db8:1::1')
  for (const n of [1, 2, 3, 4]) waiting.add(`crowd ${n}`, `2001:db8:2::${n}`)
  expect(dismissed).toEqual(['crowd 1', 'crowd 2'])
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
})

test('one network leaves connections to others', () => {
  const server = new EventEmitter()
  limitNetworks(server as unknown as Server, 2)
  const come = (remoteAddress: string): EventEmitter & { isEnded: boolean } => {
    const socket = Object.assign(new EventEmitter(), {
      ...{ remoteAddress, isEnded: false },
      destroy: () => void (socket.isEnded = true),
    })
    server.emit('connection', socket)
    return socket
  }
  const first = come('2001:db8::1')
  expect([first, come('2001:db8::2'), come('2001:db8::3'), come('192.0.2.1')].map(({ isEnded }) => isEnded)).toEqual([
    ...[false, false, true, false],
  ])
  first.emit('close')
  // The one that was ended has not closed yet.
  expect(come('2001:db8::4').isEnded).toBe(true)
})
