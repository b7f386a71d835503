import { describe, expect, test } from 'vitest'
import type { WireEffect } from '../../../main/contract/game/wire.ts'
import type { Bundle } from '../../../main/referees/specker/messages.ts'
import { json } from '../../../main/referees/specker/language/concrete.ts'
import { wire as wireOf } from '../../../main/referees/specker/language/wire.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const bytes = (text: string): Uint8Array => encoder.encode(text)
/** Effects, with what is written as text. */
const told = (effects: readonly WireEffect<Bundle>[]) =>
  effects.map((effect) => (effect.type === 'write' ? { ...effect, bytes: decoder.decode(effect.bytes) } : effect))

const wire = () =>
  wireOf(() => ({
    tell: (said) => `told ${JSON.stringify(said)}`,
    hear: (line) => json.hear(line.replace(/^say /, '')),
  }))

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
      // The value that was there, and the expected one.
      const { text } = (fault as { fault: { text: string } }).fault
      expect(text).toContain(/"question":([^,]+)/.exec(line)?.[1] ?? line)
      expect(text).toMatch(line.startsWith('{') ? /must be the number of a question/ : /is no JSON object/)
      expect(written).toMatchObject({
        type: 'write',
        bytes: expect.stringMatching(/^{"type":"refused","protocol":1,"question":null,/) as unknown,
      })
    },
  )

  test('"language text" changes the language, and what is asked is asked again in it', () => {
    const w = wire()
    w.send(message, { number: 7, limitMs: 500 }, 0)
    w.send(message, { number: 8, limitMs: 500 }, 0)
    w.receive(bytes('{"question":7,"actions":[]}\n'), 0)
    const again = '{"type":"turn","protocol":2,"question":8,"limitMs":500}'
    expect(told(w.receive(bytes('language text\nsay {"question":8,"actions":[]}\n'), 0))).toEqual([
      { type: 'write', bytes: `told ${again}\n` },
      { type: 'answer', to: 8, value: { actions: [] } },
    ])
    expect(told(w.withdrawn(9, 0))).toMatchObject([{ bytes: expect.stringMatching(/^told /) as unknown }])
    // Another connection begins anew.
    w.joined(0)
    expect(told(w.send(message, null, 0))).toEqual([{ type: 'write', bytes: '{"type":"turn","protocol":2}\n' }])
    expect(w.receive(bytes('language text\n'), 0)).toEqual([])
  })

  test('a player that is too late is told so, in a line that says which protocol is spoken', () => {
    const late = (protocol: number): object[] => [
      {
        type: 'write',
        bytes: `{"type":"refused","protocol":${protocol},"question":4,"text":"The answer did not come in time; it is no longer waited for."}\n`,
      },
    ]
    const w = wireOf(() => json, 2)
    expect(told(w.withdrawn(4, 0))).toEqual(late(2))
    w.send({ ...message, protocol: 3 } as typeof message, null, 0)
    expect(told(w.withdrawn(4, 0))).toEqual(late(3))
    w.joined(0)
    expect(told(w.withdrawn(4, 0))).toEqual(late(2))
    expect(told(wireOf().withdrawn(4, 0))).toEqual(late(1))
  })
})
