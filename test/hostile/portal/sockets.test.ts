import { once } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { connectionLimits } from '../../../main/administrator/procedures/connection.ts'
import { ask, bare, closed, openScreen, openSocket, openStage, signIn, type Stage } from './stage.ts'

let stage: Stage
let cookie = ''
beforeAll(async () => {
  stage = await openStage({
    'histories.export': async () => ({ fileName: 'a', content: 'x'.repeat(4_000_000), publicKey: 'k' }),
    'settings.get': async () => {
      throw new TypeError('a secret of the program')
    },
  })
  cookie = await signIn(stage)
})
afterAll(() => stage.close())

const question = (name: string, input: unknown, i = '1'): string =>
  JSON.stringify({ t: 'q', i, m: 'call', a: [name, input] })

/** The next answer. */
function answer(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()))))
}

test('a session talks', async () => {
  const socket = await openScreen(stage)
  socket.send(question('challenges.list', {}))
  expect(await answer(socket)).toEqual({ t: 's', i: '1', r: { ok: true, value: [] } })
  expect(stage.portal.screens()).toBe(1)
  socket.close()
  await vi.waitUntil(() => stage.portal.screens() === 0, { timeout: 60_000 })
})

test('without a session the upgrade is refused', async () => {
  const origin = stage.portal.origin
  expect(await openSocket(stage, { origin })).toBe(401)
  expect(await openSocket(stage, { origin, cookie: `tartaglia-${stage.port}=guess` })).toBe(401)
})

test('a token does not open a socket, and is not spent by trying', async () => {
  const { search } = new URL(stage.portal.address())
  const headers = { origin: stage.portal.origin }
  expect(await openSocket(stage, headers, `/rpc${search}`)).toBe(401)
  expect([401, 403]).toContain(await openSocket(stage, headers, `/${search}`))
  expect((await ask(stage, `/${search}`)).status).toBe(303)
})

test.each([
  'http://attacker.example',
  'null',
  'http://localhost:PORT',
  'http://127.0.0.1:1',
  'https://127.0.0.1:PORT',
  '',
])('a page of %s opens no socket although the cookie came along', async (origin) => {
  const headers = { cookie, origin: origin.replace('PORT', String(stage.port)) }
  expect(await openSocket(stage, headers)).toBe(403)
})

test('a program without an origin opens no socket, and neither does another name of this machine', async () => {
  expect(await openSocket(stage, { cookie })).toBe(403)
  const host = `attacker.example:${stage.port}`
  expect(await openSocket(stage, { cookie, origin: stage.portal.origin, host })).toBe(403)
  expect(await openSocket(stage, { cookie, origin: `http://${host}`, host })).toBe(403)
})

test('only /rpc is a socket', async () => {
  for (const path of ['/', '/assets/index-1.js', '/nothing']) {
    expect(await openSocket(stage, { cookie, origin: stage.portal.origin }, path)).toBe(404)
  }
})

test.each([
  ['not JSON', 'hello', 1007],
  ['half of it', '{"t":"q"', 1007],
  ['no question', '{}', 1008],
  ['an answer', '{"t":"s","i":"1","r":1}', 1008],
  ['bytes', Buffer.from(question('challenges.list', {})), 1003],
  ['a question without a number', '{"t":"q","m":"call","a":["settings.set",{"tourSeen":true}]}', 1008],
  ['a function of objects', '{"t":"q","i":"1","m":"__proto__","a":[]}', 1008],
])('%s ends the conversation', async (_, message, code) => {
  const socket = await openScreen(stage)
  socket.send(message)
  expect(await closed(socket)).toBe(code)
})

test('what follows a broken message is not carried out', async () => {
  const called = vi.fn(async () => [])
  const own = await openStage({ 'challenges.list': called })
  const socket = await openScreen(own)
  socket.send('hello')
  socket.send(question('challenges.list', {}))
  await closed(socket)
  expect(called).not.toHaveBeenCalled()
  await own.close()
})

test('a frame that is larger than any input ends the conversation before it is read', async () => {
  const socket = await openScreen(stage)
  const ended = closed(socket)
  socket.on('error', () => undefined)
  // The head of a masked text frame of 2^40 bytes, and nothing of it.
  const head = Buffer.from([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4])
  const raw: { write(bytes: Buffer): void } = Reflect.get(socket, '_socket') as never
  raw.write(head)
  expect(await ended).toBe(1009)
})

test('a text of a million brackets in each other is malformed, and the program lives', async () => {
  const socket = await openScreen(stage)
  const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`
  socket.send(`{"t":"q","i":"1","m":"call","a":["contests.estimate",{"draft":${deep}}]}`)
  expect(await answer(socket)).toMatchObject({ r: { ok: false, error: { code: 'malformed' } } })
  socket.terminate()
})

test('an error of the program reaches the screen without its words', async () => {
  const socket = await openScreen(stage)
  socket.send(question('settings.get', {}))
  const text = JSON.stringify(await answer(socket))
  expect(text).toContain('"host"')
  expect(text).not.toMatch(/secret|TypeError|\.ts|\n/)
  expect(stage.unexpected.splice(0)).toHaveLength(1)
  socket.terminate()
})

test('a screen that asks and does not read is cut off, and its topics do not pile up', async () => {
  const socket = await openScreen(stage)
  const ended = closed(socket)
  socket.pause()
  socket.send(JSON.stringify({ t: 'q', i: 's', m: 'subscribe', a: ['status'] }))
  // The first refusals may still get through.
  for (let i = 0; i < 5 * connectionLimits.questions; i++) {
    socket.send(question('histories.export', { contest: 'a', match: 1 }, String(i)))
    stage.emit('x'.repeat(100_000))
  }
  await vi.waitUntil(() => stage.portal.screens() === 0, { timeout: 120_000 })
  socket.resume()
  await ended
})

test('there is an end to windows', async () => {
  const own = await openStage()
  const headers = { cookie: await signIn(own), origin: own.portal.origin }
  for (let n = 0; n < 32; n++) expect(await openSocket(own, headers)).toBeInstanceOf(WebSocket)
  expect(await openSocket(own, headers)).toBe(503)
  await own.close()
})

test('closing ends every conversation and every idle connection, and frees the port', async () => {
  const own = await openStage()
  const socket = await openScreen(own)
  const ended = closed(socket)
  const idle = bare(own, '')
  await new Promise((resolve) => idle.socket.on('connect', resolve))
  await own.close()
  await Promise.all([ended, idle.ended])
  await expect(ask(own, '/')).rejects.toThrow('ECONNREFUSED')
})

test('a client that asks to be let in while all ends keeps nothing from ending', async () => {
  const own = await openStage()
  await openScreen(own)
  const upgrade = [
    'GET /rpc HTTP/1.1',
    `Host: 127.0.0.1:${own.port}`,
    `Origin: ${own.portal.origin}`,
    `Cookie: ${await signIn(own)}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ].join('\r\n')
  const late = [1, 2, 3].map(() => bare(own, `${upgrade}\r\n`))
  await Promise.all(late.map(({ socket }) => once(socket, 'connect')))
  // The last line of the request, and the end right behind it: from a timer, so that the program reads before it closes.
  await new Promise((resolve) => setTimeout(resolve))
  for (const { socket } of late) socket.write('\r\n')
  await own.close()
  await Promise.all(late.map(({ ended }) => ended))
})
