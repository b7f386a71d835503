import { wholeView } from '../../whole-view.ts'
import { createBirpc } from 'birpc'
import { MessageChannel } from 'node:worker_threads'
import { expect, test, vi } from 'vitest'
import { connectionLimits, type Connection } from '../../../main/administrator/procedures/connection.ts'
import { createDispatcher } from '../../../main/administrator/procedures/dispatch.ts'
import { inBrief } from '../../../main/administrator/procedures/service-desk.ts'
import { TEXT_CHARACTERS_MAX } from '../../../main/contract/procedures/class-texts.ts'
import {
  procedures,
  type Handlers,
  type OutputOf,
  type ProgramSide,
  type ScreenSide,
} from '../../../main/contract/procedures/procedures.ts'
import { hostCaller, type Caller, type Visitor } from '../../../main/contract/people/caller.ts'
import type { Json } from '../../../main/contract/json.ts'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import { MachineError } from '../../../main/histories/machine-error.ts'
import { refusedCall } from '../../refusal.ts'

const educator: Visitor = { kind: 'host' }

/** A screen at the other end of a transport that copies messages as a MessagePort would. */
function stage(some: Partial<Handlers> = {}, visitor: Visitor = educator, caller: Caller = hostCaller) {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const unexpected: { error: unknown; doing: string }[] = []
  const notified: unknown[][] = []
  const ended: string[] = []
  const audited: { by: Caller; did: string; what: Json }[] = []
  const handlers = Object.fromEntries(
    Object.keys(procedures).map((name) => [name, () => Promise.reject(new Error(`${name} was not expected here`))]),
  )
  const dispatcher = createDispatcher(
    {
      handlers: { ...handlers, ...some } as Handlers,
      isReadOnly: false,
      callerOf: () => caller,
      viewOf: () => wholeView,
      audit: (by, did, what) => void audited.push({ by, did, what }),
      takePackage: async () => ({ file: 'x' }),
      takeArchive: async () => ({ file: 'x' }),
      async takeHistory(name, content) {
        for await (const piece of content)
          if (piece.length > 5) throw new ExpectedError('usage', 'too-large', `${name} is too large.`)
        return { file: `taken-${name}` }
      },
      on(topic, listener) {
        if (topic === 'contest:none') throw new ExpectedError('usage', 'contest-unknown', 'There is no contest none.')
        const of = listeners.get(topic) ?? new Set()
        listeners.set(topic, of.add(listener))
        return () => of.delete(listener)
      },
    },
    (error, doing) => unexpected.push({ error, doing }),
  )
  let hear: (message: unknown) => void = () => undefined
  /** Set to keep the program waiting as a slow reader does. */
  const gate: { taken: Promise<void> | undefined } = { taken: undefined }
  const connection: Connection = dispatcher.connect(
    {
      send(message) {
        hear(structuredClone(message))
        return gate.taken
      },
      end: (reason) => ended.push(reason),
    },
    visitor,
  )
  const program = createBirpc<ProgramSide, ScreenSide>(
    { notify: (topic, value) => void notified.push([topic, value]) },
    {
      post: (message: unknown) => connection.receive(structuredClone(message)),
      on: (listener) => void (hear = listener),
      timeout: -1,
    },
  )
  const emit = (topic: string, value: unknown): void => listeners.get(topic)?.forEach((listener) => listener(value))
  const watchers = (topic: string): number => listeners.get(topic)?.size ?? 0
  return { program, connection, unexpected, notified, ended, audited, emit, watchers, gate }
}

test('a handler gets the parsed input and the caller; the screen gets its value', async () => {
  const list = vi.fn<Handlers['agents.list']>(async () => ({ items: [], offset: 0, total: 0 }))
  const { program } = stage({ 'agents.list': list })
  expect(await program.call('agents.list', { limit: 7 })).toEqual({
    ok: true,
    value: { items: [], offset: 0, total: 0 },
  })
  expect(list).toHaveBeenCalledExactlyOnceWith({ offset: 0, limit: 7, search: '' }, hostCaller)
})

