import { wholeView } from '../../whole-view.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDispatcher } from '../../../main/administrator/procedures/dispatch.ts'
import type { Handlers } from '../../../main/contract/procedures/procedures.ts'
import { openPortal } from '../../../main/portal/portal.ts'
import { ask, bare, openStage, signIn, type Stage } from './stage.ts'
import { saying } from '../../refusal.ts'

let stage: Stage
let cookie = ''
beforeAll(async () => {
  stage = await openStage()
  cookie = await signIn(stage)
})
afterAll(() => stage.close())

const pathOf = (address: string): string => address.slice(new URL(address).origin.length)

test('the address lets one browser in, once', async () => {
  const address = stage.portal.address()
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/)
  const first = await ask(stage, pathOf(address))
  expect(first).toMatchObject({ status: 303, headers: { location: '/' } })
  const [set = '', ...more] = first.headers['set-cookie'] ?? []
  expect(more).toEqual([])
  expect(set).toMatch(new RegExp(`^tartaglia-${stage.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`))
  expect(set).not.toContain(new URL(address).searchParams.get('token'))
  const second = await ask(stage, pathOf(address))
  expect(second.status).toBe(403)
  expect(second.headers['set-cookie']).toBeUndefined()
  expect(second.body).toEqual(saying('address', 'no longer'))
  // One sentence says what to do.
  expect(second.body).toMatch(/<p>[^.]*press Enter[^.]*<code>tartaglia address<\/code>[^.]*\.<\/p>/)
  const window = await ask(stage, '/', { headers: { cookie: set.split(';', 1)[0] } })
  expect(window).toMatchObject({ status: 200, body: '<!doctype html><title>window</title>' })
})

test('of many who come with the same token at once, one gets in', async () => {
  const path = pathOf(stage.portal.address())
  const all = await Promise.all(Array.from({ length: 20 }, () => ask(stage, path)))
  expect(all.filter(({ headers }) => headers['set-cookie'] !== undefined)).toHaveLength(1)
})

test('opened again in the browser that it let in, the address leads to the window', async () => {
  const address = stage.portal.address()
  const { headers } = await ask(stage, pathOf(address))
  const own = headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
  expect(await ask(stage, pathOf(address), { headers: { cookie: own } })).toMatchObject({ status: 303 })
})

test('a browser that comes from another site or from a file goes on by a page, which its new cookie outlives', async () => {
  const answer = await ask(stage, pathOf(stage.portal.address()), { headers: { 'sec-fetch-site': 'cross-site' } })
  expect(answer.status).toBe(200)
  expect(answer.headers['set-cookie']).toHaveLength(1)
  expect(answer.body).toContain('content="0;url=/"')
})

test.each([
  '/',
  '/index.html',
  '/assets/index-1.js',
  '/rpc',
  '/nothing',
  '/?token=',
  '/?token=guess',
  '/?token=a&token=b',
])('without a session %s is locked, and sets no cookie', async (path) => {
  const answer = await ask(stage, path)
  expect([401, 403]).toContain(answer.status)
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.body).not.toContain('<title>window')
})

test.each(['', 'x', 'x'.repeat(43), '__proto__'])('the cookie value "%s" is not a session', async (value) => {
  const headers = { cookie: `tartaglia-${stage.port}=${value}` }
  expect((await ask(stage, '/', { headers })).status).toBe(401)
})

test('a token is not a session, and a session is not a token', async () => {
  const token = new URL(stage.portal.address()).searchParams.get('token') ?? ''
  expect((await ask(stage, '/', { headers: { cookie: `tartaglia-${stage.port}=${token}` } })).status).toBe(401)
  const session = cookie.split('=')[1] ?? ''
  expect((await ask(stage, `/?token=${session}`)).status).toBe(403)
})

test.each(['HEAD', 'POST', 'OPTIONS'])('a token is not spent by %s', async (method) => {
  const path = pathOf(stage.portal.address())
  const answer = await ask(stage, path, { method, headers: { origin: stage.portal.origin } })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect((await ask(stage, path)).status).toBe(303)
})

