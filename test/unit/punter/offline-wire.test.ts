import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { carriedState, wireHost } from '../../../main/players/wires/wire-host.ts'
import { wirePlayer, type WirePlayerOptions } from '../../../main/players/wire-player.ts'
import type { Message } from '../../../main/referees/punter/messages.ts'
import { offlineWire } from '../../../main/referees/punter/offline.ts'
import { scriptedSource } from '../wire-player/scripted-channel.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const stateBytes = 1_000
const framed = (value: Json): string => `${JSON.stringify(value).length}:${JSON.stringify(value)}`
const moves = (turn: number) => [{ claim: { punter: 0, source: turn, target: turn + 1 } }, { pass: { punter: 1 } }]

/** A punter whose processes a test plays. */
function seated() {
  const events: PlayerEvent[] = []
  const source = scriptedSource('on-send')
  const host = { ...wireHost(), state: carriedState(stateBytes) }
  const player = wirePlayer({
    wire: offlineWire({ edition: '1.3', endInput: false }, host) as WirePlayerOptions['wire'],
    stateBytes,
    channels: source,
    limits: { startMs: 10_000, messageBytes: 1_000, consoleBytes: 0 },
    emit: (event) => events.push(event),
  })
  let question = 0
  const process = () => source.opened.at(-1)!
  return {
    events,
    process,
    processes: () => source.opened.length,
    ask: (turn: number): void => {
      const message: Message = { type: 'move', moves: moves(turn) }
      player.ask(++question, message as Json, 1_000)
    },
    stop: (): void => player.ask(++question, { type: 'stop', moves: [], scores: [] }, 1_000),
    withdraw: (): void => player.withdraw(question),
    greet: (): void => process().speak(framed({ me: 'Alice' })),
    answer: (value: Json): void => process().speak(framed(value)),
    /** The moves that the present process was told. */
    told: (): Json => {
      const text = process().lines.at(-1)!
      return (JSON.parse(text.slice(text.indexOf(':') + 1)) as { readonly move: { readonly moves: Json } }).move.moves
    },
  }
}

type Game = ReturnType<typeof seated>

test.each<[string, (game: Game) => void]>([
  ['dies before its greeting', ({ process }) => process().end()],
  ['does not greet in time', () => void vi.advanceTimersByTime(10_000)],
  ['is asked nothing, as the question is withdrawn first', ({ withdraw }) => withdraw()],
  [
    'is killed at the deadline of a move',
    ({ greet }) => {
      greet()
      vi.advanceTimersByTime(1_100)
    },
  ],
])('the moves of a turn whose process %s come with the next', (_, misses) => {
  const game = seated()
  game.ask(0)
  misses(game)
  expect(game.events.filter(({ type }) => type !== 'fault')).toEqual([])
  game.ask(1)
  game.greet()
  expect(game.told()).toEqual([...moves(0), ...moves(1)])
  game.answer({ pass: { punter: 0 }, state: 1 })
  expect(game.events.at(-1)).toMatchObject({ type: 'answer', to: 2 })
  game.ask(2)
  game.greet()
  expect(game.told()).toEqual(moves(2))
})

test('a process that is killed at its deadline is closed, and its state is that of the answer before', () => {
  const game = seated()
  game.ask(0)
  game.greet()
  game.answer({ pass: { punter: 0 }, state: { turn: 0 } })
  game.ask(1)
  game.greet()
  const hanging = game.process()
  vi.advanceTimersByTime(900)
  expect(hanging.closed).toBe(false)
  vi.advanceTimersByTime(200)
  expect(hanging.closed).toBe(true)
  expect(game.events.at(-1)).toMatchObject({ type: 'fault', to: 2, fault: { kind: 'timeout' }, gone: false })
  // Its later messages do not count.
  hanging.speak(framed({ pass: { punter: 0 }, state: 'late' }))
  game.ask(2)
  game.greet()
  expect(game.process().lines.at(-1)).toContain('"state":{"turn":0}}')
})

test('the next process greets while others think, and no question waits for it', () => {
  const game = seated()
  game.ask(0)
  game.greet()
  game.answer({ pass: { punter: 0 }, state: 1 })
  expect(game.processes()).toBe(2)
  game.greet()
  // It is asked at once, and its second counts from now.
  vi.advanceTimersByTime(60_000)
  game.ask(1)
  expect(game.told()).toEqual(moves(1))
  vi.advanceTimersByTime(900)
  game.answer({ pass: { punter: 0 }, state: 2 })
  expect(game.events).toMatchObject([
    { type: 'answer', to: 1 },
    { type: 'answer', to: 2 },
  ])
})

test('a process that ends before it is asked is replaced by another, without a fault', () => {
  const game = seated()
  game.ask(0)
  game.greet()
  game.answer({ pass: { punter: 0 }, state: 1 })
  game.process().end()
  game.ask(1)
  expect(game.processes()).toBe(3)
  game.greet()
  game.answer({ pass: { punter: 0 }, state: 2 })
  expect(game.events.map(({ type }) => type)).toEqual(['answer', 'answer'])
})

test('after the stop no process is started', () => {
  const game = seated()
  game.stop()
  game.greet()
  game.answer({ state: 1 })
  expect(game.events).toMatchObject([{ type: 'answer', to: 1, value: { stopped: true } }])
  expect(game.processes()).toBe(1)
})
