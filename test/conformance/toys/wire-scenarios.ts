import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { openNetworkArena } from '../../../main/arenas/network-arena.ts'
import type { Json } from '../../../main/contract/json.ts'
import { limits as limitsSchema } from '../../../main/contract/limits.ts'
import { networkPlayer } from '../../../main/players/network/network-player.ts'
import { createProgramHost } from '../../../main/players/program-player.ts'
import { wireHost } from '../../../main/players/wires/wire-host.ts'
import { play, verifies, type Match } from './harness.ts'
import { lineOf, lineReader } from './json-lines.ts'
import { offline } from './offline.ts'
import { reconnect } from './reconnect.ts'
import { faultsOf, inputsOf, type Message, type Scenario } from './scenarios.ts'

interface Client {
  /** All messages, over all of its connections. */
  readonly got: Message[]
  /** Drops the connection; `again` comes back at once. */
  drop(how: 'reset' | 'half-close', again: boolean): void
  send(value: Json | string): void
}

/** (c) In an arena, over TCP: a greeting, a drop, a return, late, doubled and broken answers, a ping, a half-closed connection. */
export const reconnectScenario: Scenario = async (bend = (match: Match) => match) => {
  const sockets = new Set<Socket>()
  const listen = { host: '127.0.0.1', port: 0 }
  const arena = await openNetworkArena({
    game: reconnect.id,
    posts: [0, 1].map((seat) => ({ entrant: String(seat), line: 0 })),
    rejoins: reconnect.dialogue.network?.rejoins === true,
    messageBytes: 65_536,
    webSocket: listen,
    tcp: listen,
    onNotice: () => undefined,
    onUnexpected(error) {
      throw error
    },
  })
  const { port } = new URL(arena.addresses[1]!)

  const join = (seat: number, mind: (message: Message, client: Client) => void): Client => {
    let socket: Socket
    const client: Client = {
      got: [],
      drop(how, again) {
        if (how === 'reset') socket.resetAndDestroy()
        else socket.end()
        if (again) dial()
      },
      send: (value) => void socket.write(typeof value === 'string' ? value : lineOf(value)),
    }
    const dial = (): void => {
      const lines = lineReader()
      const mine = connect(Number(port), '127.0.0.1')
      socket = mine
      sockets.add(mine)
      mine.setNoDelay(true)
      mine.on('error', () => undefined)
      mine.write(lineOf({ arena: 'sign-in', credential: arena.credentials[seat]!.credential }))
      mine.on('data', (chunk: Buffer) => {
        for (const message of lines.read(chunk)) {
          if (message === null) throw new Error('the table sent a broken line')
          const { arena: round, match } = message
          if (round === 'match') mine.write(lineOf({ arena: 'ready', match: match! }))
          if (round !== undefined) continue
          client.got.push(message)
          if (mine === socket) mind(message, client)
        }
      })
    }
    dial()
    return client
  }

  const right = ({ id, number }: Message): Json => ({ id: id!, double: 2 * Number(number) })
  let missed: Message = {}
  const first = join(0, (message, client) => {
    const { type, step } = message
    if (type !== 'step') return
    if (step === 1) {
      missed = message
      client.drop('reset', true)
      return
    }
    if (step === 4) return client.drop('half-close', false)
    // Late, and wrong for the question that is open now.
    if (step === 2) client.send(right(missed))
    client.send(right(message))
  })
  let silent: Message = {}
  const second = join(1, (message, client) => {
    const { type, step } = message
    if (type === 'start') return client.send({ id: 999, double: 1 })
    if (type !== 'step') return
    if (step === 0) {
      client.send('{"id":\n')
      client.send({ type: 'ping', payload: 'hello' })
    }
    if (step === 1) {
      silent = message
      return
    }
    if (step === 4) return client.send({ id: message['id']!, double: 'x' })
    client.send(right(message))
    if (step === 2) client.send(right(silent))
    // The second of two answers goes nowhere.
    if (step === 3) client.send({ id: message['id']!, double: 0 })
  })

  try {
    const config = { steps: 5 }
    const played = await play(
      bend({
        game: reconnect,
        config,
        entrants: 2,
        limits: { moveMs: 4_000 },
        seatPlayer: ({ id }, post, emit, game) => {
          const place = { run: 1, entrant: String(id), line: 0 }
          const player = networkPlayer({
            match: 7,
            seed: '',
            wire: game.dialogue.wire!(config, post, [], wireHost()),
            rejoins: game.dialogue.network?.rejoins === true,
            limits: limitsSchema.parse({}),
            emit,
            call: (call) => arena.byteTransport(place, call, (event) => player.hear(event)),
          })
          return player
        },
      }),
    )
    verifies(played)
    const all = inputsOf(played)
    const of = (types: string[], seat: number): string[] =>
      all.filter((each) => types.includes(each.split(' ')[0]!) && each.split(' ')[1] === String(seat))
    const fold = played.match.game.fold(played.config, played.seats, played.seed)
    const { numbers } = fold.save() as { numbers: number[] }
    const answer = (seat: number, step: number): string =>
      `answer ${String(seat)} ${String(2 * numbers[step]!)} ${String(step)} @public`
    expect(of(['answer', 'skip'], 0)).toEqual([
      answer(0, 0),
      'skip 0 1 timeout @public',
      answer(0, 2),
      answer(0, 3),
      'skip 0 4 timeout @public',
    ])
    expect(of(['answer', 'skip'], 1)).toEqual([
      answer(1, 0),
      'skip 1 1 timeout @public',
      answer(1, 2),
      answer(1, 3),
      'skip 1 4 invalid @public',
    ])
    expect(of(['late'], 0)).toEqual(['late 0 @public'])
    expect(of(['late'], 1)).toEqual(['late 1 @public'])
    expect(of(['away'], 0)).toEqual(['away 0 true @public', 'away 0 false @public', 'away 0 true @public'])
    expect(of(['away'], 1)).toEqual([])
    expect(played.outcome.outcome.places.map(({ score }) => score)).toEqual([3, 3])
    expect(faultsOf(played).sort()).toEqual(['0 timeout', '0 timeout', '1 invalid', '1 protocol', '1 timeout'])

    // The start is told again on return, with its first time; no question is asked twice.
    const told = (client: Client, type: string): Message[] => client.got.filter((message) => message['type'] === type)
    expect(told(first, 'start')).toHaveLength(2)
    expect(told(first, 'start')[1]).toEqual(told(first, 'start')[0])
    for (const client of [first, second]) {
      expect(told(client, 'step').map(({ step }) => step)).toEqual([0, 1, 2, 3, 4])
      expect(told(client, 'step').every(({ deadline }) => Number(deadline) > 1_000)).toBe(true)
    }
    expect(told(second, 'pong')).toMatchObject([{ payload: 'hello' }])
    const said = played.reported.flatMap(({ seat, event }) => (event.type === 'said' ? [[seat, event.value]] : []))
    expect(said).toEqual([
      [1, { double: 1 }],
      [1, { double: 0 }],
    ])
  } finally {
    for (const socket of sockets) socket.destroy()
    await arena.close()
  }
}

