import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { dial, type Client } from '../../conformance/network/client.ts'
import { ask, bareWebSocket, readAll, readUntil } from './attacker.ts'
import { ended, messageBytes, openStage, turn, willing, type Stage } from './network.ts'
import { saying } from '../../refusal.ts'

const stages: Stage[] = []
afterEach(async () => {
  for (const stage of stages.splice(0)) {
    // Whatever has happened, bob comes and plays.
    await plays(stage)
    await stage.close()
  }
})

async function open(...args: Parameters<typeof openStage>): Promise<Stage> {
  const stage = await openStage(...args)
  stages.push(stage)
  return stage
}

/** An honest one: a match with a question. */
async function plays(stage: Stage): Promise<void> {
  await stage.come('bob', stage.webSocket, (line, client) => {
    willing(line, client)
    const { question } = JSON.parse(line) as { readonly question?: number }
    if (question !== undefined) client.say({ type: 'offer', question })
  })
  const { player, events } = stage.seat('bob', 900)
  await player.ready()
  player.ask(1, turn, 30_000)
  await vi.waitUntil(() => events.length > 0, { timeout: 30_000 })
  expect(events).toMatchObject([{ type: 'answer', to: 1, value: { value: null } }])
  player.close()
}

function raw(address: string): Socket {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  return socket
}

const schemes = ['webSocket', 'tcp'] as const

describe.each(schemes)('signing in over %s', (scheme) => {
  test.each([
    ['wrong', 'x'.repeat(43)],
    ['short', 'x'],
    ['another one, but for its last character', null],
  ])('a credential that is %s is refused in words', async (_, credential) => {
    const stage = await open()
    const anna = stage.credential('anna')
    const client = dial(
      stage[scheme],
      credential ?? `${anna.slice(0, -2)}${anna.at(-2) === 'x' ? 'y' : 'x'}${anna.at(-1)}`,
    )
    expect(await client.told('refused')).toEqual({
      arena: 'refused',
      text: saying('credential', 'contest'),
    })
    await client.gone
    expect(stage.notices).toEqual([])
  })

  test('a credential that has been used is refused in words, and who used it first stays', async () => {
    const stage = await open()
    const anna = await stage.come('anna', stage[scheme], willing)
    for (const address of [stage.webSocket, stage.tcp]) {
      const thief = dial(address, stage.credential('anna'))
      const text = saying('credential', 'already', 'one connection')
      expect(await thief.told('refused')).toEqual({ arena: 'refused', text })
      await thief.gone
    }
    await stage.seat('anna', 1).player.ready()
    expect(await anna.told('match')).toEqual({ arena: 'match', match: 1, seed: 'seed' })
  })

  test('a client that has left cannot come back, and plays no match that follows', async () => {
    const stage = await open()
    const anna = await stage.come('anna', stage[scheme])
    anna.drop()
    await vi.waitUntil(() => stage.notices.some((each) => each.startsWith('anna has left')), { timeout: 60_000 })
    const again = dial(stage[scheme], stage.credential('anna'))
    expect((await again.told('refused'))['text']).toEqual(saying('credential', 'already'))
    const { player, events } = stage.seat('anna', 1)
    await player.ready()
    expect(events).toMatchObject([{ type: 'fault', gone: true, fault: { kind: 'crash' } }])
  })

  test('whoever shares an address with one that tries many wrong ones is let in', async () => {
    const stage = await open()
    for (let n = 0; n < 12; n++) await dial(stage[scheme], 'x'.repeat(43)).told('refused')
    expect(stage.notices).toEqual([saying('credentials', '127.0.0.1')])
    await stage.come('anna', stage[scheme])
  })
})

