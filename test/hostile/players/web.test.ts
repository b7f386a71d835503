import { gzipSync } from 'node:zlib'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { answering, listenHttp, listenRaw, seatAt, type Listening } from './web.ts'
import { saying } from '../../refusal.ts'

const open: Listening[] = []
async function at(server: Promise<Listening>): Promise<string> {
  const listening = await server
  open.push(listening)
  return listening.origin
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

const head = (...lines: readonly string[]): string => [...lines, '', ''].join('\r\n')
const pass = '{"actions":[]}'

describe('a web application is asked and answers', () => {
  test('each question is one request, whose body is the message; a response may stand on many lines', async () => {
    const seen: Record<string, unknown>[] = []
    const sessions = new Set<unknown>()
    const origin = await at(
      listenHttp((request, response) => {
        let text = ''
        request.on('data', (part: Buffer) => (text += part.toString()))
        request.on('end', () => {
          seen.push(JSON.parse(text) as Record<string, unknown>)
          sessions.add(request.headers['tartaglia-session'])
          expect(request).toMatchObject({ method: 'POST', url: '/anna/move' })
          expect(request.headers).toMatchObject({ 'accept-encoding': 'identity', 'tartaglia-seed': 'seed' })
          response.end(JSON.stringify({ actions: [{ type: 'accept', challenge: seen.length }] }, null, 2))
        })
      }),
    )
    const { player, ask } = await seatAt(`${origin}/anna/move`)
    for (const challenge of [1, 2, 3]) {
      const value = { actions: [{ type: 'accept', challenge }] }
      expect(await ask()).toMatchObject({ type: 'answer', to: challenge, value })
    }
    player.tell({ type: 'removed' })
    player.close()
    expect(seen.map(({ question, type }) => [question, type])).toEqual([1, 2, 3].map((each) => [each, 'turn']))
    expect(sessions.size).toBe(1)
  })

  test('an answer that comes too late is never taken for the next one', async () => {
    let first = true
    const origin = await at(
      listenHttp((request, response) => {
        const late = first
        first = false
        request.resume().on('end', () => setTimeout(() => response.end(pass), late ? 400 : 0))
      }),
    )
    const { player, ask } = await seatAt(origin)
    expect(await ask(100)).toMatchObject({ type: 'fault', to: 1, gone: false, fault: { kind: 'timeout' } })
    expect(await ask()).toMatchObject({ type: 'answer', to: 2 })
    player.close()
  })
})

/** Its behaviour, its fault, and the text of the fault. */
type Behaviour = readonly [string, (socket: Socket, other: string) => void, string, RegExp]

const drip = (socket: Socket, first: string, more: string): void => {
  socket.write(first)
  const timer = setInterval(() => socket.write(more), 20)
  socket.on('close', () => clearInterval(timer))
}
const flood = (socket: Socket, first: string): void => {
  socket.write(first)
  const chunk = `${(16_384).toString(16)}\r\n${'x'.repeat(16_384)}\r\n`
  const pour = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', pour)
  pour()
}
const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))

