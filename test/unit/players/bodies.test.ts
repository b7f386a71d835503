import { expect, test } from 'vitest'
import type { Wire, WireEffect } from '../../../main/contract/game/wire.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { bodiesWire } from '../../../main/players/wires/bodies-wire.ts'
import { playerOfBodies } from '../../../main/players/player-of-bodies.ts'
import { wire } from '../../../main/referees/specker/language/wire.ts'
import { inProcessPlayer } from '../../in-process-player.ts'

const bytes = (...lines: readonly string[]): Uint8Array => Buffer.from(lines.map((line) => `${line}\n`).join(''))

/** Written bytes as text; all else unchanged. */
const shown = (effects: readonly WireEffect<Json>[]): unknown[] =>
  effects.map((effect) =>
    effect.type === 'write' ? (JSON.parse(Buffer.from(effect.bytes).toString()) as Json) : effect,
  )

test('one program hears and says of each line whose it is', () => {
  const team = bodiesWire([0, 1, 2].map(() => wire() as Wire<Json, Json>))
  expect(team.joined(0)).toEqual([{ type: 'ready' }])
  const turn = { type: 'turn', protocol: 1 }
  expect(shown(team.send(turn, { number: 4, limitMs: 100 }, 0, 1))).toEqual([
    { ...turn, question: 4, limitMs: 100, body: 1 },
  ])
  team.send(turn, { number: 5, limitMs: 100 }, 0, 2)
  const both = bytes('{"body":2,"actions":[]}', '', '{"body":1,"question":4,"actions":[1]}')
  expect([...team.receive(both.subarray(0, 30), 1), ...team.receive(both.subarray(30), 1)]).toEqual([
    { type: 'answer', to: null, value: { actions: [] }, body: 2 },
    { type: 'answer', to: 4, value: { actions: [1] }, body: 1 },
  ])
  expect(shown(team.withdrawn(5, 200))).toMatchObject([{ type: 'refused', question: 5, body: 2 }])
})

test.each([
  ['{"actions":[]}', '"body" must say which body this is, from 0 to 1: {"actions":[]}'],
  ['{"body":2}', '"body" must say which body this is, from 0 to 1: {"body":2}'],
  ['{"body":0.5}', '"body" must say which body this is, from 0 to 1: {"body":0.5}'],
  ['[0]', 'A line is not a JSON object: [0]'],
  ['body 0', 'A line is not a JSON object: body 0'],
  ["{'body':0}", "The line {'body':0} is not JSON: it has ' as Python writes it: write json.dumps(...) of the value."],
  ['{"body":0,"actions":[1e400]}', 'The agent sent a number that is too large.'],
])('a line that is nobody’s is a fault that answers nothing: %s', (line, text) => {
  const team = bodiesWire([0, 1].map(() => wire() as Wire<Json, Json>))
  team.joined(0)
  // Any other value was printed for people.
  const printed = text.startsWith('A line') ? { unreadable: true } : {}
  expect(team.receive(bytes(line), 0)).toEqual([
    { type: 'fault', fault: { kind: 'protocol', text }, gone: false, ...printed },
  ])
})

test('where each body has a player of its own, what they report is told with the body', () => {
  const events: PlayerEvent[] = []
  const emit = (event: PlayerEvent): void => void events.push(event)
  const closed: number[] = []
  const player = playerOfBodies(
    2,
    (body, tell) => ({
      ...inProcessPlayer((message) => [message, body], tell),
      withdraw: (question) => closed.push(question * 10 + body),
    }),
    emit,
  )
  player.ask(1, 'a', 100)
  player.ask(2, 'b', 100, undefined, 1)
  player.withdraw(2)
  expect(events).toMatchObject([
    { type: 'answer', to: 1, value: ['a', 0], body: 0 },
    { type: 'answer', to: 2, value: ['b', 1], body: 1 },
  ])
  expect(closed).toEqual([21])
})
