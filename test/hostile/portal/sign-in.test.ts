import { request, type IncomingHttpHeaders } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { endSessionsOf, visitorOfSecret } from '../../../main/administrator/people/accounts.ts'
import { confirmDevice } from '../../../main/administrator/people/devices.ts'
import { beginSession, sessionsOf } from '../../../main/administrator/people/sessions.ts'
import { endOtherSessions } from '../../../main/administrator/people/sign-in.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import type { Handlers } from '../../../main/contract/procedures/procedures.ts'
import { changePerson, newCode, removePerson } from '../../../main/services/people/class-people.ts'
import { HOUR, openTestClass, person, type TestClass } from '../../unit/accounts/class.ts'
import { ask, closed, openSocket, openStage, type Answer, type Stage } from './stage.ts'

const PASSWORD = 'four words of mine'
const ada = person('a', 'Ada Lovelace')
const gone = person('c', 'Cleo', { removed: '2026-09-01T00:00:00.000Z' })
const handlers: Partial<Handlers> = {
  'me.get': async (_, { role }) => ({ role: role!, person: null, team: null, isReadOnly: false }),
  'people.list': async () => ({ people: [], classCode: null }),
}

let room: TestClass
let stage: Stage
beforeEach(async () => {
  room = openTestClass([ada, gone, person('b', 'Bert')])
  stage = await openStage(handlers, null, room)
})
afterEach(() => stage.close())

interface Sent {
  readonly headers?: IncomingHttpHeaders
  readonly from?: string
}

/** A POST with a JSON body, as our own page sends it. */
function post(path: string, body: unknown, { headers = {}, from = '127.0.0.1' }: Sent = {}): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const all = { origin: stage.portal.origin, 'content-type': 'application/json', ...headers }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port: stage.port, path, method: 'POST', agent: false, localAddress: from, headers: sent },
      (response) => {
        let answer = ''
        response.setEncoding('utf8').on('data', (piece: string) => (answer += piece))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: answer }))
      },
    )
    asked.on('error', reject)
    asked.end(text)
  })
}
const cookieOf = ({ headers }: Answer): string => headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
const reasonOf = ({ body }: Answer): string => (JSON.parse(body) as { error: { reason: string } }).error.reason
const pageWith = (cookie: string): Promise<Answer> => ask(stage, '/', { headers: { cookie } })

async function signedIn(headers: IncomingHttpHeaders = {}): Promise<string> {
  if (room.people.database.prepare('SELECT 1 FROM account').get() !== undefined)
    return cookieOf(await post('/sign-in', { name: ada.name, password: PASSWORD }, { headers }))
  const { code } = await newCode(room, ada.id, hostCaller)
  return cookieOf(await post('/sign-in', { name: ada.name, code, newPassword: PASSWORD }, { headers }))
}

async function screenOf(cookie: string): Promise<WebSocket> {
  const socket = await openSocket(stage, { cookie, origin: stage.portal.origin })
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  return socket
}

/** The answer to a call, as the page would get it. */
function callOn(socket: WebSocket, name: string): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once('message', (data: Buffer) => resolve((JSON.parse(data.toString()) as { r: unknown }).r))
    socket.send(JSON.stringify({ t: 'q', i: name, m: 'call', a: [name, {}] }))
  })
}

test('a stranger gets the page to sign in and its files, and nothing else', async () => {
  const page = await ask(stage, '/')
  expect([page.status, page.body]).toEqual([401, '<!doctype html><title>sign in</title>'])
  expect((await ask(stage, '/assets/index-1.js')).status).toBe(200)
  // The documentation is open to everybody; the stage comes without it.
  expect((await ask(stage, '/help/index.html')).status).toBe(404)
  const others = [
    '/index.html',
    '/sign-in.html',
    '/licenses.txt',
    '/secret.js',
    '/help/../index.html',
    '/help',
    '/assets/../index.html',
    '/%2e/index.html',
  ]
  for (const path of others) expect([path, (await ask(stage, path)).status]).toEqual([path, 401])
  expect((await post('/packages?name=a.js', 'x')).status).toBe(401)
  expect(await openSocket(stage, { origin: stage.portal.origin })).toBe(401)
})

