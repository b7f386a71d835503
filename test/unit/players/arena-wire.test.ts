import { expect, test } from 'vitest'
import type { Wire } from '../../../main/contract/game/wire.ts'
import type { Json } from '../../../main/contract/json.ts'
import { arenaWire } from '../../../main/players/wires/arena-wire.ts'

/** A wire that tells of each call, and of the text that it was given. */
function wired() {
  const calls: string[] = []
  const wire: Wire<Json, Json> = {
    joined(at) {
      calls.push(`joined ${at}`)
      return [{ type: 'ready' }]
    },
    receive(chunk, at) {
      calls.push(`receive ${Buffer.from(chunk).toString('latin1')} ${at}`)
      return []
    },
    left(at) {
      calls.push(`left ${at}`)
      return []
    },
    send: () => [],
    withdrawn(question) {
      calls.push(`withdrawn ${question}`)
      return []
    },
  }
  return { calls, wire: arenaWire(wire, { match: 7, seed: 'its seed' }) }
}
const ready = Buffer.from('{"arena":"ready","match":7}\n')

test('a match is announced, and begins when the agent has said so', () => {
  const { calls, wire } = wired()
  const [announced] = wire.joined(1)
  expect(announced).toEqual({
    type: 'write',
    bytes: new TextEncoder().encode('{"arena":"match","match":7,"seed":"its seed"}\n'),
  })
  expect(calls).toEqual([])
  expect(wire.receive(Buffer.from('{"arena": "ready", "match": 7}\n'), 2)).toEqual([{ type: 'ready' }])
  wire.receive(Buffer.from('hello\nyou'), 3)
  wire.receive(Buffer.from(' there\n'), 4)
  expect(calls).toEqual(['joined 2', 'receive hello\n 3', 'receive you there\n 4'])
})

test.each([
  '{"arena":"ready","match":6}\n',
  '{"arena":"ready","match":"7"}\n',
  '{"arena":"ready"}\n',
  '{"arena":"left","match":7}\n',
  '{"arena":\n',
  '{"match":7,"arena":"ready"}\n',
  'answer to an earlier match {"arena":"ready","match":7}\n',
])('%s begins nothing, and the game does not hear of it', (line) => {
  const { calls, wire } = wired()
  wire.joined(0)
  expect(wire.receive(Buffer.from(line), 0)).toEqual([])
  expect(wire.left(0)).toEqual([])
  expect(wire.withdrawn(1, 0)).toEqual([])
  expect(calls).toEqual([])
})

test('what is half said when the connection drops belongs to nothing; the match is announced again', () => {
  const { calls, wire } = wired()
  wire.joined(0)
  wire.receive(ready, 0)
  wire.receive(Buffer.from('half'), 0)
  wire.left(1)
  expect(wire.joined(2)).toHaveLength(1)
  wire.receive(Buffer.from('{"type":"late"}\n'), 2)
  wire.receive(ready, 3)
  wire.receive(Buffer.from('whole\n'), 4)
  expect(calls).toEqual(['joined 0', 'left 1', 'joined 3', 'receive whole\n 4'])
})

test('bytes come in any pieces', () => {
  const { calls, wire } = wired()
  wire.joined(0)
  for (const byte of Buffer.concat([ready, Buffer.from([0xff, 10])])) wire.receive(Uint8Array.of(byte), 0)
  expect(calls).toEqual(['joined 0', 'receive \u00ff\n 0'])
})

test('giving the match up is the end of it, in words that are capped; for another match it is nothing', () => {
  const { calls, wire } = wired()
  wire.joined(0)
  wire.receive(ready, 0)
  expect(wire.receive(Buffer.from('{"arena":"left","match":6}\n{"arena":"ready","match":7}\n'), 0)).toEqual([])
  const text = 'x'.repeat(1_000)
  expect(wire.receive(Buffer.from(`${JSON.stringify({ arena: 'left', match: 7, text })}\n`), 0)).toEqual([
    {
      type: 'fault',
      fault: { kind: 'crash', text: `The agent has given the match up: ${'x'.repeat(400)}` },
      gone: true,
    },
  ])
  expect(calls).toEqual(['joined 0'])
})