const behaviours: readonly Behaviour[] = [
  ['drips its head', (s) => drip(s, 'HTTP/1.1 200 OK\r\n', 'X-Slow: 1\r\n'), 'timeout', /gave no answer/],
  [
    'drips its body',
    (s) => drip(s, head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked'), '1\r\n \r\n'),
    'timeout',
    /gave no answer/,
  ],
  ['says nothing', () => undefined, 'timeout', /gave no answer/],
  [
    'never ends',
    (s) => flood(s, head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')),
    'protocol',
    /more than 65536 bytes/,
  ],
  [
    'never ends its head',
    (s) => drip(s, `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`, 'x'),
    'protocol',
    /not answer in HTTP/,
  ],
  [
    'announces too much',
    (s) => s.write(head('HTTP/1.1 200 OK', 'Content-Length: 99999999999')),
    'protocol',
    /more than 65536 bytes/,
  ],
  [
    'announces more than it sends',
    (s) => s.end(`${head('HTTP/1.1 200 OK', 'Content-Length: 100')}${pass}`),
    'crash',
    /before its answer was complete/,
  ],
  [
    'announces two lengths',
    (s) => s.end(`${head('HTTP/1.1 200 OK', 'Content-Length: 14', 'Content-Length: 2')}${pass}`),
    'protocol',
    /not answer in HTTP/,
  ],
  [
    'announces less than it sends',
    (s) => s.end(`${head('HTTP/1.1 200 OK', 'Content-Length: 5')}${pass}`),
    'protocol',
    /not JSON|not answer in HTTP/,
  ],
  [
    'closes in the middle',
    (s) => s.end(`${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}e\r\n{"act`),
    'crash',
    /before its answer was complete/,
  ],
  ['closes at once', (s) => s.destroy(), 'crash', /before its answer was complete/],
  ['is not a web server', (s) => s.end('SSH-2.0-OpenSSH_9.2\r\n'), 'protocol', /not answer in HTTP/],
  ['fails', (s) => s.end(`${head('HTTP/1.1 500 Oh')}${pass}`), 'crash', /status 500/],
  ['has nothing', (s) => s.end(head('HTTP/1.1 204 No Content')), 'crash', /status 204/],
  [
    'switches protocols',
    (s) => s.end(head('HTTP/1.1 101 Switching Protocols', 'Upgrade: x', 'Connection: Upgrade')),
    'crash',
    /before its answer was complete/,
  ],
  ['answers garbage', (s) => s.end(`${head('HTTP/1.1 200 OK')}\x00\xff\xfe`), 'protocol', /JSON object|UTF-8/],
  ['answers nothing', (s) => s.end(head('HTTP/1.1 200 OK', 'Content-Length: 0')), 'protocol', /contains no answer/],
  ['answers a list', (s) => s.end(`${head('HTTP/1.1 200 OK')}[1,2]`), 'protocol', /no JSON object/],
  [
    'packs a bomb',
    (s) =>
      s.end(
        Buffer.concat([
          Buffer.from(head('HTTP/1.1 200 OK', 'Content-Encoding: gzip', `Content-Length: ${bomb.length}`)),
          bomb,
        ]),
      ),
    'protocol',
    /only identity/,
  ],
]

describe('whatever else it does is its own fault, of the right kind', () => {
  test.each(behaviours)('it %s', async (_, talk, kind, text) => {
    const origin = await at(listenRaw(talk as (socket: Socket) => void))
    const { player, ask } = await seatAt(origin, { messageBytes: 65_536 })
    const event = await ask(kind === 'timeout' ? 300 : 20_000)
    expect(event).toMatchObject({ type: 'fault', to: 1, fault: { kind, text: expect.stringMatching(text) } })
    // Histories are public: where somebody's machine is, is not told.
    expect(textOf(event)).not.toContain('127.0.0.1')
    player.close()
  })

  test.each([301, 302, 303, 307, 308])(
    'a redirection (%i) is not followed, least of all to this machine',
    async (status) => {
      let visits = 0
      const secret = await at(answering(() => (visits++, { actions: [] })))
      const origin = await at(
        listenRaw((socket) =>
          socket.end(head(`HTTP/1.1 ${status} Elsewhere`, `Location: ${secret}/`, 'Content-Length: 0')),
        ),
      )
      const { player, ask } = await seatAt(origin)
      expect(await ask()).toMatchObject({ type: 'fault', to: 1, gone: true, fault: { kind: 'protocol' } })
      expect(visits).toBe(0)
      player.close()
    },
  )

  test('nobody listens there', async () => {
    const listening = await answering(() => null)
    await listening.close()
    const { player, ask } = await seatAt(listening.origin)
    expect(await ask()).toMatchObject({ type: 'fault', to: 1, gone: true, fault: { kind: 'crash' } })
    // Whoever is gone is not asked again.
    expect(await ask()).toMatchObject({ type: 'fault', to: 2, gone: true })
    player.close()
  })

  test('one that asks for another language for ever is asked twice a question', async () => {
    let requests = 0
    const origin = await at(
      listenHttp((request, response) => {
        requests += 1
        request.resume()
        response.end('language text')
      }),
    )
    const { player, ask } = await seatAt(origin)
    expect(await ask()).toMatchObject({ type: 'fault', to: 1, fault: { text: saying('response', 'no answer') } })
    expect(requests).toBe(2)
    player.close()
  })

  test('the end of a match ends what is still under way', async () => {
    const closed = Promise.withResolvers<string>()
    const arrived = Promise.withResolvers<undefined>()
    const origin = await at(
      listenRaw((socket) => {
        socket.on('close', () => closed.resolve('closed'))
        arrived.resolve(undefined)
      }),
    )
    const { player, ask } = await seatAt(origin)
    void ask()
    await arrived.promise
    player.close()
    expect(await closed.promise).toBe('closed')
  })
})

const textOf = (event: PlayerEvent): string => (event.type === 'fault' ? event.fault.text : '')
