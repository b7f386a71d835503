import { expect, test } from 'vitest'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import type { ByteChannel } from '../../../main/players/channels/channel.ts'
import { wirePlayer } from '../../../main/players/wire-player.ts'
import type { Wire } from '../../../main/contract/game/wire.ts'
import type { Json } from '../../../main/contract/json.ts'
import { wire as haggleWire } from '../../../main/referees/haggle/wire.ts'
import { jsonWire } from '../../../main/referees/json-wire.ts'
import { wire as speckerWire } from '../../../main/referees/specker/language/wire.ts'
import { saying } from '../../refusal.ts'

const hint = 'Standard output belongs to the protocol.'

const wires = { haggle: haggleWire, specker: () => speckerWire(), others: jsonWire } as const

/** The texts of the faults of a program that writes a line to standard output, and of a connection if there is no hint. */
async function faultsOf(game: keyof typeof wires, line: string, unreadableHint?: string): Promise<readonly string[]> {
  const events: PlayerEvent[] = []
  let hear: (bytes: Uint8Array) => void = () => undefined
  const channel: ByteChannel = {
    start: (to) => {
      hear = (bytes) => to.data(bytes)
    },
    write: () => undefined,
    unread: () => 0,
    close: () => undefined,
  }
  const player = wirePlayer({
    wire: wires[game]() as Wire<Json, unknown> as Wire<Json, Json>,
    channels: { reopens: 'never', open: (up) => up(channel), close: () => undefined },
    limits: { startMs: 10_000, messageBytes: 5_000, consoleBytes: 0 },
    ...(unreadableHint === undefined ? {} : { unreadableHint }),
    emit: (event) => events.push(event),
  })
  await player.ready()
  hear(Buffer.from(`${line}\n`))
  player.close()
  return events.flatMap((event) => (event.type === 'fault' ? [event.fault.text] : []))
}

test.each(['haggle', 'specker', 'others'] as const)(
  '%s: a printed line is quoted, with what a program does instead',
  async (game) => {
    const [text] = await faultsOf(game, 'thinking about it', hint)
    expect(text).toContain('thinking about it')
    expect(text).toContain(hint)
    // Connections have no standard output.
    expect((await faultsOf(game, 'thinking about it'))[0]).not.toContain(hint)
    // A message with a mistake was not printed for people.
    expect((await faultsOf(game, '{"type": "offer", "question": "x"}', hint))[0]).not.toContain(hint)
  },
)

test.each([
  ['{"offer": [NaN, 1], "question": 1}', 'NaN'],
  ['{"offer": [-Infinity], "note": "NaN"}', '-Infinity'],
  ["{'offer': [1]}", 'json.dumps'],
  ['{"offer": None}', 'None', 'json.dumps'],
  ['{"note": "None, \\"True\\" and \'quoted\'" 1}', 'column 40'],
  ['{"offer": [1],}', 'column 15'],
  ['{', 'one line'],
  [`{"note": "${'x'.repeat(2_000)}`, 'end'],
])(
  '%s was meant as a message: its mistake is named in all games, and nothing about printing',
  async (line, ...facts) => {
    for (const game of ['haggle', 'specker', 'others'] as const) {
      const [text] = await faultsOf(game, line, hint)
      expect(text).toEqual(saying(line.slice(0, 10), ...facts))
      expect(text).not.toContain(hint)
    }
  },
)

test('a message of another type says which, and which there are', async () => {
  const [text] = await faultsOf('haggle', '{"type": "move"}')
  expect(text).toContain('"type": "move"')
})
