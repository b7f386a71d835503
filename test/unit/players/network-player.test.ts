import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import type { LineCall } from '../../../main/contract/players/seat-transport.ts'
import { networkPlayer } from '../../../main/players/network/network-player.ts'
import { wireHost } from '../../../main/players/wires/wire-host.ts'
import { haggle } from '../../../main/referees/haggle/haggle.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const game = eraseGame(haggle)
const bytes = (line: object): Uint8Array => Buffer.from(`${JSON.stringify(line)}\n`)
const ready = bytes({ arena: 'ready', match: 3 })
const turn = { type: 'turn', offer: null } as const

function seated(rejoins: boolean) {
  const events: PlayerEvent[] = []
  const calls: LineCall[] = []
  const player = networkPlayer({
    match: 3,
    seed: 'seed',
    wire: game.dialogue.wire!({}, { seat: 0, body: 0 }, [], wireHost()),
    rejoins,
    limits: { startMs: 1_000, messageBytes: 256, consoleBytes: 0 },
    emit: (event) => events.push(event),
    call: (call) => calls.push(call),
  })
  /** Written bytes, by connection. */
  const written = (): readonly (readonly [number, unknown])[] =>
    calls.flatMap((call) =>
      call.type === 'write' ? [[call.link, JSON.parse(Buffer.from(call.bytes).toString()) as unknown] as const] : [],
    )
  return { player, events, calls, written }
}

test('a match: the connection is wanted, announced, asked, told that it is over, and let go', async () => {
  const { player, events, calls, written } = seated(false)
  const begun = player.ready()
  expect(calls).toEqual([{ type: 'open' }])
  player.hear({ type: 'up', link: 8 })
  player.hear({ type: 'data', link: 8, bytes: ready })
  await begun
  player.ask(1, turn, 500)
  vi.advanceTimersByTime(120)
  const accepted = bytes({ type: 'offer', question: 1 })
  player.hear({ type: 'data', link: 8, bytes: accepted })
  expect(events).toEqual([{ type: 'answer', to: 1, value: { value: null }, tookMs: 120 }])
  player.close()
  player.close()
  expect(written()).toEqual([
    [8, { arena: 'match', match: 3, seed: 'seed' }],
    [8, { type: 'offer', question: 1, limitMs: 500 }],
    [8, { arena: 'over', match: 3 }],
  ])
  expect(calls.filter(({ type }) => type === 'took')).toMatchObject([
    { link: 8, bytes: ready.byteLength },
    { link: 8, bytes: accepted.byteLength },
  ])
  expect(calls.filter(({ type }) => type === 'shut')).toHaveLength(1)
  expect(calls.at(-1)).toEqual({ type: 'shut' })
  player.hear({ type: 'data', link: 8, bytes: bytes({ type: 'offer' }) })
  player.hear({ type: 'down', link: 8, text: 'closed its connection.' })
  expect(events).toHaveLength(1)
})

test('a client that has no connection is out before the match; one that loses it in between, in the middle', async () => {
  const gone = seated(false)
  const waited = gone.player.ready()
  gone.player.hear({ type: 'down', link: 1, text: 'has not connected.' })
  await waited
  expect(gone.events).toMatchObject([
    { type: 'fault', gone: true, fault: { kind: 'crash', text: 'The agent has not connected.' } },
  ])

  const lost = seated(false)
  const begun = lost.player.ready()
  lost.player.hear({ type: 'up', link: 1 })
  lost.player.hear({ type: 'data', link: 1, bytes: ready })
  await begun
  lost.player.ask(1, turn, 500)
  const fault = { kind: 'protocol', text: 'The agent sent a binary frame.' } as const
  lost.player.hear({ type: 'down', link: 1, text: 'sent a binary frame.', fault })
  expect(lost.events).toMatchObject([{ type: 'fault', to: 1, gone: true, fault }])
  // Nobody is there to be told that it is over.
  expect(lost.written().map(([, line]) => line)).not.toContainEqual({ arena: 'over', match: 3 })
  expect(lost.calls.at(-1)).toEqual({ type: 'shut' })
})

test('of an earlier connection nothing is heard, and nothing is written to it', async () => {
  const { player, events, calls, written } = seated(true)
  const begun = player.ready()
  player.hear({ type: 'up', link: 1 })
  player.hear({ type: 'data', link: 1, bytes: ready })
  await begun
  player.hear({ type: 'up', link: 2 })
  expect(events).toEqual([{ type: 'left' }])
  const before = calls.length
  player.hear({ type: 'data', link: 1, bytes: ready })
  player.hear({ type: 'data', link: 1, bytes: bytes({ type: 'offer' }) })
  player.hear({ type: 'down', link: 1, text: 'lost its connection.' })
  expect(events).toEqual([{ type: 'left' }])
  expect(calls).toHaveLength(before)
  player.hear({ type: 'data', link: 2, bytes: ready })
  expect(events).toEqual([{ type: 'left' }, { type: 'joined' }])
  player.ask(1, turn, 500)
  expect(written().at(-1)).toEqual([2, { type: 'offer', question: 1, limitMs: 500 }])
  player.hear({ type: 'down', link: 2, text: 'lost its connection.' })
  expect(events.at(-1)).toEqual({ type: 'left' })
  player.close()
})
