import { afterEach, expect, test, vi } from 'vitest'
import { clientLimits } from '../../../main/arenas/haggle/client.ts'
import { findNonce, play } from '../../conformance/arenas/client.ts'
import { half, soft } from '../../conformance/arenas/scripts.ts'
import { openStage, type Stage, type StageOptions } from '../../conformance/arenas/stage.ts'
import { attack, bareWebSocket, readAll, readUntil, type Attacker } from './attacker.ts'
import { saying } from '../../refusal.ts'

const stages: Stage[] = []
afterEach(async () => {
  for (const stage of stages.splice(0)) {
    await othersPlay(stage)
    expect(stage.unexpected).toEqual([])
    await stage.close()
  }
})

async function open(options: StageOptions = {}): Promise<Stage> {
  const stage = await openStage(options)
  stages.push(stage)
  return stage
}

/** Whatever has happened, the next two play. */
async function othersPlay({ url, scores }: Stage): Promise<void> {
  const before = scores.version()
  const [a, b] = await Promise.all(['honest', 'decent'].map((id) => play({ url, id, script: soft })))
  expect(a!.frames.at(-1)).toEqual({ type: 'log', arg: ['done', true] })
  expect(b!.frames.at(-1)).toEqual({ type: 'log', arg: ['done', true] })
  expect(scores.version()).toBe(before + 2)
}

/** An attacker in the middle of a session, on turn, and the partner. */
async function inSession(stage: Stage): Promise<readonly [Attacker, Attacker]> {
  const attacker = await attack(stage.url, 'attacker')
  await attacker.told('waiting')
  const partner = await attack(stage.url, 'partner')
  await Promise.all([attacker.told('start'), partner.told('start')])
  return [attacker, partner]
}

// The goodbyes of a session.
const partnerWalked = saying('partner', 'walked away')
const youWalked = saying('you', 'walked away')
const youAgreed = saying('you', 'agreed')

const giant = 'x'.repeat(clientLimits.frameBytes + 1)
const bad: readonly (readonly [string, string | Buffer, number, string])[] = [
  ['a giant frame', giant, 1009, saying('1024 KB')],
  ['a giant binary frame', Buffer.from(giant), 1009, saying('1024 KB')],
  ['a binary frame', Buffer.from('{"type":"offer"}'), 1003, saying('binary', 'JSON')],
  ['no JSON', 'hello', 1008, saying('not JSON')],
  ['half a JSON text', '{"type":"off', 1008, saying('not JSON')],
  ['nothing', '', 1008, saying('not JSON')],
  ['deep JSON', '['.repeat(500_000) + ']'.repeat(500_000), 1008, saying('pow', 'offer', 'info', 'abort')],
  ['null', 'null', 1008, saying('pow', 'offer', 'info', 'abort')],
  ['a list', '[]', 1008, saying('pow', 'offer', 'info', 'abort')],
  ['no type', '{}', 1008, saying('pow', 'offer', 'info', 'abort')],
  ['another type', '{"type":"start"}', 1008, saying('pow', 'offer', 'info', 'abort')],
  ['a type that is a list', '{"type":["offer"]}', 1008, saying('pow', 'offer', 'info', 'abort')],
  ['a prototype', '{"__proto__":{"type":"offer"}}', 1008, saying('pow', 'offer', 'info', 'abort')],
]

test.each(bad)('%s in a session: the sender is told why and has walked away', async (_, frame, code, reason) => {
  const stage = await open()
  const [attacker, partner] = await inSession(stage)
  attacker.socket.send(frame)
  expect(await attacker.goodbye).toEqual({ code, reason })
  expect(await partner.goodbye).toEqual({ code: 1000, reason: partnerWalked })
  expect(JSON.parse(partner.received.at(-1)!)).toEqual({ type: 'log', arg: ['abort', 0, reason] })
  expect(await stage.published()).toEqual({})
})

test.each(bad)('%s from somebody who waits: sent away, and paired with nobody', async (_, frame, code, reason) => {
  const stage = await open()
  const attacker = await attack(stage.url, 'attacker')
  await attacker.told('waiting')
  attacker.socket.send(frame)
  expect(await attacker.goodbye).toEqual({ code, reason })
})

