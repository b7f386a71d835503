import { expect, test } from 'vitest'
import { playOnline, type OnlineGame } from '../../../main/services/games/punter/online.ts'
import type { MatchResult } from '../../../main/services/games/punter/one-match.ts'
import { completed, pathMap } from '../../unit/punter/stage.ts'
import { frame, openClient, plays, script, type Client } from './client.ts'
import { saying } from '../../refusal.ts'

const claim = (punter: number, source: number, target: number) => ({ claim: { punter, source, target } })
const pass = (punter: number) => ({ pass: { punter } })

/** A game that waits for punters. */
async function opened(settings: object, options: Partial<OnlineGame> = {}) {
  const open = Promise.withResolvers<string>()
  const notices: string[] = []
  const result = playOnline({
    config: completed(settings),
    punters: 2,
    host: '127.0.0.1',
    port: 0,
    limits: {},
    signal: AbortSignal.timeout(60_000),
    onOpen: open.resolve,
    onNotice: (text) => void notices.push(text),
    onUnexpected: open.reject,
    ...options,
  })
  return { address: await open.promise, result: result as Promise<MatchResult>, notices }
}

async function seated(settings: object, options: Partial<OnlineGame> = {}) {
  const game = await opened(settings, options)
  const alice = await openClient(game.address)
  expect(await alice.hear()).toEqual({ you: 'Alice' })
  const bob = await openClient(game.address, 'Bob')
  return { ...game, alice, bob }
}

test('the sample play of the specification, message by message', async () => {
  const { alice, bob, result } = await seated({ edition: '1.0' })
  const moves = [
    [claim(0, 0, 1), claim(0, 2, 3), claim(0, 4, 5), claim(0, 6, 7), claim(0, 1, 3), claim(0, 5, 7)],
    [claim(1, 1, 2), claim(1, 3, 4), claim(1, 5, 6), claim(1, 7, 0), claim(1, 3, 5), claim(1, 7, 1)],
  ] as const
  await Promise.all([plays(alice, script(...moves[0])), plays(bob, script(...moves[1]))])
  expect((await result).scores).toEqual([6, 6])

  const map =
    '{"sites":[{"id":4},{"id":1},{"id":3},{"id":6},{"id":5},{"id":0},{"id":7},{"id":2}],' +
    '"rivers":[{"source":3,"target":4},{"source":0,"target":1},{"source":2,"target":3},' +
    '{"source":1,"target":3},{"source":5,"target":6},{"source":4,"target":5},' +
    '{"source":3,"target":5},{"source":6,"target":7},{"source":5,"target":7},' +
    '{"source":1,"target":7},{"source":0,"target":7},{"source":1,"target":2}],"mines":[1,5]}'
  const told = (...pair: object[]): string => JSON.stringify(pair)
  const at = (side: 0 | 1, turn: number): object => moves[side][turn] ?? pass(side)
  const stop = `{"stop":{"moves":${told(at(0, 5), at(1, 5))},"scores":[{"punter":0,"score":6},{"punter":1,"score":6}]}}`
  const turns = [0, 1, 2, 3, 4, 5]
  expect(alice.heard).toEqual([
    '{"you":"Alice"}',
    `{"punter":0,"punters":2,"map":${map}}`,
    ...turns.map((turn) => `{"move":{"moves":${told(at(0, turn - 1), at(1, turn - 1))}}}`),
    stop,
  ])
  expect(bob.heard).toEqual([
    '{"you":"Bob"}',
    `{"punter":1,"punters":2,"map":${map}}`,
    ...turns.map((turn) => `{"move":{"moves":${told(at(0, turn), at(1, turn - 1))}}}`),
    stop,
  ])
})

test('settings name the extensions that are on; a stop hides what a punter knows of', async () => {
  const { alice, bob, result } = await seated({ map: pathMap(3), futures: true, options: true })
  const first = script(claim(0, 0, 1), { option: { punter: 0, source: 1, target: 2 } })
  await Promise.all([plays(alice, first), plays(bob, script(claim(1, 1, 2)))])
  expect(await result).toMatchObject({ scores: [1 + 4, 0], options: [0, 1] })
  expect(JSON.parse(alice.heard[1]!)).toMatchObject({ settings: { futures: true, options: true } })
  expect(alice.heard[1]).not.toContain('splurges')
  expect(JSON.parse(alice.heard.at(-1)!)).toMatchObject({ stop: { moves: [pass(0), pass(1)] } })
  expect(JSON.parse(bob.heard.at(-1)!)).toMatchObject({
    stop: { moves: [{ option: { punter: 0, source: 1, target: 2 } }, pass(1)] },
  })
})

