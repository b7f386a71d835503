import { describe, expect, test } from 'vitest'
import type { WireEffect } from '../../../main/contract/game.ts'
import type { Bundle } from '../../../main/referees/specker/messages.ts'
import { wire } from '../../../main/referees/specker/wire.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const bytes = (text: string): Uint8Array => encoder.encode(text)
/** Effects, with what is written as text. */
const told = (effects: readonly WireEffect<Bundle>[]) =>
  effects.map((effect) => (effect.type === 'write' ? { ...effect, bytes: decoder.decode(effect.bytes) } : effect))

const message = { type: 'turn', protocol: 2 } as Parameters<ReturnType<typeof wire>['send']>[0]

describe('one JSON value a line', () => {
  test('a message carries its question and its time, and nothing of the kind where nothing is asked', () => {
    const w = wire()
    expect(w.joined(0)).toEqual([{ type: 'ready' }])
    expect(told(w.send(message, { number: 7, limitMs: 500 }, 0))).toEqual([
      { type: 'write', bytes: '{"type":"turn","protocol":2,"question":7,"limitMs":500}\n' },
    ])
    expect(told(w.send(message, null, 0))).toEqual([{ type: 'write', bytes: '{"type":"turn","protocol":2}\n' }])
  })

  test('an answer names its question, or is to the oldest; null: said unasked', () => {
    const w = wire()
    const lines = '{"question":3,"protocol":1,"actions":[]}\n{"actions":[]}\r\n\n{"question":null,"actions":[]}\n'
    expect(w.receive(bytes(lines), 0)).toEqual([
      { type: 'answer', to: 3, value: { protocol: 1, actions: [] } },
      { type: 'answer', to: null, value: { actions: [] } },
      { type: 'said', value: { actions: [] } },
    ])
  })

  test('lines come in any pieces, a character cut in two among them', () => {
    const w = wire()
    const whole = bytes('{"question":1,"actions":["é"]}\n')
    const effects = [...whole].flatMap((byte) => [...w.receive(Uint8Array.of(byte), 0)])
    expect(effects).toEqual([{ type: 'answer', to: 1, value: { actions: ['é'] } }])
  })

  test('a new connection begins a new line', () => {
    const w = wire()
    expect(w.receive(bytes('{"question":1,'), 0)).toEqual([])
    w.joined(1)
    expect(w.receive(bytes('{"actions":[]}\n'), 1)).toHaveLength(1)
  })

  test.each(['no JSON', '[]', 'null', '3', '{"question":"1","actions":[]}', '{"question":0.5,"actions":[]}'])(
    '%s is a fault, and its writer is told why',
    (line) => {
      const [written, fault] = told(wire().receive(bytes(`${line}\n`), 0))
      expect(fault).toMatchObject({ type: 'fault', fault: { kind: 'protocol' }, gone: false })
      expect(written).toMatchObject({
        type: 'write',
        bytes: expect.stringMatching(/^{"type":"refused","question":null,/) as unknown,
      })
    },
  )

  test('who is too late is told so', () => {
    expect(told(wire().withdrawn(4, 0))).toEqual([
      {
        type: 'write',
        bytes:
          '{"type":"refused","question":4,"text":"The answer did not come in time; it is no longer waited for."}\n',
      },
    ])
  })
})
