// A class that is open to the network, and what other machines make of it. Runs in a network namespace of its own, whose addresses are
// not those of loopback, and prints its findings as JSON: network.test.ts compares them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { request as plainRequest, type IncomingHttpHeaders } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { WebSocket } from 'ws'
import { admitGuests, endGuests, GUESTS } from '../../../main/administrator/people/guests.ts'
import { createDispatcher } from '../../../main/administrator/procedures/dispatch.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import type { Handlers } from '../../../main/contract/procedures/procedures.ts'
import { classCertificate } from '../../../main/portal/certificate.ts'
import { createNetwork } from '../../../main/portal/network.ts'
import { openPortal } from '../../../main/portal/portal.ts'
import { presentCaller } from '../../../main/services/people/callers.ts'
import { newCode } from '../../../main/services/people/class-people.ts'
import { removeTemporaryFolders, temporaryFolder } from '../../temporary-folder.ts'
import { HOUR, openTestClass, person } from '../../unit/accounts/class.ts'
import { wholeView } from '../../whole-view.ts'

const [server, other] = ['192.0.2.7', '198.51.100.9'] as const
const ada = person('a', 'Ada')
const room = openTestClass([ada])
const folder = temporaryFolder('on-network')
const files = join(folder, 'renderer')
mkdirSync(join(files, 'assets'), { recursive: true })
writeFileSync(join(files, 'index.html'), 'the window')
writeFileSync(join(files, 'sign-in.html'), 'sign in')
writeFileSync(join(files, 'assets/index-1.js'), 'export {}')
const handlers: Partial<Handlers> = {
  'me.get': async (_, { role }) => ({ role: role!, person: null, team: null, isReadOnly: false }),
  // As much as a careless procedure may return.
  'texts.get': async () => 'x'.repeat(1_000_000),
}
const unexpected: unknown[] = []
const onUnexpected = (error: unknown): void => void unexpected.push(String(error))
const none = async (): Promise<never> => {
  throw new Error('Nothing is taken.')
}
const dispatcher = createDispatcher(
  {
    handlers: handlers as Handlers,
    isReadOnly: false,
    callerOf: (visitor) => presentCaller(room, visitor),
    viewOf: () => wholeView,
    audit: () => undefined,
    on: () => () => undefined,
    takeHistory: none,
    takePackage: none,
    takeArchive: none,
  },
  onUnexpected,
)

interface Sent {
  readonly port: number
  readonly path?: string
  readonly method?: string
  readonly headers?: IncomingHttpHeaders
  readonly body?: string
  readonly from?: string
  readonly plain?: boolean
}
interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
function ask({
  port,
  path = '/',
  method = 'GET',
  headers = {},
  body = '',
  from = other,
  plain = false,
}: Sent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const options = { host: server, port, path, method, headers, localAddress: from, agent: false as const }
    const sent = (plain ? plainRequest : secureRequest)({ ...options, rejectUnauthorized: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
const statusOf = async (sent: Sent): Promise<number | string> =>
  ask(sent).then(
    ({ status }) => status,
    (error: unknown) => (error as { code?: string }).code ?? 'error',
  )

/** The status of a refused upgrade, or the open socket. */
function upgrade(port: number, headers: Readonly<Record<string, string>>): Promise<number | WebSocket> {
  const socket = new WebSocket(`wss://${server}:${port}/rpc`, {
    headers,
    rejectUnauthorized: false,
    localAddress: other,
  })
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (sent, response) => {
      resolve(response.statusCode ?? 0)
      sent.destroy()
    })
    socket.on('error', reject)
  })
}
const ended = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.on('close', resolve))
const refusedUpgrade = async (port: number, headers: Readonly<Record<string, string>>): Promise<number | 'open'> => {
  const got = await upgrade(port, headers)
  if (typeof got === 'number') return got
  got.terminate()
  return 'open'
}
const question = (name: string, input: object, i = '1'): string =>
  JSON.stringify({ t: 'q', i, m: 'call', a: [name, input] })
const peerOf = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ host: server, port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256.replaceAll(':', '').toLowerCase())
      socket.destroy()
    })
    socket.on('error', reject)
  })
const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: server, port })
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