test.each(['agents.destroy', '', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'there is no procedure "%s"',
  async (name) => {
    const { program } = stage()
    expect(await program.call(name, {})).toEqual(refusedCall('procedure-unknown', JSON.stringify(name)))
  },
)

test.each([7, null, { name: 'agents.list' }, ['agents.list']])('the name %j is not one', async (name) => {
  const { program } = stage()
  expect(await Reflect.apply(program.call, null, [name, {}])).toMatchObject({
    ok: false,
    error: { code: 'unknown-procedure', reason: 'procedure-unknown' },
  })
})

test('a long name is cut in the sentence that refuses it', async () => {
  const { program } = stage()
  const reply = await program.call('x'.repeat(100_000), {})
  expect(reply.ok ? '' : reply.error.message).toMatch(/[^x]x{60}[^x]/)
})

test('without a role nothing can be called and nothing followed', async () => {
  const get = vi.fn<Handlers['settings.get']>()
  const { program, watchers } = stage({ 'settings.get': get }, { kind: 'guest' }, { ...hostCaller, role: null })
  expect(await program.call('settings.get', {})).toEqual(refusedCall('sign-in-needed', 'settings.get'))
  expect(await program.subscribe('status')).toEqual(refusedCall('sign-in-needed', 'status'))
  expect(get).not.toHaveBeenCalled()
  expect(watchers('status')).toBe(0)
})

test.each([
  ['contests.get', {}, /^contests\.get: contest: /],
  ['contests.get', { contest: '../../etc' }, /^contests\.get: contest: /],
  ['contests.get', { contest: 'a', more: 1 }, /^contests\.get: .*more/],
  ['agents.list', { limit: 1e9 }, /^agents\.list: limit: /],
  ['agents.list', null, /^agents\.list: /],
  ['agents.list', undefined, /^agents\.list: /],
  ['settings.set', { locale: 'de\u202e' }, /^settings\.set: locale: /],
])('%s does not take %j', async (name, input, sentence) => {
  const { program } = stage()
  const reply = await program.call(name, input)
  expect(reply).toMatchObject({ ok: false, error: { code: 'malformed', reason: 'input-invalid' } })
  expect(reply.ok ? '' : reply.error.message).toMatch(sentence)
  expect(reply.ok ? '' : reply.error.message).toMatch(/^[^\n]+\.$/)
})

test('what is too large or too deep is refused before it is parsed', async () => {
  const { program, unexpected } = stage()
  let config: unknown = 1
  for (let level = 0; level < 500; level++) config = [config]
  expect(await program.call('contests.estimate', { draft: { config } })).toEqual(
    refusedCall('too-large', 'contests.estimate', 64),
  )
  expect(await program.call('contests.get', { contest: 'x'.repeat(4_000_001) })).toEqual(
    refusedCall('too-large', 'contests.get', 4_000_000),
  )
  expect(unexpected).toEqual([])
})

test.each([
  [new ExpectedError('usage', 'agent-unknown', 'There is no agent fior.'), 'refused'],
  [new ExpectedError('verdict', 'history-invalid', 'fior does not walk.'), 'refused'],
  [new ExpectedError('host', 'match-failed', 'The data folder is in use.'), 'host'],
  [new MachineError('Cannot write /x: the disk is full.', '/x', 'disk-full'), 'host'],
])('%s is said in its own words', async (error, code) => {
  const { program, unexpected } = stage({ 'settings.get': () => Promise.reject(error) })
  expect(await program.call('settings.get', {})).toMatchObject({
    ok: false,
    error: { code, message: error.message, reason: error.code },
  })
  expect(unexpected).toEqual([])
})

test('an error of the operating system becomes a sentence', async () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    syscall: 'write',
    path: '/data/class.json',
    code: 'ENOSPC',
  })
  const { program } = stage({ 'settings.get': () => Promise.reject(error) })
  expect(await program.call('settings.get', {})).toEqual(refusedCall('disk-full', '/data/class.json'))
})

test.each([new TypeError("Cannot read properties of undefined (reading 'secret')"), 'a text', null, undefined])(
  'of what nobody expected (%s) the screen learns only that it happened',
  async (thrown) => {
    const { program, unexpected } = stage({
      'settings.get': () => {
        throw thrown
      },
    })
    const reply = await program.call('settings.get', {})
    expect(reply).toMatchObject({ ok: false, error: { code: 'host', reason: 'internal-error' } })
    const text = JSON.stringify(reply)
    expect(text).not.toContain('secret')
    expect(text).not.toContain('dispatch.test')
    expect(unexpected).toEqual([{ error: thrown, doing: 'settings.get' }])
  },
)

test('an answer that cannot be sent is an error of the program, not silence', async () => {
  const value = { dataFolder: () => 'a function' }
  const { program, unexpected } = stage({ 'settings.get': async () => value as never })
  expect(await program.call('settings.get', {})).toMatchObject({
    ok: false,
    error: { code: 'host', reason: 'internal-error' },
  })
  expect(unexpected).toHaveLength(1)
})