test.each([
  ['deep', `{"type":"offer","offer":${'['.repeat(300_000)}${']'.repeat(300_000)}}`],
  ['long', `{"type":"offer","offer":[${'0,'.repeat(300_000)}0]}`],
  ['absurd', '{"type":"offer","offer":{"length":3,"0":0,"1":0,"2":0}}'],
  ['of large numbers', '{"type":"offer","offer":[1e999,-1e999,4294967296]}'],
])('an offer that is %s is invalid', async (_, frame) => {
  const stage = await open()
  const [attacker, partner] = await inSession(stage)
  attacker.socket.send(frame)
  await partner.goodbye
  expect(JSON.parse(partner.received.at(-1)!)).toEqual({ type: 'log', arg: ['abort', 0, 'Invalid offer'] })
  expect((await attacker.goodbye).reason).toEqual(youWalked)
})

test('an offer out of turn is walking away, as it was', async () => {
  const stage = await open()
  const [attacker, partner] = await inSession(stage)
  partner.socket.send('{"type":"offer","offer":[0,0,0]}')
  await attacker.goodbye
  expect(JSON.parse(attacker.received.at(-1)!)).toEqual({ type: 'log', arg: ['abort', 1, 'Unexpected offer'] })
  expect((await partner.goodbye).reason).toEqual(youWalked)
})

test.each(['{"type":"offer"}', '{"type":"abort","reason":"x"}'])('%s before a session: sent away', async (frame) => {
  const stage = await open()
  const attacker = await attack(stage.url, 'attacker')
  await attacker.told('waiting')
  attacker.socket.send(frame)
  expect(await attacker.goodbye).toEqual({ code: 1008, reason: saying('session', 'not begun') })
})

test('what an abort says is fit for a terminal, and short; what it does not say is nothing', async () => {
  const stage = await open()
  for (const [reason, told] of [
    ['\u001b[2Jgone\u202e\nfar', ' [2Jgone  far'],
    ['y'.repeat(100_000), 'y'.repeat(400)],
    [['x'], 'Session canceled'],
    [undefined, 'Session canceled'],
  ]) {
    const [attacker, partner] = await inSession(stage)
    attacker.socket.send(JSON.stringify({ type: 'abort', reason }))
    await partner.goodbye
    expect(JSON.parse(partner.received.at(-1)!)).toEqual({ type: 'log', arg: ['abort', 0, told] })
    await attacker.goodbye
  }
})

test('whoever goes on sending after the end is ignored, and cannot keep the connection', async () => {
  const stage = await open()
  const [attacker, partner] = await inSession(stage)
  attacker.socket.send('{"type":"offer","offer":[0,0,0]}')
  await partner.told('"offer":')
  partner.socket.send('{"type":"offer"}')
  for (let i = 0; i < 50; i++) partner.socket.send('{"type":"offer","offer":[9,9,9]}')
  for (let i = 0; i < 50; i++) partner.socket.send('no JSON at all')
  expect((await partner.goodbye).reason).toEqual(youAgreed)
  expect((await attacker.goodbye).reason).toEqual(youAgreed)
  expect(Object.values(await stage.published()).map(({ all }) => all!.sessions)).toEqual([1, 1])
})

test('a flood of frames ends the connection of its sender', async () => {
  const stage = await open()
  const [attacker, partner] = await inSession(stage)
  const flood = setInterval(() => {
    for (let i = 0; i < 500; i++) attacker.socket.send('{"type":"info","text":"x"}', () => undefined)
  }, 0)
  const { code, reason } = await attacker.goodbye
  clearInterval(flood)
  // The connection is cut where its sender does not stop; then there was no time for words.
  if (code === 1008) expect(reason).toEqual(saying('connection', 'too much'))
  else expect(code).toBe(1006)
  await partner.goodbye
  const last = { type: 'log', arg: ['abort', 0, saying('connection', 'too much')] }
  expect(JSON.parse(partner.received.at(-1)!)).toEqual(last)
})

test('a flood of large frames ends as well', async () => {
  const stage = await open()
  const [attacker, partner] = await inSession(stage)
  const large = JSON.stringify({ type: 'info', text: 'x'.repeat(1_000_000) })
  for (let i = 0; i < 17; i++) attacker.socket.send(large, () => undefined)
  await attacker.goodbye
  await partner.goodbye
  const last = { type: 'log', arg: ['abort', 0, saying('connection', 'too much')] }
  expect(JSON.parse(partner.received.at(-1)!)).toEqual(last)
})

test('a script that logs much is not a flood', async () => {
  const stage = await open()
  class Talks extends half {
    readonly #log: (text: unknown) => void
    constructor(...args: ConstructorParameters<typeof half>) {
      super(...args)
      this.#log = args[4]
    }
    override offer(o: readonly number[] | undefined): unknown {
      for (let i = 0; i < 1_000; i++) this.#log('line '.repeat(20))
      return super.offer(o)
    }
  }
  const [a] = await Promise.all([
    play({ url: stage.url, id: 'talks', script: Talks }),
    play({ url: stage.url, id: 'listens', script: half }),
  ])
  expect(a.frames.at(-1)!.arg![0]).toBe('done')
})