describe('before anybody has signed in', () => {
  test.each([
    ['no JSON', 'hello\n', 'sign-in'],
    ['a list', '[]\n', 'sign-in'],
    ['another word', '{"arena":"ready"}\n', 'sign-in'],
    ['an invalid credential', '{"arena":"sign-in","credential":7}\n', 'sign-in'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 10]), 'sign-in'],
    ['HTTP', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'sign-in'],
    ['a long line', `${'x'.repeat(5_000)}\n`, '1024 bytes'],
    ['a line without an end', 'x'.repeat(5_000), '1024 bytes'],
  ])('plain: %s is refused in words', async (_, first, words) => {
    const stage = await open()
    const socket = raw(stage.tcp)
    socket.write(first)
    await readUntil(socket, words)
    await readAll(socket)
  })

  test('plain: who says nothing, or a byte at a time, is sent away', async () => {
    const stage = await open({ signInMs: 1_000 })
    const silent = raw(stage.tcp)
    const slow = raw(stage.tcp)
    const drip = setInterval(() => slow.write('{'), 20)
    await Promise.all([silent, slow].map((socket) => readUntil(socket, '1000 ms')))
    clearInterval(drip)
    await Promise.all([silent, slow].map(readAll))
  })

  test('plain: who never stops sending is cut', async () => {
    const stage = await open()
    const socket = raw(stage.tcp)
    const flood = setInterval(() => socket.write(Buffer.alloc(100_000, 'x')), 0)
    await new Promise((resolve) => socket.on('close', resolve))
    clearInterval(flood)
  })

  test('plain: the number that may wait is limited; a crowd keeps nobody out, since its longest waiting connection is cut', async () => {
    const stage = await open({ waiting: 3, signInMs: 60_000 })
    const crowd: ReturnType<typeof raw>[] = []
    for (let n = 0; n < 3; n++) {
      const socket = raw(stage.tcp)
      await once(socket, 'connect')
      crowd.push(socket)
    }
    const goes = readUntil(crowd[0]!, 'connections')
    await dial(stage.tcp, stage.credential('anna')).told('signed in')
    await goes
    expect(crowd.slice(1).map(({ closed }) => closed)).toEqual([false, false])
  })

  test('WebSocket: without a credential nobody is let in', async () => {
    const stage = await open()
    for (const headers of [[], ['Authorization: Basic YTpi'], ['Authorization: Bearer a b']]) {
      await readUntil(bareWebSocket(stage.webSocket, headers), 'Bearer CREDENTIAL')
    }
  })

  test('WebSocket: half a request is not waited for', async () => {
    const stage = await open({ signInMs: 1_000 })
    const socket = raw(stage.webSocket)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n')
    const drip = setInterval(() => socket.write('X: y\r\n'), 20)
    await readAll(socket)
    clearInterval(drip)
  })

  test('WebSocket: a head too large, a body, another method are refused', async () => {
    const stage = await open()
    const address = stage.webSocket.replace('ws://', '')
    expect((await ask(address, '/')).status).toBe(404)
    expect((await ask(address, '/%ff')).status).toBe(400)
    expect((await ask(address, '/', 'POST')).status).toBe(404)
    const large = await readAll(bareWebSocket(stage.webSocket, [`Authorization: Bearer ${'x'.repeat(20_000)}`]))
    expect(large).toMatch(/^(?:HTTP\/1\.1 4\d\d .*)?$/s)
  })
})

/** anna, in a match, asked; and what comes of it. */
async function inMatch(stage: Stage, scheme: (typeof schemes)[number]) {
  const anna = await stage.come('anna', stage[scheme], willing)
  const seat = stage.seat('anna', 1)
  await seat.player.ready()
  seat.player.ask(1, turn, 60_000)
  await vi.waitUntil(() => anna.heard.some((line) => line.includes('"question":1')), { timeout: 60_000 })
  return { anna, ...seat }
}