test.each([
  'attacker.example',
  'attacker.example:PORT',
  'localhost:PORT',
  '127.0.0.1',
  '127.0.0.1:1',
  '127.0.0.1.attacker.example:PORT',
  '127.0.0.1:PORT@attacker.example',
  '127.0.0.2:PORT',
  '[::1]:PORT',
  '0.0.0.0:PORT',
  '2130706433:PORT',
])('a request for %s is not for us, whoever brings it (DNS rebinding)', async (name) => {
  const host = name.replace('PORT', String(stage.port))
  const token = pathOf(stage.portal.address())
  for (const path of ['/', '/assets/index-1.js', '/rpc', token]) {
    const answer = await ask(stage, path, { headers: { host, cookie } })
    expect(answer.status).toBe(403)
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  expect((await ask(stage, token)).status).toBe(303)
})

test('a request without a name, or with two, is refused', async () => {
  const none = await bare(stage, `GET / HTTP/1.1\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`).ended
  expect(none).toMatch(/^HTTP\/1\.1 403 /)
  const old = await bare(stage, `GET / HTTP/1.0\r\nCookie: ${cookie}\r\n\r\n`).ended
  expect(old).toMatch(/^HTTP\/1\.[01] 403 /)
  const two = `Host: attacker.example\r\nHost: 127.0.0.1:${stage.port}\r\n`
  expect(await bare(stage, `GET / HTTP/1.1\r\n${two}Cookie: ${cookie}\r\nConnection: close\r\n\r\n`).ended).toMatch(
    /^HTTP\/1\.1 40[03] /,
  )
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
  '%s from a page of another site is refused although the cookie came along',
  async (method) => {
    for (const origin of ['http://attacker.example', 'null', `http://127.0.0.1:${stage.port + 1}`, undefined]) {
      const answer = await ask(stage, '/', { method, headers: { cookie, ...(origin === undefined ? {} : { origin }) } })
      expect(answer.status, origin).toBe(403)
    }
    const own = await ask(stage, '/', { method, headers: { cookie, origin: stage.portal.origin } })
    expect(own.status).toBeGreaterThanOrEqual(404)
  },
)

test.each([
  '/../secret.js',
  '/../../etc/passwd',
  '/%2e%2e/secret.js',
  '/..%2fsecret.js',
  '/%2e%2e%2fsecret.js',
  '/..%5csecret.js',
  '/..\\secret.js',
  '/assets/../../secret.js',
  '/assets/%2e%2e/%2e%2e/secret.js',
  '/assets//../../secret.js',
  '//secret.js',
  '/%00.js',
  '/secret.js%00.html',
  '/%',
  '/%c0%ae%c0%ae/secret.js',
  '/.hidden.js',
  '/notes.txt',
  '/assets/index-1.js.map',
  '/assets',
  '/assets/',
  '/assets/.',
  '/?/../secret.js=1#',
])('%s leads nowhere', async (path) => {
  const answer = await ask(stage, path, { headers: { cookie } })
  expect(answer.body).not.toMatch(/a secret|hidden|notes|root:|index-1|Error|node_modules/)
  if (!path.startsWith('/?')) expect(answer.status).toBeGreaterThanOrEqual(400)
})

test('the window and its parts are served to a session, and only the parts are kept by the browser', async () => {
  const window = await ask(stage, '/', { headers: { cookie } })
  expect(window).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  const part = await ask(stage, '/assets/index-1.js', { headers: { cookie } })
  expect(part.status).toBe(200)
  expect(part.headers['content-type']).toMatch(/javascript/)
  expect(part.headers['cache-control']).toContain('immutable')
})

test('every answer, refusals too, carries the policy', async () => {
  const answers = await Promise.all([
    ask(stage, '/', { headers: { cookie } }),
    ask(stage, '/assets/index-1.js', { headers: { cookie } }),
    ask(stage, '/nothing.js', { headers: { cookie } }),
    ask(stage, '/'),
    ask(stage, '/?token=guess'),
    ask(stage, '/', { headers: { host: 'attacker.example' } }),
    ask(stage, pathOf(stage.portal.address())),
  ])
  for (const { headers, status } of answers) {
    const policy = String(headers['content-security-policy'])
    const directives = new Map(policy.split(';').map((one) => [one.split(' ')[0], one.split(' ').slice(1).join(' ')]))
    expect(directives.get('default-src'), String(status)).toBe("'none'")
    expect(directives.get('script-src')).toBe("'self'")
    expect(directives.get('style-src')).toBe("'self'")
    expect(directives.get('connect-src')).toBe("'self'")
    expect(directives.get('frame-ancestors')).toBe("'none'")
    expect(directives.get('form-action')).toBe("'none'")
    expect(directives.get('base-uri')).toBe("'none'")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    expect(headers['x-powered-by'] ?? headers.server).toBeUndefined()
  }
})

test('an address that cannot be decoded is answered in words, under a policy that allows nothing', async () => {
  const { status, headers, body } = await ask(stage, '/%', { headers: { cookie } })
  expect({ status, body }).toEqual({ status: 400, body: expect.stringMatching(/^[^\n]*\baddress\.\n$/) as string })
  expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('a page of another site gets no leave to read (CORS)', async () => {
  const headers = { cookie, origin: 'http://attacker.example', 'access-control-request-method': 'GET' }
  const answer = await ask(stage, '/', { method: 'OPTIONS', headers })
  expect(answer.status).toBe(403)
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
})

test('a request with a body, or a head without end, is cut off', async () => {
  const own = `Host: 127.0.0.1:${stage.port}\r\nOrigin: ${stage.portal.origin}\r\nCookie: ${cookie}\r\n`
  const body = await bare(stage, `POST / HTTP/1.1\r\n${own}Content-Length: 1000000000\r\n\r\n`).ended
  expect(body).toMatch(/^HTTP\/1\.1 4\d\d /)
  const head = await bare(stage, `GET / HTTP/1.1\r\n${own}X: ${'x'.repeat(20_000)}\r\n\r\n`).ended
  expect(head).toMatch(/^HTTP\/1\.1 431 /)
})

test('a client that sends a head byte by byte is cut off, and so is one that sends nothing', async () => {
  const slow = bare(stage, 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX')
  const drip = setInterval(() => slow.socket.write('x'), 200)
  const silent = bare(stage, '')
  expect(await slow.ended).toMatch(/^HTTP\/1\.1 408 /)
  clearInterval(drip)
  await silent.ended
})

test('other addresses of this machine have no such port', async () => {
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ address, scopeid }) => address !== '127.0.0.1' && (scopeid === undefined || scopeid === 0))
    .map(({ address }) => address)
  for (const host of [...addresses, '127.0.0.2']) {
    const outcome = await new Promise((resolve) => {
      const socket = connect({ host, port: stage.port, timeout: 5_000 })
      socket.on('connect', () => resolve('connected'))
      socket.on('error', () => resolve('refused'))
      socket.on('timeout', () => resolve('refused'))
      socket.on('close', () => socket.destroy())
    })
    expect(outcome, host).toBe('refused')
  }
})

test('a port that somebody else has is a sentence', async () => {
  const take = async () => ({ file: 'x' })
  const callerOf = () => hostCaller
  const service = {
    handlers: {} as Handlers,
    callerOf,
    isReadOnly: false,
    viewOf: () => wholeView,
    audit: () => undefined,
    on: () => () => undefined,
    takeHistory: take,
    takePackage: take,
    takeArchive: take,
  }
  const dispatcher = createDispatcher(service, () => undefined)
  const second = openPortal({
    dispatcher,
    accounts: null,
    files: '/nowhere',
    port: stage.port,
    onUnexpected: () => undefined,
  })
  await expect(second).rejects.toMatchObject({
    kind: 'host',
    code: 'port-unavailable',
    message: saying(stage.port),
  })
})

test('nothing of all this was unexpected', () => {
  expect(stage.unexpected).toEqual([])
})