test('messages come in pieces, several in one packet, behind white space, and with names that are not ASCII', async () => {
  const { address, result } = await opened({ map: pathMap(4) }, { limits: { startMs: 1_000 } })
  const slow = await openClient(address, '')
  for (const byte of Buffer.concat([Buffer.from(' \n\t'), frame({ me: 'Bé 日本' })]))
    slow.socket.write(Uint8Array.of(byte))
  expect(await slow.hear()).toEqual({ you: 'Bé 日本' })
  const hasty = await openClient(address, '')
  // It greets, and is ready, in one packet.
  hasty.socket.write(
    Buffer.concat([frame({ me: 'Bob' }), Buffer.from('\r\n'), frame({ ready: 1 }), frame(claim(1, 2, 3))]),
  )
  const bytes = (client: Client, value: object): void => {
    for (const byte of frame(value)) client.socket.write(Uint8Array.of(byte))
  }
  expect(await slow.hear()).toMatchObject({ punter: 0 })
  bytes(slow, { ready: 0 })
  await slow.hear()
  bytes(slow, claim(0, 0, 1))
  await plays(slow, script())
  hasty.end()
  // A message that came before its question answers nothing.
  expect((await result).scores[0]).toBe(1)
})

test.each([
  ['no length', 'hello', 'A message does not begin with its length in bytes and a colon, but with "hello".'],
  ['a length that is too small', '3:{"pass":{}}', 'A message of 3 bytes is not JSON: {"p'],
  [
    'ten digits',
    '0000000002:{}',
    'A message does not begin with its length in bytes and a colon, but with "0000000002:{}".',
  ],
  ['an empty message', '0:', 'A message is empty.'],
  ['no JSON', '5:{"a":', 'A message of 5 bytes is not JSON: {"a":'],
  ['no UTF-8', Buffer.from([50, 58, 0xff, 0xfe]), 'A message is not UTF-8.'],
  ['too much', `${'9'.repeat(9)}:`, 'A message has more than 1048586 bytes.'],
])('a punter whose bytes are %s is a zombie, and is told why by the result', async (_, said, text) => {
  const { alice, bob, result } = await seated({ map: pathMap(5) })
  const over = plays(bob, script(claim(1, 0, 1)))
  await alice.hear()
  alice.say({ ready: 0 })
  await alice.hear()
  alice.socket.write(said)
  expect(await alice.hear()).toBeNull()
  await over
  const { zombies, scores, refused } = await result
  expect(zombies[0]).toContain(text)
  expect(zombies[1]).toBeNull()
  expect(scores).toEqual([0, 1])
  expect(refused).toMatchObject([{ punter: 0, move: 0 }])
})

test('what is JSON and no move, and what breaks a rule, is a pass, with the reason', async () => {
  const { alice, bob, result } = await seated({ map: pathMap(8) })
  await Promise.all([
    plays(alice, script(claim(0, 0, 1), { hello: 1 }, claim(0, 7, 9), '[3]')),
    plays(bob, script(claim(0, 1, 2), { claim: { punter: 1, source: '2', target: 3 } }, claim(1, 0, 1), 'null')),
  ])
  const { scores, refused, zombies } = await result
  expect(zombies).toEqual([null, null])
  expect(scores).toEqual([1, 0])
  expect(refused.map(({ punter, move }) => [punter, move])).toEqual([
    [0, 2],
    [1, 3],
    [0, 4],
    [1, 5],
    [0, 6],
    [1, 7],
  ])
  expect(refused[2]!.text).toBe('There is no river 7-9.')
  expect(refused[3]!.text).toBe('The river 0-1 belongs to punter 0.')
  // A claim is its seat's, whatever it calls itself.
  expect(JSON.parse(alice.heard[3]!)).toMatchObject({ move: { moves: [claim(0, 0, 1), claim(1, 1, 2)] } })
})

