import { expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { jsonWire } from '../../../main/referees/json-wire.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const open = () => {
  const wire = jsonWire<Record<string, Json>, Json>()
  expect(wire.joined(0)).toEqual([{ type: 'ready' }])
  return wire
}

test('a message is a line, with the question’s number and limit where an answer is wanted', () => {
  const wire = open()
  const written = (question: { number: number; limitMs: number } | null): string =>
    wire
      .send({ type: 'turn', piles: [1, 2] }, question, 0)
      .map((effect) => (effect.type === 'write' ? new TextDecoder().decode(effect.bytes) : effect.type))
      .join()
  expect(written({ number: 7, limitMs: 500 })).toBe('{"type":"turn","piles":[1,2],"question":7,"limitMs":500}\n')
  expect(written(null)).toBe('{"type":"turn","piles":[1,2]}\n')
})

test('a line answers the question that it names, or the oldest, or none', () => {
  const wire = open()
  expect(wire.receive(bytes('{"question":7,"pile":1}\n{"pile":2}\n{"question":null,"pi'), 0)).toEqual([
    { type: 'answer', to: 7, value: { pile: 1 } },
    { type: 'answer', to: null, value: { pile: 2 } },
  ])
  expect(wire.receive(bytes('le":3}\n'), 0)).toEqual([{ type: 'said', value: { pile: 3 } }])
})

test.each(['[1]', 'nonsense', '{"question":"7"}', '{"question":1.5}'])('%s is a fault in one sentence', (line) => {
  expect(open().receive(bytes(`${line}\n`), 0)).toMatchObject([
    { type: 'fault', fault: { kind: 'protocol', text: expect.stringMatching(/^[A-Z"].*\.$/) as string }, gone: false },
  ])
})