test('a sign-in of another site, or a large or malformed one, is refused', async () => {
  const body = { name: ada.name, password: PASSWORD }
  const foreign = { headers: { origin: 'https://elsewhere.example' } }
  for (const path of ['/sign-in', '/sign-out', '/join', '/device', '/device/token'])
    expect((await post(path, body, foreign)).status).toBe(403)
  const { status } = await post('/sign-in', { ...body, password: 'x'.repeat(3_000) })
  expect(status).toBe(413)
  for (const wrong of ['{', '[]', '"x"', 'null', '{"name":"Ada"}', '{"__proto__":{"name":"a"},"password":"b"}'])
    expect([wrong, (await post('/sign-in', wrong)).status]).toEqual([wrong, 400])
  expect((await post('/sign-in', 'a=b', { headers: { 'content-type': 'text/plain' } })).status).toBe(400)
  expect([room.hashes, stage.unexpected]).toEqual([0, []])
})

test('a planted or former cookie never becomes a session', async () => {
  const name = `tartaglia-${stage.port}`
  const cookie = await signedIn({ cookie: `${name}=planted` })
  expect(cookie).toMatch(new RegExp(`^${name}=[\\w-]{43}$`))
  expect((await pageWith(`${name}=planted`)).status).toBe(401)
  // A planted one beside it does no harm.
  expect((await pageWith(`${name}=planted; ${cookie}`)).status).toBe(200)
  const again = await signedIn({ cookie })
  expect([(await pageWith(cookie)).status, (await pageWith(again)).status]).toEqual([401, 200])
  const out = await post('/sign-out', {}, { headers: { cookie: again } })
  expect([out.status, cookieOf(out), (await pageWith(again)).status]).toEqual([200, `${name}=`, 401])
})

test('guesses from one address are five, and from 200 addresses fifty, then they wait', async () => {
  await signedIn()
  // Systems other than Linux have one loopback address.
  const many = process.platform === 'linux' ? 200 : 1
  for (const addresses of [1, many]) {
    room.time += 25 * HOUR
    room.hashes = 0
    const statuses: number[] = []
    for (let n = 0; n < 200; n += 1) {
      const from = `127.0.1.${1 + (n % addresses)}`
      const headers = { 'x-forwarded-for': `192.0.2.${n}` }
      const answer = await post(
        '/sign-in',
        { name: ada.name, password: `a wrong one ${n}` },
        {
          headers,
          from: addresses === 1 ? '127.0.0.1' : from,
        },
      )
      statuses.push(answer.status)
    }
    const judged = addresses === 1 ? 5 : 50
    const counts = [403, 429].map((status) => statuses.filter((each) => each === status).length)
    expect(counts).toEqual([judged, 200 - judged])
    expect(room.hashes).toBe(judged)
  }
})

test('nobody learns by an answer or its work who is in the class', async () => {
  await signedIn()
  const answers = new Set<string>()
  for (const name of ['Ada Lovelace', 'Cleo', 'Nobody at all'])
    for (const secret of [{ password: 'a wrong password' }, { code: '2345678A', newPassword: 'another password' }]) {
      room.hashes = 0
      const { status, body, headers } = await post('/sign-in', { name, ...secret })
      answers.add(JSON.stringify([status, body, headers['set-cookie'], headers['content-length'], room.hashes]))
    }
  expect(answers.size).toBe(1)
})

test('a session that is over stays so when the clock is set back', async () => {
  const cookie = await signedIn()
  const screen = await screenOf(cookie)
  const end = closed(screen)
  room.time += 13 * HOUR
  expect((await pageWith(cookie)).status).toBe(401)
  const other = await signedIn()
  endSessionsOf(room, ada.id)
  await end
  room.time -= 13 * HOUR
  expect([(await pageWith(cookie)).status, (await pageWith(other)).status]).toEqual([401, 401])
})

test('a student may call what students may; their sockets are cut with their role, their session and their removal', async () => {
  const first = await screenOf(await signedIn())
  expect(await callOn(first, 'me.get')).toMatchObject({ ok: true, value: { role: 'student' } })
  expect(await callOn(first, 'people.list')).toMatchObject({ ok: false })
  const ends = [closed(first)]
  await changePerson(room, ada.id, { role: 'assistant' }, hostCaller)
  await Promise.all(ends)

  const [kept, other] = [await signedIn(), await signedIn()]
  const [screen, otherScreen] = [await screenOf(kept), await screenOf(other)]
  expect(await callOn(screen, 'people.list')).toMatchObject({ ok: true })
  const otherEnd = closed(otherScreen)
  const { session } = visitorOfSecret(room, kept.split('=')[1]!)!
  expect(endSessionsOf(room, ada.id, { except: session })).toBe(1)
  await otherEnd
  expect(await callOn(screen, 'me.get')).toMatchObject({ ok: true })

  const last = await screenOf(await signedIn())
  const end = closed(last)
  await removePerson(room, ada.id, hostCaller)
  await end
  expect((await post('/sign-in', { name: ada.name, password: PASSWORD })).status).toBe(403)
})