test('a late answer shifts nothing: the next question waits for it', async () => {
  const { alice, bob, result } = await seated({ map: pathMap(6) }, { limits: { moveMs: 400 } })
  const over = plays(bob, script())
  await alice.hear()
  alice.say({ ready: 0 })
  expect(await alice.hear()).toMatchObject({ move: {} })
  expect(await alice.hear()).toEqual({ timeout: 0.4 })
  // Two turns later: it is her turn again, and she has not been asked.
  alice.say(claim(0, 4, 5))
  expect(await alice.hear()).toMatchObject({ move: { moves: [pass(0), pass(1)] } })
  alice.say(claim(0, 0, 1))
  expect(await alice.hear()).toMatchObject({ move: { moves: [claim(0, 0, 1), pass(1)] } })
  alice.say(claim(0, 1, 2))
  await over
  expect(await result).toMatchObject({ scores: [1 + 4, 0], zombies: [null, null] })
  alice.end()
})

test('a silent punter is asked again after a whole turn, and becomes a zombie after some time-outs', async () => {
  const { alice, bob, result } = await seated({ map: pathMap(40), maxTimeouts: 3 }, { limits: { moveMs: 50 } })
  const over = plays(bob, script(claim(1, 0, 1)))
  await alice.hear()
  alice.say({ ready: 0 })
  const heard: object[] = []
  for (let message = await alice.hear(); message !== null; message = await alice.hear()) heard.push(message)
  await over
  expect(heard.map((message) => Object.keys(message)[0])).toEqual(['move', 'timeout', 'timeout', 'move', 'timeout'])
  // She was not asked in her second turn, and is told its moves with those of the third.
  expect(heard[3]).toEqual({ move: { moves: [pass(0), claim(1, 0, 1), pass(0), pass(1)] } })
  expect(await result).toMatchObject({ scores: [0, 1], zombies: ['It timed out 3 times.', null], moves: 40 })
})

test('a client that leaves before the game begins gives up the seat; one that leaves during it is a zombie', async () => {
  const game = await opened({ map: pathMap(5) })
  const first = await openClient(game.address, 'Carol')
  await first.hear()
  first.end()
  await expect.poll(() => game.notices.join(' ')).toContain('has left')
  const alice = await openClient(game.address)
  const bob = await openClient(game.address, 'Bob')
  const over = plays(bob, script(claim(1, 0, 1)))
  expect(await alice.hear()).toEqual({ you: 'Alice' })
  const { punter } = (await alice.hear())!
  alice.end()
  await over
  const { zombies, scores } = await game.result
  expect(zombies[Number(punter)]).toEqual(saying('ready'))
  expect(scores[1 - Number(punter)]).toBe(1)
})

test('a client that does not begin with a name is sent away, and the seat is offered again', async () => {
  const { address, result, notices } = await opened({ map: pathMap(2) })
  for (const said of [frame({ name: 'x' }), Buffer.from('hello'), frame('{')]) {
    const stranger = await openClient(address, '')
    stranger.socket.write(said)
    expect(await stranger.hear()).toBeNull()
  }
  const why = [
    'The first message must be {"me": NAME}.',
    'A message does not begin with its length in bytes and a colon, but with "hello".',
    'A message of 1 bytes is not JSON: {',
  ]
  expect(notices).toEqual(why.map((text) => `A connection from 127.0.0.1 was sent away: ${text}`))
  const [alice, bob] = [await openClient(address), await openClient(address, 'Bob')]
  await Promise.all([plays(alice, script()), plays(bob, script())])
  expect((await result).moves).toBe(2)
})

test('a punter is told which of its messages did not count, and when it gave a wrong number', async () => {
  const printed: string[] = []
  const { alice, bob, result } = await seated(
    { map: pathMap(12) },
    { limits: { moveMs: 300 }, onPrinted: (_, punter, text) => void printed.push(`${punter}: ${text}`) },
  )
  const over = plays(bob, script())
  await alice.hear()
  alice.say({ ready: 0 })
  await alice.hear()
  expect(await alice.hear()).toEqual({ timeout: 0.3 })
  // Late.
  alice.say(claim(0, 5, 6))
  await alice.hear()
  // An answer, and one too many.
  alice.socket.write(Buffer.concat([frame(claim(1, 0, 1)), frame(claim(0, 1, 2))]))
  await plays(alice, script())
  await over
  expect((await result).scores).toEqual([1, 0])
  const told = [
    '0: ▸ One answer of yours came after the time limit and did not count.',
    '0: ▸ You called yourself punter 1; you are 0.',
    '0: ▸ One message of yours came when no answer was owed and did not count.',
  ]
  expect(printed.toSorted()).toEqual(told.toSorted())
})