test.each([
  ['no id', [], '(option --id)'],
  ['an empty id', ['X-Hola-Challenge-ID: '], '(option --id)'],
  ['two ids', ['X-Hola-Challenge-ID: a', 'X-Hola-Challenge-ID: b'], 'more than one'],
  ['a long id', [`X-Hola-Challenge-ID: ${'a'.repeat(257)}`], '1 to 256'],
  ['a tab inside', ['X-Hola-Challenge-ID: a\tb'], '1 to 256'],
])('%s: refused in words', async (_, headers, words) => {
  const stage = await open()
  const socket = bareWebSocket(stage.url, headers)
  await readUntil(socket, words)
  socket.destroy()
  expect(stage.arenas.clients()).toBe(0)
})

test.each([
  ['long', 'a'.repeat(100_000)],
  ['odd', 'a\0b'],
])('an id too %s for a header never reaches an arena', async (_, id) => {
  const stage = await open()
  // The answer of HTTP may be lost if it has not read everything.
  expect(await readAll(bareWebSocket(stage.url, [`X-Hola-Challenge-ID: ${id}`]))).toMatch(/^(?:HTTP\/1\.1 4\d\d .*)?$/s)
  expect(stage.arenas.clients()).toBe(0)
})

test.each(['/', '/nothing', '/__proto__', '/constructor', '/scores/test', '/test/test', '/TEST', '//test', '/test%00'])(
  'there is no arena at %s',
  async (path) => {
    const stage = await open()
    const { goodbye } = await attack(`ws://${stage.arenas.address}${path}`, 'lost')
    expect(await goodbye).toEqual({ code: 1008, reason: saying('arena', 'test') })
  },
)

test('a client that does not answer to the heartbeat is given up, and the partner is free', async () => {
  const stage = await open({ limits: { heartbeatMs: 500 } })
  const silent = bareWebSocket(stage.url, ['X-Hola-Challenge-ID: silent'])
  const partner = await attack(stage.url, 'partner')
  expect((await partner.goodbye).reason).toEqual(partnerWalked)
  expect(partner.received.at(-1)).toEqual(saying('connection', 'lost'))
  await readAll(silent)
})

test('a client that reads nothing hurts nobody', async () => {
  const stage = await open({ limits: { heartbeatMs: 500 } })
  const slow = bareWebSocket(stage.url, ['X-Hola-Challenge-ID: slow'])
  slow.pause()
  await vi.waitUntil(() => stage.arenas.clients() === 1, { timeout: 60_000 })
  await vi.waitUntil(() => stage.arenas.clients() === 0, { timeout: 60_000 })
  slow.destroy()
})

test('a client that does nothing in an arena without a limit is given up in the end', async () => {
  const stage = await open({ limits: { forgottenMs: 3_000 } })
  const [attacker, partner] = await inSession(stage)
  await partner.goodbye
  expect(partner.received.at(-1)).toEqual(saying('heard', 'too long'))
  expect((await attacker.goodbye).code).toBe(1000)
})

test('proof of work: right, wrong, none, too late; nobody plays before it', async () => {
  const stage = await open({ proofBits: 9, limits: { proofMs: 4_000 } })
  const late = await attack(stage.url, 'late')
  expect(late.received.join()).not.toContain('waiting')
  expect(await late.goodbye).toEqual({ code: 1008, reason: saying('proof of work', 'too long') })

  const wrong = await attack(stage.url, 'wrong')
  wrong.socket.send(JSON.stringify({ type: 'pow', nonce: String(findNonce('somebody else', 9)) }))
  expect(await wrong.goodbye).toEqual({ code: 1008, reason: saying('proof of work', 'wrong') })

  const rude = await attack(stage.url, 'rude')
  rude.socket.send('{"type":"offer"}')
  expect(await rude.goodbye).toEqual({ code: 1008, reason: saying('session', 'not begun') })

  const right = await attack(stage.url, 'right')
  await right.told('pow:9')
  expect(right.received.map((text) => JSON.parse(text) as unknown)).toEqual([
    { type: 'log', arg: ['network', saying('9 bits'), 'pow:9'] },
  ])
  right.socket.send(JSON.stringify({ type: 'pow', nonce: String(findNonce('right', 9)) }))
  await right.told('waiting')
  right.socket.close()
  await right.goodbye
})
