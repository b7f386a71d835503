// A whole class that is open to the network, and what its people and strangers find there: roles, sign-ins, uploads, the clock. Runs in a
// network namespace of its own, whose addresses are not those of loopback, and prints its findings as JSON: class-on-network.test.ts
// compares them.
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { WebSocket } from 'ws'
import { serveClassroom } from '../../../main/app/serve.ts'
import { defaultSettings } from '../../../main/contract/cases/cases.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import type { ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import { UPLOAD_BYTES_MAX } from '../../../main/contract/procedures/uploads.ts'
import { makeRoleClass } from '../../conformance/service/role-class.ts'
import { setClock } from '../../../main/services/contests/recurring/set-clock.ts'
import { zip } from '../../conformance/service/zip.ts'
import { removeTemporaryFolders, temporaryFolder } from '../../temporary-folder.ts'

const server = '192.0.2.7'
/** Addresses of other machines. */
const machine = (n: number): string => `198.51.100.${n}`
const HOUR = 60 * 60_000
const data = join(temporaryFolder('class-on-network'), 'data')
const made = await makeRoleClass(data)
const begun = Date.now()
const clock = setClock(new Date(begun).toISOString())
const unexpected: string[] = []
const classroom = await serveClassroom({
  ...{ data, port: 0, clock, opening: { how: 'tls', host: server, port: 0, files: null } },
  onUnexpected: (error, doing) => void unexpected.push(`${doing}: ${String(error)}`),
})
const { service } = classroom
const state = classroom.network()
if (!state.isOpen) throw new Error('The class is not open.')
const origin = state.addresses.find((each) => each.includes(server))!
const { port } = new URL(origin)

interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
interface Sent {
  readonly headers?: IncomingHttpHeaders
  readonly from?: string
}

/** A request of another machine. `body`: text, or pieces. */
function ask(
  method: 'GET' | 'POST',
  path: string,
  body: string | Readable,
  { headers = {}, from }: Sent = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const options = { host: server, port, path, method, localAddress: from ?? machine(9), agent: false as const }
    const sent = request({ ...options, headers: { origin, ...headers }, rejectUnauthorized: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    sent.on('error', reject)
    if (typeof body === 'string') sent.end(body)
    else pipeline(body, sent).catch(reject)
  })
}
const page = (headers: IncomingHttpHeaders = {}): Promise<Got> => ask('GET', '/', '', { headers })
const post = (path: string, body: object, { headers = {}, ...sent }: Sent = {}): Promise<Got> =>
  ask('POST', path, JSON.stringify(body), { ...sent, headers: { 'content-type': 'application/json', ...headers } })
const cookieOf = ({ headers }: Got): string => headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
const upload = (name: string, body: string | Readable, headers: IncomingHttpHeaders): Promise<Got> =>
  ask('POST', `/packages?name=${encodeURIComponent(name)}`, body, {
    headers: { 'content-type': 'application/octet-stream', ...headers },
  })
const found: Record<string, unknown> = {}

/** The answer to a call, as far as the tests compare it. */
interface Answer {
  readonly ok: boolean
  readonly value?: unknown
  readonly error?: { readonly reason: string }
}
type Call = (name: ProcedureName, input: object) => Promise<Answer>
interface Screen {
  readonly call: Call
  /** The code with which it is cut. */
  readonly cut: Promise<number>
  close(): void
}
async function screenOf(cookie: string): Promise<Screen> {
  const socket = new WebSocket(`wss://${server}:${port}/rpc`, {
    ...{ headers: { cookie, origin }, rejectUnauthorized: false, localAddress: machine(9) },
  })
  await once(socket, 'open')
  let last = 0
  return {
    cut: new Promise((resolve) => socket.on('close', resolve)),
    call(name, input) {
      const i = String(++last)
      const answer = new Promise<Answer>((resolve) => {
        const listen = (bytes: Buffer): void => {
          const message = JSON.parse(bytes.toString()) as { readonly i?: string; readonly r?: Answer }
          if (message.i !== i || message.r === undefined) return
          socket.off('message', listen)
          resolve(message.r)
        }
        socket.on('message', listen)
      })
      socket.send(JSON.stringify({ t: 'q', i, m: 'call', a: [name, input] }))
      return answer
    },
    close: () => socket.close(),
  }
}