const network = createNetwork({ keys: join(folder, 'keys'), files, onUnexpected })
network.serve({ dispatcher, accounts: room })
const portal = await openPortal({ dispatcher, accounts: room, files, port: 0, onUnexpected })
const found: Record<string, unknown> = {}
try {
  found['closed'] = { state: network.state(), educators: await isOpen(Number(new URL(portal.origin).port)) }
  const opened = await network.open({ how: 'tls', host: server, port: 0, files: null })
  if (!opened.isOpen) throw new Error('It is not open.')
  const [origin = ''] = opened.addresses
  const port = Number(new URL(origin).port)
  const host = new URL(origin).host
  found['opened'] = {
    host: new URL(origin).hostname,
    by: opened.by,
    isFingerprint: (await peerOf(port)) === opened.fingerprint,
  }

  // Before anybody has signed in.
  const page = await ask({ port })
  found['page'] = { status: page.status, body: page.body, hsts: page.headers['strict-transport-security'] ?? null }
  found['plain'] = await statusOf({ port, plain: true })
  found['strangers'] = {
    upgrade: await refusedUpgrade(port, { origin }),
    upload: await statusOf({ port, method: 'POST', path: '/packages?name=a', headers: { origin } }),
  }
  const invited = new URL(portal.address())
  found['host'] = {
    token: await statusOf({ port, path: `/${invited.search}` }),
    rebinding: await statusOf({ port, headers: { host: `attacker.example:${port}` } }),
    own: await statusOf({ port, headers: { host } }),
  }

  // A session.
  const { code } = await newCode(room, ada.id, hostCaller)
  const signIn = (headers: IncomingHttpHeaders): Promise<Got> =>
    ask({
      ...{ port, path: '/sign-in', method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      body: JSON.stringify({ name: 'Ada', code, newPassword: 'four words of mine' }),
    })
  found['forged'] = {
    none: (await signIn({})).status,
    other: (await signIn({ origin: 'https://attacker.example' })).status,
    plain: (await signIn({ origin: origin.replace('https', 'http') })).status,
  }
  const [set = ''] = (await signIn({ origin })).headers['set-cookie'] ?? []
  found['cookie'] = set.replace(/=[\w-]{43}/, '=SECRET')
  const cookie = set.split(';', 1)[0]!
  found['session'] = {
    page: (await ask({ port, headers: { cookie } })).body,
    otherOrigin: await refusedUpgrade(port, { cookie, origin: 'https://attacker.example' }),
    noOrigin: await refusedUpgrade(port, { cookie }),
    otherHost: await refusedUpgrade(port, { cookie, origin, host: 'attacker.example' }),
    own: await refusedUpgrade(port, { cookie, origin }),
    body: await statusOf({
      port,
      method: 'POST',
      path: '/sign-in',
      headers: { cookie, origin, 'content-type': 'application/json' },
      body: 'x'.repeat(100_000),
    }),
  }
  const open = async (): Promise<WebSocket> => {
    const socket = await upgrade(port, { cookie, origin })
    if (typeof socket === 'number') throw new Error(`Refused with ${socket}.`)
    return socket
  }

  // Sizes, and somebody who does not read.
  const large = await open()
  const tooLarge = ended(large)
  large.on('error', () => undefined)
  large.send('x'.repeat(5_000_000))
  found['large'] = await tooLarge
  const [deaf, good] = [await open(), await open()]
  deaf.on('error', () => undefined)
  const cut = ended(deaf)
  deaf.pause()
  for (let i = 0; i < 60; i++) deaf.send(question('texts.get', { game: 'punter', field: 'map', name: 'a' }, String(i)))
  const started = performance.now()
  good.send(question('me.get', {}))
  const answer = await new Promise<string>((resolve) =>
    good.once('message', (data: Buffer) => resolve(data.toString())),
  )
  found['good'] = { answer: JSON.parse(answer) as unknown, isSoon: performance.now() - started < 5_000 }
  setTimeout(() => deaf.resume(), 1_500)
  found['deaf'] = await cut
  const crowd = await Promise.all(Array.from({ length: 9 }, () => upgrade(port, { cookie, origin })))
  found['crowd'] = crowd.includes(503)

  // Guests: by the link of the educator alone, for pages of the class alone, and until it ends.
  const secret = admitGuests(room, new Date(room.now() + HOUR))
  const link = await ask({ port, path: `/?guest=${secret}` })
  const [given = ''] = link.headers['set-cookie'] ?? []
  const ofGuest = { cookie: given.split(';', 1)[0]!, origin }
  const wrong = await ask({ port, path: `/?guest=${secret.slice(1)}x` })
  const plainLink = await statusOf({ port, path: `/?guest=${secret}`, plain: true })
  const guest = await upgrade(port, ofGuest)
  if (typeof guest === 'number') throw new Error(`A guest was refused with ${guest}.`)
  const roleAt = async (socket: WebSocket): Promise<unknown> => {
    socket.send(question('me.get', {}))
    const text = await new Promise<string>((resolve) =>
      socket.once('message', (data: Buffer) => resolve(data.toString())),
    )
    return (JSON.parse(text) as { readonly r: { readonly value?: { readonly role?: unknown } } }).r.value?.role
  }
  const forGuests = {
    link: { status: link.status, cookie: given.replace(secret, 'SECRET') },
    wrong: { status: wrong.status, cookie: wrong.headers['set-cookie'] ?? null },
    plain: plainLink === 200,
    page: (await ask({ port, headers: { cookie: ofGuest.cookie } })).body,
    role: await roleAt(guest),
    otherOrigin: await refusedUpgrade(port, { ...ofGuest, origin: 'https://attacker.example' }),
  }
  const cutGuest = ended(guest)
  endGuests(room)
  await cutGuest
  found['guests'] = {
    ...forGuests,
    afterwards: {
      link: await statusOf({ port, path: `/?guest=${secret}` }),
      socket: await refusedUpgrade(port, ofGuest),
    },
    others: await roleAt(good),
  }

  // Closing.
  const closing = ended(good)
  await network.close()
  await closing
  found['after'] = {
    state: network.state().isOpen,
    port: await isOpen(port),
    sessions: room.ended.filter((each) => each !== GUESTS).length,
  }

  // The educator's certificate, replaced while it is used.
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  const first = await classCertificate(one, [server, 'class.example'], new Date())
  const second = await classCertificate(two, [server], new Date())
  const own = { cert: join(one, 'portal-certificate.pem'), key: join(one, 'portal-key.pem') }
  const named = await network.open({ how: 'tls', host: server, port: 0, files: own })
  if (!named.isOpen) throw new Error('It is not open.')
  const ownPort = Number(new URL(named.addresses[0]!).port)
  const before = await peerOf(ownPort)
  const hsts = (await ask({ port: ownPort })).headers['strict-transport-security']
  writeFileSync(own.key, second.key)
  writeFileSync(own.cert, second.certificate)
  const until = performance.now() + 8_000
  while (performance.now() < until && (await peerOf(ownPort)) !== second.fingerprint)
    await new Promise((resolve) => setTimeout(resolve, 100))
  found['certificate'] = {
    ...{ by: named.by, name: new URL(named.addresses[0]!).hostname, hsts },
    ...{ before: before === first.fingerprint, after: (await peerOf(ownPort)) === second.fingerprint },
  }
  await network.close()

  // A proxy at one address, which passes on what browsers ask.
  const behind = await network.open({
    how: 'proxied',
    host: server,
    port: 18_080,
    publicUrl: 'https://class.example',
    trusted: other,
  })
  const forwarded = {
    'x-forwarded-host': 'class.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.5',
  }
  const proxied = { port: 18_080, plain: true }
  const guess = (headers: IncomingHttpHeaders): Promise<Got> =>
    ask({
      ...{
        ...proxied,
        path: '/sign-in',
        method: 'POST',
        body: JSON.stringify({ name: 'Ada', password: 'a wrong one at all' }),
      },
      headers: { ...forwarded, origin: 'https://class.example', 'content-type': 'application/json', ...headers },
    })
  found['proxy'] = {
    addresses: behind.isOpen && behind.addresses,
    own: await statusOf({ ...proxied, headers: forwarded }),
    host: await statusOf({ ...proxied, headers: { host: 'class.example' } }),
    others: await statusOf({ ...proxied, from: server, headers: forwarded }),
    otherHost: await statusOf({ ...proxied, headers: { ...forwarded, 'x-forwarded-host': 'attacker.example' } }),
    plainHttp: await statusOf({ ...proxied, headers: { ...forwarded, 'x-forwarded-proto': 'http' } }),
    hsts: (await ask({ ...proxied, headers: forwarded })).headers['strict-transport-security'] ?? null,
    guess: (await guess({ 'x-forwarded-for': '10.9.9.9, 203.0.113.5' })).status,
  }
  found['guesses'] = room.people.database
    .prepare('SELECT DISTINCT key FROM guess')
    .all()
    .map(({ key }) => String(key))
  await network.close()
  found['unexpected'] = unexpected
} finally {
  await network.close()
  await portal.close()
  room.people.database.close()
  removeTemporaryFolders()
}
process.stdout.write(JSON.stringify(found))
