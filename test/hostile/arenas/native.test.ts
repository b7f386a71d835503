import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { endedBy, lengthPrefixed } from '../../../main/referees/framings.ts'
import { attributes, herders, prefixed, punters, tagged, unprefixed } from '../../conformance/toys/native.ts'
import { dialNative, openNativeStage, type NativeStage } from '../../conformance/toys/native-stage.ts'
import { readAll, readUntil } from './attacker.ts'
import { saying } from '../../refusal.ts'

const most = 1_000_000
const stages: NativeStage[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const stage of stages.splice(0)) await stage.close()
})

async function open(...args: Parameters<typeof openNativeStage>): Promise<NativeStage> {
  const stage = await openNativeStage(...args)
  stages.push(stage)
  return stage
}

function raw({ port }: NativeStage): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  sockets.push(socket)
  return socket
}

/** An honest pair plays a match, whatever has happened. */
async function plays(stage: NativeStage, match = 1): Promise<void> {
  for (const name of ['Ada', 'Bea']) {
    const { socket, say, heard } = dialNative(stage.port, lengthPrefixed(most), (message, client) => {
      const { type, number } = unprefixed(message)!
      if (type === 'step') client.say(prefixed({ double: 2 * Number(number) }))
    })
    sockets.push(socket)
    say(prefixed({ me: name }))
    await vi.waitUntil(() => heard.length > 0, { timeout: 60_000 })
  }
  const { outcome } = await stage.match(match)
  expect(outcome.outcome.places.map(({ score }) => score)).toEqual([3, 3])
}

describe('before a native client has signed in', () => {
  test.each([
    ['another message', prefixed({ ready: 0 }), '{\\"me\\": NAME}'],
    ['no JSON', '5:hello', '{\\"me\\": NAME}'],
    ['HTTP', 'GET / HTTP/1.1\r\n\r\n', 'length in bytes'],
    ['bytes that are not text', Buffer.from([0xff, 0xfe, 0]), 'length in bytes'],
    ['a message too long', '999999999:', '65536 bytes'],
    ['half a message of many bytes', `60000:${'x'.repeat(50_000)}`, '4096 bytes'],
    ['a sign-in of many bytes', prefixed({ me: 'x'.repeat(5_000) }), '4096 bytes'],
  ])('%s is refused in words', async (_, first, words) => {
    const stage = await open(punters)
    const socket = raw(stage)
    socket.write(first)
    await readUntil(socket, words)
    await readAll(socket)
    await plays(stage)
  })

  test('a client that says nothing, or a byte at a time, is sent away', async () => {
    const stage = await open(punters, { signInMs: 1_000 })
    const [silent, slow] = [raw(stage), raw(stage)]
    slow.write('4000:')
    const drip = setInterval(() => slow.write('{'), 20)
    await Promise.all([silent, slow].map((socket) => readUntil(socket, '1000 ms')))
    clearInterval(drip)
    await Promise.all([silent, slow].map(readAll))
    await plays(stage)
  })

  test('the number that may wait is limited; a crowd keeps nobody out, since its longest waiting connection is cut', async () => {
    const stage = await open(punters, { waiting: 3, signInMs: 60_000 })
    const crowd: ReturnType<typeof raw>[] = []
    for (let n = 0; n < 3; n++) {
      const socket = raw(stage)
      await once(socket, 'connect')
      crowd.push(socket)
    }
    const goes = readUntil(crowd[0]!, 'connections')
    const { heard, say, socket } = dialNative(stage.port, lengthPrefixed(most))
    sockets.push(socket)
    say(prefixed({ me: 'Ada' }))
    await vi.waitUntil(() => heard.some((message) => 'you' in unprefixed(message)!), { timeout: 60_000 })
    await goes
    expect(crowd.slice(1).map(({ closed }) => closed)).toEqual([false, false])
  })

  test('a wrong password, or that of somebody else, is refused; the right one is taken after however many of them', async () => {
    const stage = await open(herders)
    const attempt = async (user: string, password: string): Promise<Record<string, string>> => {
      const client = dialNative(stage.port, endedBy(0, most))
      sockets.push(client.socket)
      client.say(tagged({ type: 'auth-request', user, password }))
      await client.gone
      return attributes(client.heard[0]!)
    }
    const refused = { type: 'auth-response', result: 'fail', text: saying('credential', 'contest') }
    expect(await attempt('anna', stage.password('bob'))).toEqual(refused)
    for (let n = 1; n < 10; n++) expect(await attempt('anna', 'x'.repeat(43))).toEqual(refused)
    expect((await attempt('anna', 'x'.repeat(43)))['text']).toEqual(saying('too many', 'credentials'))
    // The other post had none.
    expect(await attempt('bob', 'x'.repeat(43))).toEqual(refused)
    expect(stage.arena.posts().map(({ state }) => state)).toEqual(['awaited', 'awaited'])
    expect(stage.notices).toEqual([saying('credentials', 'anna', '127.0.0.1')])
    for (const user of ['anna', 'bob']) {
      const client = dialNative(stage.port, endedBy(0, most))
      sockets.push(client.socket)
      client.say(tagged({ type: 'auth-request', user, password: stage.password(user) }))
      await vi.waitUntil(() => client.heard.length > 0)
      expect(attributes(client.heard[0]!)).toEqual({ type: 'auth-response', result: 'ok' })
    }
  })
})