test('a terminal signs in without a page, when its person has confirmed its code', async () => {
  await signedIn()
  // It sends the origin that it was given, and no cookie.
  const terminal = {}
  const { body } = await post('/device', {}, terminal)
  const { deviceCode, userCode } = (JSON.parse(body) as { value: { deviceCode: string; userCode: string } }).value
  expect((await post('/device/token', { deviceCode }, terminal)).body).toBe('{"ok":true,"value":{"token":null}}')
  confirmDevice(room.devices, userCode, ada.id, room.time)
  const answer = await post('/device/token', { deviceCode }, terminal)
  const { token, name } = (JSON.parse(answer.body) as { value: { token: string; name: string } }).value
  expect(name).toBe(ada.name)
  expect(reasonOf(await post('/device/token', { deviceCode }, terminal))).toBe('device-unknown')
  const upload = (authorization: string): Promise<Answer> =>
    post('/packages?name=a.js', 'x', {
      headers: { authorization, 'content-type': 'application/octet-stream' },
    })
  expect((await upload(`Bearer ${'x'.repeat(43)}`)).status).toBe(401)
  // Known, but no student may upload yet: the table decides, not the transport.
  expect([400, 200]).toContain((await upload(`Bearer ${token}`)).status)
  expect(
    (
      await post('/packages?name=a.js', 'x', {
        headers: { authorization: `Bearer ${token}`, origin: 'https://a.example' },
      })
    ).status,
  ).toBe(403)
})

test('a terminal does not wait for a code that nobody can confirm while the names are locked', async () => {
  Object.assign(room.home.content, { names: { key: '', recipient: 'age1', parts: ['', ''] } })
  expect(reasonOf(await post('/device', {}, {}))).toBe('names-locked')
})

test('a terminal may only hand in: its token opens no account, no list and no window', async () => {
  await changePerson(room, ada.id, { role: 'educator' }, hostCaller)
  const cookie = await signedIn()
  const { secret: token } = beginSession(
    room.people,
    { person: ada.id, kind: 'terminal', address: '127.0.0.1', agent: 'tartaglia' },
    room.time,
  )
  const authorization = `Bearer ${token}`
  const callBy = async (headers: IncomingHttpHeaders, name: string, input: object = {}): Promise<unknown> => {
    const { status, body } = await post('/call', { name, input }, { headers })
    return status === 404 ? 404 : (JSON.parse(body) as unknown)
  }
  expect(await callBy({ authorization }, 'me.get')).toMatchObject({ ok: true, value: { role: 'educator' } })
  for (const name of ['people.list', 'me.password', 'me.endOthers', 'me.confirmDevice', 'audit.list', 'settings.get'])
    expect(await callBy({ authorization }, name)).toMatchObject({ ok: false, error: { reason: 'sign-in-needed' } })
  const socket = await openSocket(stage, { authorization, origin: stage.portal.origin })
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  expect(await callOn(socket, 'people.list')).toMatchObject({ ok: false, error: { reason: 'sign-in-needed' } })
  // A token is not a cookie, and a cookie not a token.
  const name = `tartaglia-${stage.port}`
  expect((await pageWith(`${name}=${token}`)).status).toBe(401)
  expect(await callBy({ cookie }, 'me.get')).toBe(404)
  const end = closed(socket)
  expect((await post('/call', 'x', { headers: { authorization: `Bearer ${cookie.split('=')[1]!}` } })).status).toBe(401)
  for (const wrong of ['{', '[]', '{"name":1,"input":{}}', '{"name":"me.get"}x'])
    expect([wrong, (await post('/call', wrong, { headers: { authorization } })).status]).toEqual([wrong, 400])
  expect(
    (await post('/call', { name: 'me.get', input: 'x'.repeat(70_000) }, { headers: { authorization } })).status,
  ).toBe(413)
  // Its person ends it.
  const { session } = visitorOfSecret(room, cookie.split('=')[1]!)!
  expect(sessionsOf(room.people, ada.id, room.time).map(({ kind }) => kind)).toContain('terminal')
  endOtherSessions(room, { person: ada.id, session })
  await end
  expect((await post('/call', { name: 'me.get', input: {} }, { headers: { authorization } })).status).toBe(401)
  expect(stage.unexpected).toEqual([])
})
