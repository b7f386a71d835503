import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ask, bare, openSocket, openStage, signIn, type Stage } from './stage.ts'

let stage: Stage
let cookie = ''
beforeAll(async () => {
  stage = await openStage()
  cookie = await signIn(stage)
})
afterAll(() => stage.close())

const open: Socket[] = []
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()))

/** Connections that say nothing. */
async function crowd(count: number): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(stage.port, '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => undefined)
  open.push(...sockets)
  await vi.waitFor(() => expect(sockets.every(({ connecting }) => !connecting)).toBe(true))
  return sockets
}

test('any number of silent connections keeps no browser out; the oldest go first', async () => {
  const sockets = await crowd(400)
  const [name = ''] = cookie.split('=')
  expect(name).toBe(`tartaglia-${stage.port}`)
  expect((await ask(stage, '/', { headers: { cookie } })).status).toBe(200)
  await vi.waitFor(() => expect(sockets.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(64))
  expect(sockets.slice(0, 100).every(({ closed }) => closed)).toBe(true)
  const another = await signIn(stage)
  expect((await ask(stage, '/', { headers: { cookie: another } })).status).toBe(200)
})

test('the window of somebody who has signed in outlives a crowd, and so does a connection that waits for its next request', async () => {
  const socket = (await openSocket(stage, { cookie, origin: stage.portal.origin })) as WebSocket
  const kept = bare(stage, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${stage.port}\r\nCookie: ${cookie}\r\n\r\n`)
  open.push(kept.socket)
  await new Promise((resolve) => kept.socket.once('data', resolve))
  await crowd(200)
  expect((await ask(stage, '/', { headers: { cookie } })).status).toBe(200)
  expect(socket.readyState).toBe(WebSocket.OPEN)
  expect(kept.socket.closed).toBe(false)
  socket.terminate()
})

test('cookies of our name that others have planted, before and after ours, keep nobody out', async () => {
  const [name = ''] = cookie.split('=')
  for (const header of [
    `${name}=planted; ${cookie}`,
    `${cookie}; ${name}=planted`,
    `${name}=; ${name}=${'x'.repeat(43)}; other=1; ${cookie}; ${name}=y`,
  ]) {
    expect((await ask(stage, '/', { headers: { cookie: header } })).status).toBe(200)
    const socket = (await openSocket(stage, { cookie: header, origin: stage.portal.origin })) as WebSocket
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.terminate()
  }
  expect((await ask(stage, '/', { headers: { cookie: `${name}=planted; ${name}=${'x'.repeat(43)}` } })).status).toBe(
    401,
  )
})

test('every answer carries the policy: errors, upgrades, and what no handler sees', async () => {
  const own = `Host: 127.0.0.1:${stage.port}\r\nOrigin: ${stage.portal.origin}\r\nCookie: ${cookie}\r\n`
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n'
  const asked: readonly (readonly [status: number, request: string])[] = [
    [200, `GET / HTTP/1.1\r\n${own}Connection: close\r\n`],
    [200, `HEAD / HTTP/1.1\r\n${own}Connection: close\r\n`],
    [200, `GET /assets/index-1.js HTTP/1.1\r\n${own}Connection: close\r\n`],
    [404, `GET /nothing HTTP/1.1\r\n${own}Connection: close\r\n`],
    [400, `GET /% HTTP/1.1\r\n${own}Connection: close\r\n`],
    [404, `PUT / HTTP/1.1\r\n${own}Connection: close\r\n`],
    [404, `PROPFIND / HTTP/1.1\r\n${own}Connection: close\r\n`],
    [401, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${stage.port}\r\nConnection: close\r\n`],
    [403, `GET / HTTP/1.1\r\nHost: attacker.example\r\nConnection: close\r\n`],
    [403, `GET / HTTP/1.1\r\nConnection: close\r\n`],
    [400, `nonsense\r\n`],
    [400, `GET / HTTP/9.9\r\n`],
    [431, `GET / HTTP/1.1\r\n${own}X: ${'x'.repeat(20_000)}\r\n`],
    [417, `GET / HTTP/1.1\r\n${own}Expect: wonders\r\nConnection: close\r\n`],
    [101, `GET /rpc HTTP/1.1\r\n${own}${upgrade}${key}`],
    [400, `GET /rpc HTTP/1.1\r\n${own}${upgrade}Sec-WebSocket-Version: 13\r\n`],
    [404, `GET /other HTTP/1.1\r\n${own}${upgrade}${key}`],
    [403, `GET /rpc HTTP/1.1\r\nHost: 127.0.0.1:${stage.port}\r\n${upgrade}${key}`],
  ]
  for (const [status, request] of asked) {
    const { socket, ended } = bare(stage, `${request}\r\n`)
    // An upgraded connection stays open.
    if (status === 101) socket.once('data', () => socket.end())
    const answer = await ended
    const what = `${request.split('\r\n', 1)[0]}\n${answer.slice(0, 600)}`
    expect(answer, what).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const headers = answer.split('\r\n\r\n', 1)[0]!
    expect(headers, what).toMatch(/^content-security-policy: default-src 'none';(?!.*unsafe).*frame-ancestors 'none'/im)
    expect(headers, what).toMatch(/^x-content-type-options: nosniff/im)
    expect(headers, what).toMatch(/^x-frame-options: DENY/im)
    expect(headers, what).toMatch(/^referrer-policy: no-referrer/im)
    expect(headers, what).toMatch(/^cross-origin-resource-policy: same-origin/im)
  }
  expect(stage.unexpected).toEqual([])
})