const idOf = (digit: string): string => digit.repeat(16)
const PASSWORD = 'four words of mine'
const byPassword = (digit: string, password = PASSWORD, sent: Sent = {}): Promise<Got> =>
  post('/sign-in', { name: `Person ${digit}`, password }, sent)
/** Signs somebody in with a new code, which becomes their password. */
async function firstSignIn(digit: string, headers: IncomingHttpHeaders = {}): Promise<string> {
  const { code } = await service.handlers['people.code']({ person: idOf(digit) }, hostCaller)
  return cookieOf(await post('/sign-in', { name: `Person ${digit}`, code, newPassword: PASSWORD }, { headers }))
}
async function tokenOf({ call }: Screen): Promise<string> {
  const { deviceCode, userCode } = (JSON.parse((await post('/device', {})).body) as { value: Record<string, string> })
    .value
  await call('me.confirmDevice', { userCode: userCode! })
  return (JSON.parse((await post('/device/token', { deviceCode })).body) as { value: { token: string } }).value.token
}

/** The answers that each person gets: a procedure of each kind, on own, foreign and absent objects. */
async function findRoles(
  callers: Readonly<Record<string, Call>>,
  dossiers: ReadonlyMap<string, string>,
): Promise<object> {
  const none = '00000000-0000-4000-8000-000000000000'
  const things = (part: string) => ({
    own: { ...made.own, contest: part === 'guest' ? made.announced : made.own.contest, team: idOf('a') },
    foreign: { ...made.foreign, team: idOf('b') },
    absent: { agent: 'nobody', hash: 'f'.repeat(64), contest: 'none-1', team: idOf('f') },
  })
  type Things = ReturnType<typeof things>['own']
  const reference = {
    ...{ match: 0, line: 1, move: 1, part: null, sentence: 'It does.' },
    ...{ head: 'a'.repeat(64), hash: 'b'.repeat(64) },
  }
  const settings = { own: { locale: 'en' }, foreign: { trustedKeys: [] }, absent: { webAddresses: [] } }
  const inputs: Partial<Record<ProcedureName, (thing: Things, whose: keyof typeof settings, part: string) => object>> =
    {
      'guests.get': () => ({}),
      'agents.similarPairs': () => ({}),
      'agents.get': ({ agent }) => ({ name: agent }),
      'teams.mine': () => ({}),
      'handIn.attempts': ({ team }) => ({ team }),
      'contests.get': ({ contest }) => ({ contest }),
      'deadlines.get': ({ contest }) => ({ contest }),
      'cases.list': () => ({ contest: null, search: '', offset: 0, limit: 10 }),
      'cases.tokens': () => ({}),
      'cases.file': ({ contest, agent, hash }) => ({
        ...{ contest, asks: [], text: 'It did.', settings: defaultSettings.writing },
        against: { what: 'agent', name: agent },
        rule: { source: 'rulebook', id: '5', text: 'Thou shalt not.', sha256: hash },
        evidence: [{ reference: { contest, ...reference } }],
      }),
      'play.opponents': () => ({ game: 'specker' }),
      'dossiers.list': () => ({}),
      'dossiers.rename': (_, whose, part) => ({
        title: 'T',
        dossier: (whose === 'own' ? dossiers.get(part) : whose === 'foreign' ? dossiers.get('another') : none) ?? none,
      }),
      'settings.set': (_, whose) => settings[whose],
      'me.sessions': () => ({}),
      'me.get': () => ({}),
    }
  const answers: Record<string, Record<string, object>> = {}
  for (const [part, call] of Object.entries(callers)) {
    const own = (answers[part] = {} as Record<string, object>)
    for (const [name, inputOf] of Object.entries(inputs)) {
      const row: Record<string, object> = {}
      for (const [whose, thing] of Object.entries(things(part)) as [keyof typeof settings, Things][]) {
        const input = inputOf(thing, whose, part)
        const { ok, error } = await call(name as ProcedureName, input)
        const names = [...Object.values(thing), ...Object.keys(input)]
        const text = names.reduce((rest, each: string) => rest.replaceAll(each, '?'), JSON.stringify(error ?? null))
        row[whose] = { ok, reason: error?.reason ?? null, text }
      }
      own[name] = row
    }
  }
  return answers
}

