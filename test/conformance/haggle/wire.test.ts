import { expect, test } from 'vitest'
import { wire } from '../../../main/referees/haggle/wire.ts'

const text = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes))
const lines = (...values: readonly (object | string)[]): Uint8Array =>
  Buffer.from(values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join(''))
const spoken = (effects: ReturnType<ReturnType<typeof wire>['send']>): unknown[] =>
  effects.map((effect) => (effect.type === 'write' ? text(effect.bytes) : effect))

test('a program hears the messages of the arena of 2018, with number and limit', () => {
  const dialogue = wire()
  expect(dialogue.joined(0)).toEqual([{ type: 'ready' }])
  const start = { type: 'start', me: 0, counts: [2, 1, 1], values: [1, 8, 0], maxRounds: 5 } as const
  expect(spoken(dialogue.send(start, { number: 1, limitMs: 10_000 }, 0))).toEqual([
    {
      type: 'start',
      opt: { me: 0, counts: [2, 1, 1], values: [1, 8, 0], max_rounds: 5 },
      question: 1,
      limitMs: 10_000,
    },
  ])
  const question = { number: 2, limitMs: 1_000 }
  expect(spoken(dialogue.send({ type: 'turn', offer: null }, question, 0))).toEqual([
    { type: 'offer', question: 2, limitMs: 1_000 },
  ])
  expect(spoken(dialogue.send({ type: 'turn', offer: [0, 1, 0] }, question, 0))).toEqual([
    { type: 'offer', offer: [0, 1, 0], question: 2, limitMs: 1_000 },
  ])
})

test('what it says: ready, a demand, an acceptance, a walk away, a word for its team', () => {
  const dialogue = wire()
  dialogue.joined(0)
  expect(
    dialogue.receive(
      lines(
        { type: 'ready', question: 1 },
        { type: 'offer', offer: [2, 0, 0], question: 2 },
        { type: 'offer' },
        { type: 'abort', reason: 'Too greedy.' },
        { type: 'abort' },
        { type: 'info', arg: { thinking: true } },
      ),
      0,
    ),
  ).toEqual([
    { type: 'answer', to: 1, value: { value: null } },
    { type: 'answer', to: 2, value: { value: [2, 0, 0] } },
    { type: 'answer', to: null, value: { value: null } },
    { type: 'answer', to: null, value: { threw: 'Too greedy.' } },
    { type: 'answer', to: null, value: { threw: 'Session canceled' } },
    { type: 'console', text: '\u25b8 {"thinking":true}' },
  ])
})

test.each([
  ['no JSON', 'hello'],
  ['no object', '[1]'],
  ['no message', { type: 'hello' }],
  ['an odd number', { type: 'offer', question: 'one' }],
])('%s is a fault that it outlives', (_what, line) => {
  const dialogue = wire()
  dialogue.joined(0)
  expect(dialogue.receive(lines(line, { type: 'ready' }), 0)).toMatchObject([
    { type: 'fault', fault: { kind: 'protocol' }, gone: false },
    { type: 'answer' },
  ])
})

test('lines come in any pieces; what was half said on one connection is forgotten on the next', () => {
  const dialogue = wire()
  dialogue.joined(0)
  const whole = lines({ type: 'offer', offer: [1], question: 7 })
  const effects = [...whole].flatMap((byte) => dialogue.receive(Uint8Array.of(byte), 0))
  expect(effects).toEqual([{ type: 'answer', to: 7, value: { value: [1] } }])
  dialogue.receive(Buffer.from('{"type":'), 0)
  dialogue.left(0)
  dialogue.joined(0)
  expect(dialogue.receive(lines({ type: 'ready' }), 0)).toHaveLength(1)
})