const folder = fileURLToPath(new URL('.', import.meta.url))

/**
 * (d) A program in a dialogue of the game's own, a real process for each move: hang, crash, garbage, a message cut off, one too
 * many, a state that is too large; the last good state survives all.
 */
export const offlineScenario: Scenario = async (bend = (match: Match) => match) => {
  const config = {
    moves: 7,
    acts: [
      ['good', 'hang', 'good', 'garbage', 'hoard', 'twice', 'good'],
      ['crash', 'good', 'invalid', 'good', 'cut', 'good', 'good'],
    ],
  }
  const limits = limitsSchema.parse({ moveMs: 5_000, stateBytes: 1_000 })
  let processes = 0
  const host = createProgramHost({
    tier: 'none',
    nodeBinary: process.execPath,
    onGroup: (_group, alive) => void (processes += Number(alive)),
  })
  const played = await play(
    bend({
      game: offline,
      config,
      entrants: 2,
      limits,
      seatPlayer: (_seat, post, emit, game) =>
        host.seat({
          program: { folder, command: ['node', 'offline-agent.mjs'], process: 'move' },
          seed: '',
          moveWire: (given) => game.dialogue.moveWire!(config, post, [], given),
          limits,
          emit,
        }),
    }),
  ).finally(() => host.close())
  verifies(played)
  // One that hangs has used next to no computing time, or none.
  const seen = (texts: readonly string[]): string[] => texts.map((text) => text.replace('stall', 'timeout'))
  expect(seen(inputsOf(played))).toEqual(
    [
      ['move 0 1 7', 'pass 1 crash'],
      ['pass 0 timeout', 'move 1 1 7'],
      ['move 0 1 14', 'pass 1 invalid'],
      ['pass 0 protocol', 'move 1 1 14'],
      ['pass 0 protocol', 'pass 1 protocol'],
      ['move 0 1 21', 'move 1 1 21'],
      ['move 0 1 28', 'move 1 1 28'],
    ]
      .flat()
      .map((each) => `${each} @public`),
  )
  expect(seen(faultsOf(played))).toEqual([
    '1 crash',
    '0 timeout',
    '1 invalid',
    '0 protocol',
    '0 protocol',
    '1 protocol',
  ])
  const tooLarge = played.body.flatMap((line) => (line.k === 'fault' ? [line.fault.text] : []))[4]
  expect(tooLarge).toBe("The agent's state has 2021 bytes; 1000 are allowed.")
  expect(played.faults.every(({ question }) => question !== null)).toBe(true)
  // Seven moves and the stop, which is asked and answered by the end of the process.
  expect(processes).toBe(16)
  expect(played.heard.filter(({ message }) => (message as Message)['type'] === 'stop')).toHaveLength(2)
  const stderr = played.body.flatMap((line) => (line.k === 'console' ? [[line.post.seat, line.stream, line.text]] : []))
  expect(stderr).toEqual([[1, 'stderr', 'I give up']])
}