describe('in a match', () => {
  test('a binary frame, one that is not UTF-8, one that is too large: the agent is out, and told why', async () => {
    const bad: readonly (readonly [(socket: WebSocket) => void, string])[] = [
      [(socket) => socket.send(Buffer.from('{"type":"offer"}')), saying('binary frame')],
      [(socket) => socket.send(Buffer.from([0xff, 0xfe]), { binary: false }), saying('frame', 'not UTF-8')],
      [(socket) => socket.send('x'.repeat(messageBytes + 1)), saying(`${messageBytes} bytes`, 'message')],
    ]
    for (const [send, text] of bad) {
      const stage = await open()
      const { anna, events } = await inMatch(stage, 'webSocket')
      send(anna.socket as WebSocket)
      expect(await ended(events)).toMatchObject({ to: 1, fault: { kind: 'protocol', text } })
      await anna.gone
    }
  })

  test.each(schemes)(
    '%s: lines that are nothing are faults; a hundred of them in a row are the end',
    async (scheme) => {
      const stage = await open()
      const { anna, events } = await inMatch(stage, scheme)
      anna.say('rubbish')
      await vi.waitUntil(() => events.length > 0, { timeout: 60_000 })
      expect(events[0]).toMatchObject({ type: 'fault', gone: false, fault: { kind: 'protocol' } })
      for (let n = 0; n < 200; n++) anna.say('rubbish')
      expect(await ended(events)).toMatchObject({ fault: { kind: 'protocol' } })
      expect(events.length).toBeLessThan(110)
    },
  )

  test('plain: bytes that are not UTF-8 are one fault; the next line counts', async () => {
    const stage = await open()
    const { anna, events } = await inMatch(stage, 'tcp')
    ;(anna.socket as Socket).write(Buffer.from([0xff, 0xfe, 10]))
    anna.say({ type: 'offer', question: 1 })
    await vi.waitUntil(() => events.length > 1, { timeout: 60_000 })
    expect(events).toMatchObject([
      { type: 'fault', gone: false, fault: { kind: 'protocol', text: saying('line', 'not UTF-8') } },
      { type: 'answer', to: 1 },
    ])
  })

  test('plain: a line without an end, of any size, is the end of the match for its sender', async () => {
    const stage = await open()
    const { anna, events } = await inMatch(stage, 'tcp')
    const socket = anna.socket as Socket
    const flood = setInterval(() => socket.write(Buffer.alloc(1_048_576, 'x')), 0)
    expect((await ended(events)).fault).toMatchObject({
      kind: 'protocol',
      text: saying(`${messageBytes} bytes`, 'without completing'),
    })
    // Further bytes belong to no match: the connection is cut.
    await anna.gone
    clearInterval(flood)
  })

  test.each(schemes)('%s: a flood of answers that nobody wants is held back where it comes from', async (scheme) => {
    const stage = await open()
    const anna = await stage.come('anna', stage[scheme], willing)
    // A worker that has stopped to read: nothing is taken.
    const place = { run: 77, entrant: 'anna', line: 0 }
    let [bytes, taken, link] = [0, 0, 0]
    stage.arena.byteTransport(place, { type: 'open' }, (event) => {
      if (event.type !== 'checked') link = event.link
      if (event.type === 'data') bytes += event.bytes.byteLength
    })
    const line = JSON.stringify({ type: 'info', arg: 'x'.repeat(30_000) })
    const sent = 2_000
    for (let n = 0; n < sent; n++) anna.say(line)
    // It all fits into no buffer on the way: what is not sent yet stays with the agent.
    const waiting = (): number =>
      anna.socket instanceof WebSocket ? anna.socket.bufferedAmount : anna.socket.writableLength
    await vi.waitUntil(() => bytes > 262_144, { timeout: 60_000 })
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))
    expect(waiting()).toBeGreaterThan((sent * line.length) / 4)
    expect(bytes).toBeLessThan(1_048_576)
    // It goes on to read, and hears all of it.
    const all = sent * (line.length + 1)
    while (bytes < all) {
      await vi.waitUntil(() => bytes > taken, { timeout: 60_000, interval: 5 })
      stage.arena.byteTransport(place, { type: 'took', link, bytes: bytes - taken }, () => undefined)
      taken = bytes
    }
    expect(bytes).toBe(all)
  })

  test.each(schemes)('%s: who closes the connection, or half of it, is out', async (scheme) => {
    for (const half of [true, false]) {
      const stage = await open()
      const { anna, events } = await inMatch(stage, scheme)
      if (half && !(anna.socket instanceof WebSocket)) anna.socket.end()
      else anna.drop()
      expect(await ended(events)).toMatchObject({ to: 1, fault: { kind: 'crash' } })
      await anna.gone
    }
  })

  test('WebSocket: who answers no heartbeat is given up', async () => {
    const stage = await open({ heartbeatMs: 500 })
    const socket = bareWebSocket(stage.webSocket, [`Authorization: Bearer ${stage.credential('anna')}`])
    await readUntil(socket, 'signed in')
    const { player, events } = stage.seat('anna', 1)
    void player.ready()
    expect(await ended(events)).toMatchObject({ fault: { kind: 'crash', text: saying('lost', 'connection') } })
    socket.destroy()
  })

  test.each(schemes)('%s: who never says that it is ready is out of the match', async (scheme) => {
    const stage = await open()
    const anna = await stage.come('anna', stage[scheme])
    const { player, events } = stage.seat('anna', 1, 100)
    await player.ready()
    expect(events).toMatchObject([{ type: 'fault', gone: true, fault: { kind: 'timeout' } }])
    expect(await anna.told('over')).toEqual({ arena: 'over', match: 1 })
  })

  test.each(schemes)('%s: who does not read is out when too much lies about', async (scheme) => {
    const stage = await open()
    const { anna, player, events } = await inMatch(stage, scheme)
    anna.socket.pause()
    const wide = { type: 'turn', offer: Array.from({ length: 200_000 }, () => 7) }
    while (!events.some((event) => event.type === 'fault')) {
      player.tell(wide)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await ended(events)).toMatchObject({
      fault: { kind: 'protocol', text: expect.stringContaining('does not read') as string },
    })
    anna.drop()
  })
})

