// The examples of docs/hosting.md, run as they are printed, except for ports, certificates, and the place of the program.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:http2'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { afterEach, expect, test, vi } from 'vitest'
import { beginSession } from '../../../main/administrator/people/sessions.ts'
import { createDispatcher } from '../../../main/administrator/procedures/dispatch.ts'
import type { Handlers } from '../../../main/contract/procedures/procedures.ts'
import { createNetwork } from '../../../main/portal/network.ts'
import { presentCaller } from '../../../main/services/people/callers.ts'
import { cli, tartaglia } from '../cli/process.ts'
import { openTestClass, person } from '../../unit/accounts/class.ts'
import { run } from '../../unit/cli/environment.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { wholeView } from '../../whole-view.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/hosting.md'), 'utf8')
const NAME = 'class.school.example'

/** The block of code that follows a line with these words. */
function blockAfter(words: string): string {
  const [, block = ''] = /```\w*\n([\s\S]*?)```/.exec(page.slice(page.indexOf(words))) ?? []
  if (block === '') throw new Error(`No block follows "${words}".`)
  return block
}

const has = (program: string): boolean => spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** A class behind a proxy on this machine, with one student, whose session is `cookie`. `arrived`: a part of a file has. */
async function openClass(): Promise<{
  readonly port: number
  readonly cookie: string
  readonly arrived: Promise<unknown>
}> {
  const ada = person('a', 'Ada')
  const room = openTestClass([ada])
  const folder = temporaryFolder('hosting-class')
  const files = join(folder, 'renderer')
  mkdirSync(join(files, 'assets'), { recursive: true })
  for (const name of ['index', 'sign-in']) writeFileSync(join(files, `${name}.html`), `the page ${name}`)
  const none = (): Promise<never> => Promise.reject(new Error('Nothing is taken.'))
  const arrived = Promise.withResolvers<undefined>()
  const takePackage = async (_: string, content: AsyncIterable<Uint8Array>): Promise<{ file: string }> => {
    let bytes = 0
    for await (const piece of content) {
      bytes += piece.length
      arrived.resolve(undefined)
    }
    return { file: String(bytes) }
  }
  const dispatcher = createDispatcher(
    {
      handlers: { 'me.get': async (_: unknown, { role }: { role: string }) => ({ role }) } as unknown as Handlers,
      ...{ isReadOnly: false, callerOf: (visitor) => presentCaller(room, visitor), viewOf: () => wholeView },
      ...{ audit: () => undefined, on: () => () => undefined, takeHistory: none, takePackage, takeArchive: none },
    },
    (error) => {
      throw error
    },
  )
  const network = createNetwork({ keys: folder, files, onUnexpected: () => undefined })
  network.serve({ dispatcher, accounts: room })
  const opening = { how: 'proxied', host: '127.0.0.1', publicUrl: `https://${NAME}`, trusted: '127.0.0.1' } as const
  // A port that is free for a moment may be taken before the class has it.
  const port = await freePort()
  await network.open({ ...opening, port })
  ending.push(() => network.close())
  const { secret } = beginSession(room.people, { person: ada.id, kind: 'browser', address: '', agent: '' }, room.now())
  return { port, cookie: secret, arrived: arrived.promise }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** A certificate for the name, by openssl. */
function certificate(folder: string): Certificate {
  const [cert, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')] as const
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-days', '1']
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject]
  spawnSync('openssl', [...made, '-keyout', key, '-out', cert])
  expect(new X509Certificate(readFileSync(cert)).checkHost(NAME)).toBe(NAME)
  return { cert, key }
}

interface Answer {
  readonly status: number
  readonly body: string
}
/** Asks the proxy as a browser does that knows it by its name. */
function ask(port: number, ca: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, servername: NAME, ca, headers: { host: NAME, ...headers }, agent: false }
    const sent = request(options, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Asks as `ask` does, by HTTP/2. */
async function askByHttp2(port: number, ca: string, cookie: string): Promise<Answer> {
  const session = connect(`https://127.0.0.1:${port}`, { ca, servername: NAME })
  ending.push(() => session.destroy())
  await once(session, 'connect')
  expect(session.alpnProtocol).toBe('h2')
  const stream = session.request({ ':path': '/', ':authority': NAME, cookie })
  const [headers] = (await once(stream, 'response')) as [{ readonly ':status'?: number }]
  let body = ''
  for await (const text of stream.setEncoding('utf8')) body += String(text)
  return { status: headers[':status'] ?? 0, body }
}

/** The answer to the first question over a WebSocket through the proxy. */
function talk(port: number, ca: string, cookie: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: NAME, cookie: `__Host-tartaglia=${cookie}` }
    const at = { ca, servername: NAME, origin: `https://${NAME}`, headers }
    const socket = new WebSocket(`wss://127.0.0.1:${port}/rpc`, at)
    ending.push(() => socket.terminate())
    socket.on('unexpected-response', (_, { statusCode }) => reject(new Error(`refused with ${String(statusCode)}`)))
    socket.on('error', reject)
    socket.on('open', () => socket.send(JSON.stringify({ t: 'q', i: '1', m: 'call', a: ['me.get', {}] })))
    socket.on('message', (data: Buffer) => resolve(data.toString('utf8')))
  })
}

