import { connect, type Socket } from 'node:net'
import process from 'node:process'
import { afterEach, expect, test, vi } from 'vitest'
import { openStage } from './network.ts'

const open: Socket[] = []
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()))

/** Connections to an address that send this and nothing more. */
async function crowd(address: string, count: number, bytes = ''): Promise<readonly Socket[]> {
  const port = Number(new URL(address).port)
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) {
    socket.on('error', () => undefined)
    socket.resume()
    if (bytes !== '') socket.write(bytes)
  }
  open.push(...sockets)
  await vi.waitFor(() => expect(sockets.every(({ connecting }) => !connecting)).toBe(true), 20_000)
  return sockets
}

const stillOpen = (sockets: readonly Socket[]): number => sockets.filter(({ closed }) => !closed).length

test.each([64, 400])('%i silent plain connections keep no student out', async (count) => {
  const stage = await openStage()
  await stage.come('anna', stage.tcp)
  const sockets = await crowd(stage.tcp, count)
  await stage.come('bob', stage.tcp)
  // At most 64 wait; the oldest have gone first, and who has signed in stays.
  await vi.waitFor(() => expect(stillOpen(sockets)).toBeLessThanOrEqual(64), 20_000)
  expect(stage.arena.posts().map(({ state }) => state)).toEqual(['here', 'here'])
  await stage.close()
})

test.skipIf(process.platform !== 'linux')(
  'a crowd of 200 addresses that comes again whenever it is sent away keeps no student out (needs Linux)',
  async () => {
    const stage = await openStage()
    const port = Number(new URL(stage.tcp).port)
    let ended = false
    const come = (n: number): void => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${(n % 200) + 2}` })
      socket.on('error', () => undefined).on('close', () => ended || come(n))
      open.push(socket)
    }
    for (let n = 0; n < 400; n++) come(n)
    await stage.come('anna', stage.tcp)
    await stage.come('bob', stage.tcp)
    expect(stage.arena.posts().map(({ state }) => state)).toEqual(['here', 'here'])
    ended = true
    await stage.close()
  },
)

test.each([
  ['idle', ''],
  ['half a head', 'GET / HTTP/1.1\r\nHost: x\r\nX-'],
  ['a request, and then nothing', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  [
    'no credential',
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  ],
])('400 connections of HTTP (%s) keep no student out', async (_, bytes) => {
  const stage = await openStage()
  await stage.come('anna', stage.webSocket)
  const sockets = await crowd(stage.webSocket, 400, bytes)
  await stage.come('bob', stage.webSocket)
  // 64, and one for each post.
  await vi.waitFor(() => expect(stillOpen(sockets)).toBeLessThanOrEqual(66), 20_000)
  expect(stage.arena.posts().map(({ state }) => state)).toEqual(['here', 'here'])
  await stage.close()
})

test('what the arena answers to a browser carries a policy that allows nothing', async () => {
  const stage = await openStage()
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  const asked: readonly (readonly [status: number, request: string])[] = [
    [404, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'],
    [404, 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'],
    [400, 'GET /% HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'],
    [400, 'nonsense\r\n'],
    [431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(8_000)}\r\n`],
    [417, 'GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n'],
    [400, `GET / HTTP/1.1\r\nHost: x\r\n${upgrade}Sec-WebSocket-Version: 13\r\n`],
  ]
  for (const [status, request] of asked) {
    const socket = connect(Number(new URL(stage.webSocket).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
    socket.on('error', () => undefined)
    socket.write(`${request}\r\n`)
    await new Promise((resolve) => socket.on('close', resolve))
    const what = `${request.slice(0, 40)}\n${answer.slice(0, 400)}`
    expect(answer, what).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer, what).toMatch(/^content-security-policy: default-src 'none';frame-ancestors 'none'\r$/im)
    expect(answer, what).toMatch(/^x-content-type-options: nosniff\r$/im)
    expect(answer, what).toMatch(/^cache-control: no-store\r$/im)
  }
  await stage.close()
})