describe('between matches', () => {
  test.each(schemes)('%s: what an agent says to an earlier match is nothing in the next', async (scheme) => {
    const stage = await open()
    const { anna, player, events } = await inMatch(stage, scheme)
    player.close()
    await anna.told('over')
    // Both numbers will be given out again.
    anna.say({ type: 'offer', offer: [9, 9, 9], question: 1 })
    anna.say({ type: 'offer', offer: [8, 8, 8], question: 2 })
    const next = stage.seat('anna', 2)
    await next.player.ready()
    next.player.ask(1, turn, 60_000)
    next.player.ask(2, turn, 60_000)
    await vi.waitUntil(() => anna.heard.filter((line) => line.includes('"question":2')).length > 0, { timeout: 60_000 })
    anna.say({ type: 'offer', offer: [1], question: 1 })
    anna.say({ type: 'offer', offer: [2], question: 2 })
    await vi.waitUntil(() => next.events.length === 2, { timeout: 60_000 })
    expect(next.events).toMatchObject([
      { type: 'answer', to: 1, value: { value: [1] } },
      { type: 'answer', to: 2, value: { value: [2] } },
    ])
    expect(events).toEqual([])
  })

  test.each(schemes)('%s: half a line, and readiness for another match, begin nothing', async (scheme) => {
    const stage = await open()
    const anna = await stage.come('anna', stage[scheme])
    if (anna.socket instanceof WebSocket) anna.say('{"type":"offer"')
    else anna.socket.write('{"type":"offer","offer":[1],')
    const { player, events } = stage.seat('anna', 5)
    let ready = false
    const waited = player.ready().then(() => (ready = true))
    await anna.told('match')
    for (const line of [{ arena: 'ready', match: 4 }, { arena: 'ready' }, { match: 5 }]) anna.say(line)
    anna.say('{"arena":"ready","match":5')
    for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve))
    expect(ready).toBe(false)
    anna.say({ arena: 'ready', match: 5 })
    await waited
    expect(events).toEqual([])
  })

  test.each(schemes)('%s: who says much while nobody listens is cut off', async (scheme) => {
    const stage = await open()
    const anna: Client = await stage.come('anna', stage[scheme])
    for (let n = 0; n < 5; n++) anna.say('x'.repeat(messageBytes / 4))
    expect(await anna.told('goodbye')).toEqual({
      arena: 'goodbye',
      text: saying(`${messageBytes} bytes`, 'minute'),
    })
    await anna.gone
  })

  test.each(schemes)('%s: an agent that gives a match up plays the next', async (scheme) => {
    const stage = await open()
    const { anna, player, events } = await inMatch(stage, scheme)
    anna.say({ arena: 'left', match: 1, text: `It ended by itself with exit code 1.${'x'.repeat(1_000)}` })
    const { to, fault } = await ended(events)
    expect(to).toBe(1)
    expect(fault).toMatchObject({ kind: 'crash' })
    expect(fault.text.length).toBeLessThan(500)
    player.close()
    const next = stage.seat('anna', 2)
    await next.player.ready()
    expect(next.events).toEqual([])
  })
})