/** Hands in a file in two halves, the second of which is sent when the class has got of the first. */
function handIn(
  { proxy, ca }: { proxy: number; ca: string },
  cookie: string,
  arrived: Promise<unknown>,
): Promise<Answer> {
  const half = Buffer.alloc(1_000_000, 7)
  return new Promise((resolve, reject) => {
    const known = { host: NAME, origin: `https://${NAME}`, cookie: `__Host-tartaglia=${cookie}` }
    const body = { 'content-type': 'application/octet-stream', 'content-length': String(2 * half.length) }
    const options = { host: '127.0.0.1', port: proxy, servername: NAME, ca, agent: false, path: '/packages?name=a.zip' }
    const sent = request({ ...options, method: 'POST', headers: { ...known, ...body } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    sent.on('error', reject)
    sent.write(half)
    void arrived.then(() => sent.end(half))
  })
}

interface Ports {
  readonly class: number
  readonly proxy: number
}
interface Certificate {
  readonly cert: string
  readonly key: string
}
/**
 * Shows that people come through a proxy: a stranger to the page for signing in, a student to a conversation, and their file while it is sent.
 * `by`: the newest version of HTTP that the proxy speaks.
 */
async function showProxy(
  by: 'HTTP/1.1' | 'HTTP/2',
  start: (ports: Ports, tls: Certificate, folder: string) => ChildProcess,
): Promise<void> {
  const { port, cookie, arrived } = await openClass()
  const folder = temporaryFolder('hosting-proxy')
  const tls = certificate(folder)
  const proxy = await freePort()
  const child = start({ class: port, proxy }, tls, folder)
  let said = ''
  child.stderr?.on('data', (text: Buffer) => (said += text.toString('utf8')))
  ending.push(() => child.kill('SIGKILL'))
  const ca = readFileSync(tls.cert, 'utf8')
  const answered = async (): Promise<Answer> => {
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The proxy has ended: ${said}`)
      const answer = await ask(proxy, ca).catch(() => null)
      if (answer !== null) return answer
      await sleep(50)
    }
  }
  expect(await answered()).toEqual({ status: 401, body: 'the page sign-in' })
  expect(await ask(proxy, ca, { cookie: `__Host-tartaglia=${cookie}` })).toEqual({
    status: 200,
    body: 'the page index',
  })
  if (by === 'HTTP/2')
    expect(await askByHttp2(proxy, ca, `__Host-tartaglia=${cookie}`)).toEqual({ status: 200, body: 'the page index' })
  expect(await talk(proxy, ca, cookie)).toContain('"role":"student"')
  // Headers that the browser invents are overwritten or ignored: they do not keep anybody out.
  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'other.example', 'x-forwarded-proto': 'http' }
  expect((await ask(proxy, ca, { cookie: `__Host-tartaglia=${cookie}`, ...forged })).status).toBe(200)
  const handedIn = await handIn({ proxy, ca }, cookie, arrived)
  expect([handedIn.status, handedIn.body]).toEqual([200, expect.stringContaining('"file":"2000000"')])
}

/** nginx with the example; `more`: further words behind `ssl` in its line `listen`. */
function startNginx(ports: Ports, { cert, key }: Certificate, folder: string, more = ''): ChildProcess {
  const server = blockAfter('nginx:')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${ports.proxy} ssl${more};`)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${cert};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
    .replace('http://127.0.0.1:8080', `http://127.0.0.1:${ports.class}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  const http = `http { access_log off; ${temporary.join(' ')}\n${server} }`
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, `daemon off; pid ${folder}/pid; error_log stderr; events {}\n${http}\n`)
  const args = ['-c', file, '-p', folder, '-g', 'master_process off;']
  return spawn('nginx', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

test.skipIf(!has('nginx') || !has('openssl'))(
  'nginx with the example passes people, their conversations and what they hand in on (needs nginx and openssl)',
  { timeout: 120_000 },
  () => showProxy('HTTP/1.1', startNginx),
)

test.skipIf(!has('nginx') || !has('openssl'))(
  'nginx with the example and HTTP/2 does the same (needs nginx and openssl)',
  { timeout: 120_000 },
  () => showProxy('HTTP/2', (...where) => startNginx(...where, ' http2')),
)

test.skipIf(!has('apache2') || !has('openssl'))(
  'Apache with the example does the same (needs apache2 and openssl)',
  { timeout: 120_000 },
  () =>
    showProxy('HTTP/1.1', (ports, { cert, key }, folder) => {
      const host = blockAfter('Apache, with')
        .replace('*:443', `127.0.0.1:${ports.proxy}`)
        .replace(/SSLCertificateFile .*/, `SSLCertificateFile ${cert}`)
        .replace(/SSLCertificateKeyFile .*/, `SSLCertificateKeyFile ${key}`)
        .replace('http://127.0.0.1:8080', `http://127.0.0.1:${ports.class}`)
      const modules = ['mpm_event', 'authz_core', 'socache_shmcb', 'ssl', 'proxy', 'proxy_http', 'headers'].map(
        (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
      )
      const file = join(folder, 'apache.conf')
      const own = [`Listen 127.0.0.1:${ports.proxy}`, `PidFile ${folder}/pid`, `DefaultRuntimeDir ${folder}`]
      const logs = [`ErrorLog ${folder}/errors`, `ServerName ${NAME}`, `Mutex file:${folder}`]
      writeFileSync(file, [...modules, ...own, ...logs, host].join('\n'))
      return spawn('apache2', ['-f', file, '-X'], { stdio: ['ignore', 'ignore', 'pipe'] })
    }),
)

test.skipIf(!has('haproxy') || !has('openssl'))(
  'HAProxy with the example does the same (needs haproxy and openssl)',
  { timeout: 120_000 },
  () =>
    showProxy('HTTP/2', (ports, { cert, key }, folder) => {
      const pair = join(folder, 'pair.pem')
      writeFileSync(pair, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'))
      const example = blockAfter('HAProxy, whose')
        .replace('bind :443', `bind 127.0.0.1:${ports.proxy}`)
        .replace('/etc/haproxy/class.pem', pair)
        .replace('127.0.0.1:8080', `127.0.0.1:${ports.class}`)
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(file, example)
      return spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    }),
)

test.skipIf(!has('caddy') || !has('openssl'))(
  'Caddy with the example does the same (needs caddy and openssl)',
  { timeout: 120_000 },
  () =>
    showProxy('HTTP/2', (ports, { cert, key }, folder) => {
      const site = blockAfter('Caddy, which')
        .replace(`${NAME} {`, `https://${NAME}:${ports.proxy} {\n  tls ${cert} ${key}`)
        .replace('127.0.0.1:8080', `127.0.0.1:${ports.class}`)
      const file = join(folder, 'Caddyfile')
      writeFileSync(file, `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`)
      const env = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
      return spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    }),
)

test('a person whose requests come by many connections that the proxy keeps is served by each', async () => {
  const { port, cookie } = await openClass()
  const forwarded = { host: NAME, 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.9' }
  const headers = { ...forwarded, cookie: `__Host-tartaglia=${cookie}` }
  const statuses = new Set<number>()
  for (let number = 0; number < 150; number++) {
    const agent = new Agent({ keepAlive: true })
    ending.push(() => agent.destroy())
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get({ host: '127.0.0.1', port, headers, agent }, resolve).on('error', reject),
    )
    response.resume()
    await once(response, 'end')
    statuses.add(response.statusCode ?? 0)
  }
  expect([...statuses]).toEqual([200])
})

test('the command of the unit, and the options of each command line, are those of serve', async () => {
  const { stdout } = await run('serve', '--help')
  const options = [...page.matchAll(/serve ((?:--[\w-]+[^`|\n]*))/g)].flatMap(([, text = '']) => [
    ...text.matchAll(/--[\w-]+/g),
  ])
  expect(options.length).toBeGreaterThan(6)
  for (const [option] of options) expect(stdout).toContain(`${option} `)
})

test.skipIf(process.platform !== 'linux')(
  'the unit opens a class in its state folder, and ends well, with its workers, when its main process is told to',
  { timeout: 120_000 },
  async () => {
    const unit = blockAfter('This is its unit')
    const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
    const state = join(temporaryFolder('hosting-state'), value('StateDirectory'))
    mkdirSync(state, { mode: Number.parseInt(value('StateDirectoryMode'), 8) })
    const [variable = '', place = ''] = value('Environment').split('=')
    const data = place.replace(`/var/lib/${value('StateDirectory')}`, state)
    expect(data).toBe(join(state, 'class'))
    // systemd passes on nothing of a terminal.
    const env = { PATH: '/usr/bin:/bin', HOME: state, [variable]: data }
    const [program, ...args] = value('ExecStart').split(' ')
    expect(program).toBe('tartaglia')
    // Another class may have the usual port.
    const journal = join(state, 'journal')
    const written = openSync(journal, 'a', 0o600)
    ending.push(() => closeSync(written))
    const { dev, ino } = fstatSync(written)
    const child = spawn(process.execPath, [cli, ...args, '--port', '0'], {
      ...{ cwd: '/', env: { ...env, JOURNAL_STREAM: `${dev}:${ino}` }, stdio: ['ignore', written, written] },
    })
    const ended = once(child, 'exit')
    ending.push(() => child.kill('SIGKILL'))
    const said = (): string => readFileSync(journal, 'utf8')
    const isOpen = (): boolean => said().includes(`https://${NAME}`)
    await vi.waitUntil(() => isOpen() || child.exitCode !== null, { timeout: 60_000 })
    expect([isOpen(), existsSync(join(data, 'class.json'))]).toEqual([true, true])
    // Workers play the sample contest.
    const workers = (): readonly string[] =>
      contentOf(`${child.pid}/task/${child.pid}/children`).split(' ').filter(isWorker)
    await vi.waitUntil(() => workers().length > 0, { timeout: 60_000 })
    const begun = workers()
    // Others may read the journal.
    expect(said()).not.toContain('token=')
    expect((await tartaglia('address', '--data', data).ended).stdout).toContain('token=')
    // With KillMode=mixed the main process alone is told; the others would be killed if they outlived it.
    expect(value('KillMode')).toBe('mixed')
    child.kill('SIGTERM')
    expect(await ended, said()).toEqual([0, null])
    expect(begun.filter(isWorker)).toEqual([])
  },
)

/** A file of the processes of Linux; '' if its process has ended. */
function contentOf(file: string): string {
  try {
    return readFileSync(join('/proc', file), 'utf8')
  } catch {
    return ''
  }
}
const isWorker = (id: string): boolean => id !== '' && contentOf(join(id, 'cmdline')).includes('worker.js')

test('the unit leaves out the lines that would break the isolation of agents', () => {
  const unit = blockAfter('This is its unit')
  const named = [
    ...page
      .slice(page.indexOf('Do not add:'))
      .split('\n\n')[1]!
      .matchAll(/`(\w+=)`/g),
  ].map(([, line]) => line!)
  expect(named.length).toBeGreaterThan(8)
  for (const line of named) expect(unit).not.toContain(`\n${line}`)
})

test.skipIf(!has('systemd-analyze'))('systemd reads the unit without a complaint (needs systemd-analyze)', () => {
  const unit = blockAfter('This is its unit').replace('ExecStart=tartaglia', `ExecStart=${process.execPath}`)
  const file = join(temporaryFolder('hosting-unit'), 'tartaglia.service')
  writeFileSync(file, unit)
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('tartaglia'))
  expect([status, ours]).toEqual([0, []])
})