try {
  const stranger = await page()
  // Fixation: a cookie that somebody planted, or had before, never becomes a session.
  const planted = `__Host-tartaglia=${'p'.repeat(43)}`
  const first = await firstSignIn('3', { cookie: planted })
  const again = cookieOf(await byPassword('3', PASSWORD, { headers: { cookie: first } }))
  found['fixation'] = {
    isNew: /^__Host-tartaglia=[\w-]{43}$/.test(first) && first !== planted,
    planted: (await page({ cookie: planted })).status,
    beside: (await page({ cookie: `${planted}; ${again}` })).status,
    former: (await page({ cookie: first })).status,
    present: (await page({ cookie: again })).status,
  }

  const cookies = {
    educator: await firstSignIn('1'),
    assistant: await firstSignIn('2'),
    student: again,
    another: await firstSignIn('4'),
  }
  const screens = new Map<string, Screen>()
  for (const [part, cookie] of Object.entries(cookies)) screens.set(part, await screenOf(cookie))
  const [educator, student, another] = ['educator', 'student', 'another'].map((part) => screens.get(part)!) as [
    Screen,
    Screen,
    Screen,
  ]
  const until = new Date(clock.now() + HOUR).toISOString()
  const { value: link } = (await educator.call('guests.admit', { until })) as { value: { path: string } }
  screens.set('guest', await screenOf(cookieOf(await ask('GET', link.path, ''))))
  const token = { authorization: `Bearer ${await tokenOf(student)}` }
  const byToken: Call = async (name, input) =>
    JSON.parse((await post('/call', { name, input }, { headers: token })).body) as Answer
  const dossiers = new Map<string, string>()
  for (const part of ['educator', 'assistant', 'student', 'another']) {
    const { value } = (await screens.get(part)!.call('dossiers.make', { title: 'T' })) as { value: { dossier: string } }
    dossiers.set(part, value.dossier)
  }
  const callers = ['educator', 'assistant', 'student', 'guest'].map((part) => [part, screens.get(part)!.call] as const)
  found['roles'] = await findRoles({ ...Object.fromEntries(callers), terminal: byToken }, dossiers)

  // Uploads.
  const ofStudent = { cookie: cookies.student }
  const answerOf = ({ status, body }: Got): unknown => [status, (JSON.parse(body) as Answer).error?.reason ?? 'taken']
  const taken = await upload('../../evil.js', 'module.exports = class {}\n', ofStudent)
  const pieces = function* (): Generator<Buffer> {
    const piece = Buffer.alloc(1024 * 1024)
    for (let sent = 0; sent <= UPLOAD_BYTES_MAX; sent += piece.length) yield piece
  }
  const large = answerOf(await upload('large.js', Readable.from(pieces()), ofStudent))
  // Two that do not end; a third one has to wait.
  const [one, two] = [new Readable({ read: () => undefined }), new Readable({ read: () => undefined })]
  const slow = [one, two].map((each) => (each.push('x'), upload('slow.js', each, ofStudent)))
  let third: unknown
  do third = answerOf(await upload('third.js', 'x', ofStudent))
  while (JSON.stringify(third).includes('taken'))
  for (const each of [one, two]) each.push(null)
  await Promise.all(slow)
  const ofAssistant = { cookie: cookies.assistant }
  let uploads = 0
  while ((await upload('many.js', 'x', ofAssistant)).status === 200) uploads += 1
  const secondSession = { cookie: cookieOf(await byPassword('2')) }
  const bomb = async (content: Buffer): Promise<string> => {
    const { body } = await upload('bomb.zip', Readable.from([content]), { cookie: cookies.another })
    const { value } = JSON.parse(body) as { readonly value: { readonly file: string } }
    const { error } = await another.call('handIn.submit', { file: value.file, game: 'specker' })
    return error?.reason ?? 'accepted'
  }
  const manifest = JSON.stringify({ name: 'a', game: 'specker', kind: 'program', command: ['python3', 'a.py'] })
  const many = Array.from({ length: 70 }, (_, at) => [`x${at}`, new Uint8Array(1_000_000)] as const)
  found['uploads'] = {
    name: [taken.status, /^[\w-]{36}$/.test((JSON.parse(taken.body) as { value: { file: string } }).value.file)],
    ...{ large, third, uploads },
    // Whoever signs in again has no more of them; others do not notice.
    secondSession: (await upload('many.js', 'x', secondSession)).status,
    others: (await upload('other.js', 'x', ofStudent)).status,
    stranger: (await upload('other.js', 'x', {})).status,
    type: (await upload('other.js', 'x', { ...ofStudent, 'content-type': 'text/html' })).status,
    foreignOrigin: (await upload('other.js', 'x', { ...ofStudent, origin: 'https://attacker.example' })).status,
    bomb: await bomb(zip({ 'agent.json': manifest, 'a.py': '', x: new Uint8Array(30_000_000) })),
    bombs: await bomb(zip({ 'agent.json': manifest, 'a.py': '', ...Object.fromEntries(many) })),
    receipts: (await student.call('receipts.head', {})).value,
    afterwards: (await another.call('me.get', {})).ok,
  }
  const typed = [stranger, await page(ofStudent), taken, await post('/sign-in', {})]
  found['nosniff'] = typed.map(({ headers }) => headers['x-content-type-options'])

  // Names that would write on a terminal, or turn the text around them.
  await educator.call('people.joining', { open: true })
  const { value: list } = (await educator.call('people.list', {})) as { value: { classCode: { code: string } | null } }
  const joining = (name: string): Promise<Got> =>
    post('/join', { classCode: list.classCode!.code, name, password: PASSWORD })
  const hostile = ['\u001b[31mred', 'two\nlines', 'right\u202eto left', 'bell\u0007']
  found['names'] = await Promise.all(hostile.map(async (name) => (await joining(name)).status))

  // Guesses: from one address of a person, and from 200 of another.
  const statuses: Record<string, readonly number[]> = {}
  for (const [digit, addresses] of [
    ['4', 1],
    ['1', 200],
  ] as const) {
    const own: number[] = []
    for (let n = 0; n < Math.max(addresses, 10); n++) {
      const from = machine(10 + (addresses === 1 ? 0 : n))
      const headers = { 'x-forwarded-for': `203.0.113.${n}` }
      own.push((await byPassword(digit, `a wrong one ${n}`, { from, headers })).status)
    }
    statuses[addresses] = own
  }
  found['guesses'] = statuses

  // The clock: a session that is over stays so.
  const before = secondSession.cookie
  clock.set(new Date(begun + 13 * HOUR).toISOString())
  const over = (await page({ cookie: before })).status
  const signedOut = cookieOf(await byPassword('2'))
  await post('/sign-out', {}, { headers: { cookie: signedOut } })
  clock.set(new Date(begun).toISOString())
  found['clock'] = {
    over,
    before: (await page({ cookie: before })).status,
    signedOut: (await page({ cookie: signedOut })).status,
  }

  // The account of a student who is removed.
  const leaving = await screenOf(cookieOf(await byPassword('3')))
  const terminal = { authorization: `Bearer ${await tokenOf(leaving)}` }
  const remaining = cookieOf(await byPassword('3'))
  await service.handlers['people.remove']({ person: idOf('3') }, hostCaller)
  const unknown = await byPassword('9')
  const removed = await byPassword('3')
  found['removed'] = {
    cut: await leaving.cut,
    page: (await page({ cookie: remaining })).status,
    terminal: (await post('/call', { name: 'me.get', input: {} }, { headers: terminal })).status,
    upload: (await upload('late.js', 'x', terminal)).status,
    signIn: [removed.status, removed.body === unknown.body],
  }
  for (const screen of screens.values()) screen.close()
  found['unexpected'] = unexpected
} finally {
  await classroom.close()
  removeTemporaryFolders()
}
process.stdout.write(JSON.stringify(found))