describe('when a native client has signed in', () => {
  test('a flood before the match is cut, and the place is free again', async () => {
    const stage = await open(punters)
    const flood = raw(stage)
    flood.write(prefixed({ me: 'Ada' }))
    await readUntil(flood, '{"you":"Ada"}')
    const gone = once(flood, 'close')
    const large = prefixed({ double: 1, note: 'x'.repeat(1_000) })
    const pour = setInterval(() => flood.write(large), 0)
    flood.write(Buffer.concat(Array.from({ length: 1_000 }, () => large)))
    await gone
    clearInterval(pour)
    expect(stage.notices[1]).toEqual(saying('anna', 'left', '65536 bytes', 'minute'))
    await plays(stage)
  })

  test('so does a flood of messages of a byte each: what is kept is bounded in number, too', async () => {
    const stage = await open(punters)
    const flood = raw(stage)
    flood.write(prefixed({ me: 'Ada' }))
    await readUntil(flood, '{"you":"Ada"}')
    const gone = once(flood, 'close')
    flood.write('1:1'.repeat(1_001))
    await gone
    expect(stage.notices[1]).toEqual(saying('anna', 'left', '1000 messages'))
    await plays(stage)
  })

  test('a client that connects and leaves in a loop is not told of each time', async () => {
    const stage = await open(punters)
    for (let n = 0; n < 30; n++) {
      const client = dialNative(stage.port, lengthPrefixed(most))
      client.say(prefixed({ me: 'Ada' }))
      await vi.waitUntil(() => client.heard.length > 0)
      client.socket.destroy()
      await vi.waitUntil(() => stage.arena.posts()[0]!.state === 'awaited')
    }
    expect(stage.notices.length).toBeLessThan(10)
    expect(stage.notices.slice(0, 2)).toEqual([saying('anna', 'signed in'), saying('anna', 'left', 'closed')])
    await plays(stage)
  })

  test('an invalid message ends the match of its sender alone, which gets the reason', async () => {
    const stage = await open(punters)
    const bad = dialNative(stage.port, lengthPrefixed(most), (message, { socket }) => {
      if (unprefixed(message)!['type'] === 'step') socket.write('not a length')
    })
    sockets.push(bad.socket)
    bad.say(prefixed({ me: 'Ada' }))
    await vi.waitUntil(() => bad.heard.length > 0)
    const good = dialNative(stage.port, lengthPrefixed(most), (message, client) => {
      const { type, number } = unprefixed(message)!
      if (type === 'step') client.say(prefixed({ double: 2 * Number(number) }))
    })
    sockets.push(good.socket)
    good.say(prefixed({ me: 'Bea' }))
    await vi.waitUntil(() => good.heard.length > 0)
    const played = await stage.match(1)
    expect(played.outcome.outcome.places.map(({ score }) => score)).toEqual([0, 3])
    expect(played.faults[0]).toMatchObject({ seat: 0, kind: 'protocol' })
    await bad.gone
    const words = {
      goodbye: saying('length in bytes', '"not a length"'),
    }
    expect(unprefixed(bad.heard.at(-1)!)).toEqual(words)
    await plays(stage, 2)
  })

  test("what came with the sign-in is the match's, in whatever pieces", async () => {
    const stage = await open(punters)
    const early = raw(stage)
    // Ahead of the questions: answers that nobody has asked for go nowhere, and break nothing.
    early.write(Buffer.concat([prefixed({ me: 'Ada' }), prefixed({ double: 1 }), Buffer.from('12:{"do')]))
    await readUntil(early, '{"you":"Ada"}')
    const other = dialNative(stage.port, lengthPrefixed(most))
    sockets.push(other.socket)
    other.say(prefixed({ me: 'Bea' }))
    await vi.waitUntil(() => other.heard.length > 0)
    const match = stage.match(1, { steps: 1 }, { moveMs: 2_000 })
    await readUntil(early, '"step"')
    early.write('uble":2}')
    const { reported } = await match
    const values = reported.flatMap(({ seat, event }) => ('value' in event && seat === 0 ? [event.value] : []))
    expect(values).toEqual([{ double: 1 }, { double: 2 }])
  })
})