test('calls above the limit are refused until answers have been taken', async () => {
  let release: () => void = () => undefined
  const held = new Promise<never[]>((resolve) => (release = () => resolve([])))
  const { program } = stage({ 'challenges.list': () => held })
  const running = Array.from({ length: connectionLimits.calls }, () => program.call('challenges.list', {}))
  expect(await program.call('challenges.list', {})).toEqual(refusedCall('busy', connectionLimits.calls))
  release()
  expect((await Promise.all(running)).every(({ ok }) => ok)).toBe(true)
  expect(await program.call('challenges.list', {})).toMatchObject({ ok: true })
})

test('a player that takes no answers and goes on asking is cut off', async () => {
  const { program, gate, ended } = stage({ 'challenges.list': async () => [] })
  gate.taken = new Promise(() => undefined)
  for (let n = 0; n <= connectionLimits.questions; n++) void program.call('challenges.list', {})
  await vi.waitUntil(() => ended.length > 0, { timeout: 30_000 })
  expect(ended[0]).toBe('answers are not being taken')
})

test('large inputs that are still being worked on leave no room for more', async () => {
  const text = 'A'.repeat(TEXT_CHARACTERS_MAX)
  const { program } = stage({ 'texts.add': () => new Promise(() => undefined) })
  const add = () => program.call('texts.add', { game: 'specker', field: 'map', name: 'a', text })
  for (let room = connectionLimits.characters; room > TEXT_CHARACTERS_MAX; room -= TEXT_CHARACTERS_MAX) void add()
  expect(await add()).toEqual(refusedCall('busy'))
})

test('a pasted text has a limit, which its refusal names with the other way', async () => {
  const added: number[] = []
  const { program } = stage({
    async 'texts.add'({ text }) {
      added.push(text.length)
      return { name: 'a', own: true, bytes: text.length }
    },
  })
  const add = (characters: number) =>
    program.call('texts.add', { game: 'specker', field: 'map', name: 'a', text: 'A'.repeat(characters) })
  expect(await add(TEXT_CHARACTERS_MAX)).toMatchObject({ ok: true })
  for (const characters of [TEXT_CHARACTERS_MAX + 1, 3 * TEXT_CHARACTERS_MAX]) {
    const refused = await add(characters)
    expect(refused).toMatchObject({ ok: false, error: { code: 'malformed' } })
    if (characters === TEXT_CHARACTERS_MAX + 1) expect(JSON.stringify(refused)).toMatch(/4,000,000.*contest file/)
  }
  expect(added).toEqual([TEXT_CHARACTERS_MAX])
})

test('values of a topic reach the screen until it has had enough', async () => {
  const { program, notified, emit, watchers } = stage()
  expect(await program.subscribe('status')).toEqual({ ok: true, value: null })
  expect(await program.subscribe('status')).toEqual({ ok: true, value: null })
  expect(watchers('status')).toBe(1)
  emit('status', ['one'])
  await vi.waitUntil(() => notified.length > 0, { timeout: 30_000 })
  expect(notified).toEqual([['status', ['one']]])
  await program.unsubscribe('status')
  emit('status', ['two'])
  expect(watchers('status')).toBe(0)
  expect(notified).toHaveLength(1)
})

test.each(['', 'everything', 'contest:', 'contest:../x', '__proto__'])('there is no topic %j', async (topic) => {
  const { program } = stage()
  expect(await program.subscribe(topic)).toEqual(refusedCall('procedure-unknown', JSON.stringify(topic)))
  expect(await program.unsubscribe(topic)).toMatchObject({ ok: true })
})

test("a topic that the service refuses is refused in the service's words", async () => {
  const { program } = stage()
  expect(await program.subscribe('contest:none')).toEqual({
    ok: false,
    error: { code: 'refused', reason: 'contest-unknown', message: 'There is no contest none.' },
  })
})

test('subscriptions are limited', async () => {
  const { program } = stage()
  for (let n = 0; n < connectionLimits.subscriptions; n++) await program.subscribe(`contest:c${n}`)
  expect(await program.subscribe('contest:more')).toEqual(refusedCall('limit-reached', connectionLimits.subscriptions))
  await program.unsubscribe('contest:c0')
  expect(await program.subscribe('contest:more')).toMatchObject({ ok: true })
})

test('when the screen has gone nothing of it stays', async () => {
  const { program, connection, emit, watchers, notified } = stage()
  await program.subscribe('status')
  await program.subscribe('contest:a')
  connection.close()
  void program.subscribe('agents')
  emit('status', 1)
  await new Promise(setImmediate)
  expect([watchers('status'), watchers('contest:a'), watchers('agents')]).toEqual([0, 0, 0])
  expect(notified).toEqual([])
})

test.each([
  null,
  'text',
  7,
  [],
  {},
  { t: 's', i: '1', r: 1 },
  { t: 'q', i: '1', m: 'call' },
  { t: 'q', i: '1', m: 'call', a: { length: 1e9 } },
  { t: 'q', i: '1', m: 'call', a: [1, 2, 3, 4] },
  { t: 'q', m: 'call', a: ['settings.get', {}] },
  { t: 'q', i: 'x'.repeat(65), m: 'call', a: ['settings.get', {}] },
  { t: 'q', i: '1', m: 'constructor', a: [] },
  { t: 'q', i: '1', m: 'toString', a: [] },
  { t: 'q', i: '1', m: '$close', a: [] },
])('%j is not a question: the conversation ends', (message) => {
  const { connection, ended } = stage()
  connection.receive(message)
  expect(ended).toEqual(['a message that is not a question'])
})

test('it works over a MessagePort, as in Electron', async () => {
  const { port1, port2 } = new MessageChannel()
  const handlers = { 'challenges.list': async () => [] } as Partial<Handlers> as Handlers
  const take = async () => ({ file: 'x' })
  const callerOf = () => hostCaller
  const viewOf = () => wholeView
  const uploads = { takeHistory: take, takePackage: take, takeArchive: take }
  const nothing = (): undefined => undefined
  const service = { handlers, isReadOnly: false, callerOf, viewOf, audit: nothing, on: () => nothing, ...uploads }
  const dispatcher = createDispatcher(service, () => undefined)
  const connection = dispatcher.connect(
    {
      send(message) {
        port1.postMessage(message)
        return undefined
      },
      end: () => port1.close(),
    },
    educator,
  )
  port1.on('message', (message) => connection.receive(message))
  const program = createBirpc<ProgramSide, ScreenSide>(
    { notify: () => undefined },
    {
      post: (message: unknown) => port2.postMessage(message),
      on: (listener) => void port2.on('message', listener),
      timeout: -1,
    },
  )
  expect(await program.call('challenges.list', {})).toEqual({ ok: true, value: [] })
  expect(await program.call('challenges.lost', {})).toEqual(refusedCall('procedure-unknown', 'challenges.lost'))
  port1.close()
})

test('a call that changed something is one line of the audit log, and one that failed is not', async () => {
  const { program, audited } = stage({
    'contests.cancel': async ({ contest }) => {
      if (contest === 'none') throw new ExpectedError('usage', 'contest-unknown', 'There is no contest none.')
      return null
    },
    'contests.get': async () => ({}) as OutputOf<'contests.get'>,
    'agents.rename': async () => null,
  })
  await program.call('contests.get', { contest: 'cup-1' })
  await program.call('contests.cancel', { contest: 'none' })
  await program.call('contests.cancel', { contest: '../x' })
  await program.call('contests.cancel', { contest: 'cup-1' })
  await program.call('agents.rename', { name: 'a', to: 'b' })
  expect(audited).toEqual([
    { by: hostCaller, did: 'contests.cancel', what: { contest: 'cup-1' } },
    { by: hostCaller, did: 'agents.rename', what: { name: 'a', to: 'b' } },
  ])
})

test('what is done stays done when the log of it cannot be written', async () => {
  const { program, audited, unexpected } = stage({ 'contests.cancel': async () => null })
  audited.push = () => {
    throw new Error('disk full')
  }
  expect(await program.call('contests.cancel', { contest: 'cup-1' })).toEqual({ ok: true, value: null })
  expect(unexpected).toMatchObject([{ doing: 'The audit log of contests.cancel' }])
})

test('no line has a password, a code, the bytes of a file or a private reason', async () => {
  const secret = 'sEcReT'
  const { program, audited } = stage({
    'deadlines.extend': async () => null,
    'me.confirmDevice': async () => null,
    'contests.start': async () => null,
    'teams.join': async () => ({ id: '1'.repeat(16), name: 'Red', members: [], invitation: secret }),
  })
  const of = { who: 'team', team: '1'.repeat(16) }
  const until = '2026-11-26T20:00:00.000Z'
  await program.call('deadlines.extend', { of, contest: 'cup-1', until, reason: secret })
  await program.call('me.confirmDevice', { userCode: secret })
  await program.call('contests.start', { contest: 'cup-1', phrase: secret })
  await program.call('teams.join', { invitation: 'ABCDEFGHJK' })
  expect(audited.length).toBeGreaterThan(1)
  expect(JSON.stringify(audited)).not.toContain(secret)
})

test('a line is brief however much a call names', () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `agent-${i}`)
  const brief = inBrief({ names, text: 'x'.repeat(5_000), half: '\ud800' }) as Record<string, Json>
  expect(JSON.stringify(brief).length).toBeLessThan(1_000)
  expect(brief['names']).toHaveLength(21)
  expect(brief['half']).toBe('\ufffd')
})
