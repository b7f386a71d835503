import { describe, expect, test, vi } from 'vitest'
import { negotiate } from '../../../main/services/games/haggle/arena.ts'
import type { Client, Listener } from '../../../main/arenas/haggle/client.ts'
import type { ClientFrame, ServerFrame } from '../../../main/referees/haggle/frames.ts'
import type { NegotiationEnding } from '../../../main/arenas/haggle/negotiation.ts'
import { beginSession } from '../../../main/arenas/haggle/session.ts'
import { haggle } from '../../../main/referees/haggle/haggle.ts'

/** A client without a connection. */
function fake(): Client & {
  readonly sent: ServerFrame[]
  readonly listener: () => Listener
  reason: string
  awaited: boolean
} {
  let listener: Listener | null = null
  const sent: ServerFrame[] = []
  return {
    identity: 'fake',
    sent,
    reason: '',
    awaited: false,
    listener: () => listener!,
    send: (frame) => void sent.push(frame),
    end(reason) {
      this.reason = reason
    },
    endAfterAnswer(reason) {
      this.reason = reason
      this.awaited = true
    },
    listen: (next) => (listener = next),
    beat: () => undefined,
  }
}

function begin(turnMs: number) {
  const clients = [fake(), fake()] as const
  const endings: NegotiationEnding[] = []
  const negotiation = negotiate(haggle.config.parse({ seed: 1 }))
  beginSession({
    negotiation,
    clients,
    turnMs,
    tooLong: 'AI timeout',
    strayMs: 1_000,
    onEnd: (ending) => endings.push(ending),
  })
  return { clients, endings }
}

test('seed 1, as the facts have it', () => {
  const { clients } = begin(60_000)
  expect(clients.map(({ sent }) => sent)).toEqual([
    [{ type: 'start', opt: { me: 0, counts: [4, 1, 1], values: [0, 8, 2], max_rounds: 5 } }],
    [{ type: 'start', opt: { me: 1, counts: [4, 1, 1], values: [2, 0, 2], max_rounds: 5 } }],
  ])
  clients[0].listener().frame({ type: 'abort', reason: 'enough' })
})

test('an answer that came in time counts although this process was busy when the time was up', async () => {
  const { clients, endings } = begin(50)
  const [first, second] = clients
  // The time is up, and the answer is read, in the same round of the event loop: the clock comes first in it.
  setTimeout(() => setImmediate(() => first.listener().frame({ type: 'offer', offer: [0, 1, 1] })), 60)
  const busyUntil = performance.now() + 120
  while (performance.now() < busyUntil);
  await vi.waitUntil(() => second.sent.length > 1 || endings.length > 0, { timeout: 30_000 })
  expect(second.sent[1]).toEqual({ type: 'offer', offer: [4, 0, 0] })
  // The clock of the second side runs from now.
  await vi.waitUntil(() => endings.length > 0, { timeout: 30_000 })
  expect(endings).toEqual([{ type: 'abort', side: 1, reason: 'AI timeout' }])
  expect(first.reason).toBe('The session is over: your partner walked away.')
  expect(second.reason).toBe('The session is over: you walked away.')
  expect(clients.map(({ awaited }) => awaited)).toEqual([false, true])
})

test('what scripts log, and proofs that nobody wants, change nothing', () => {
  const { clients, endings } = begin(60_000)
  const [first, second] = clients
  for (const { listener } of clients) {
    listener().frame({ type: 'info' })
    listener().frame({ type: 'pow', nonce: '0' })
  }
  expect(clients.map(({ sent }) => sent.length)).toEqual([1, 1])
  first.listener().frame({ type: 'offer', offer: [0, 1, 0] })
  second.listener().frame({ type: 'offer' })
  expect(endings).toEqual([{ type: 'agreed', by: 1, scores: [8, 10] }])
})

test('a full session: five demands of each, and nobody gets anything', () => {
  const { clients, endings } = begin(60_000)
  for (let turn = 0; turn < 10; turn++) {
    expect(endings).toEqual([])
    clients[turn % 2]!.listener().frame({ type: 'offer', offer: [4, 1, 1] })
  }
  expect(endings).toEqual([{ type: 'not agreed', scores: [0, 0] }])
})

describe('whose script is still at work when the session ends has its answer waited for', () => {
  const all = [4, 1, 1]
  type Frames = readonly (readonly [0 | 1, object])[]
  test.each<readonly [string, Frames, readonly [boolean, boolean]]>([
    [
      'the second accepts: the first is asked once more',
      [
        [0, { offer: all }],
        [1, {}],
      ],
      [true, false],
    ],
    [
      'the first accepts: the second is',
      [
        [0, { offer: all }],
        [1, { offer: all }],
        [0, {}],
      ],
      [false, true],
    ],
    [
      'no agreement: nobody is',
      Array.from({ length: 10 }, (_, turn) => [(turn % 2) as 0 | 1, { offer: all }] as const),
      [false, false],
    ],
    ['an invalid offer: its sender has answered, and nobody else was asked', [[0, { offer: 'all' }]], [false, false]],
    [
      'an abort out of turn: its partner is at work',
      [
        [0, { offer: all }],
        [0, { type: 'abort' }],
      ],
      [false, true],
    ],
    ['an offer out of turn: its partner is at work', [[1, { offer: all }]], [true, false]],
  ])('%s', (_, frames, awaited) => {
    const { clients, endings } = begin(60_000)
    for (const [side, frame] of frames) clients[side].listener().frame({ type: 'offer', ...frame } as ClientFrame)
    expect(endings).toHaveLength(1)
    expect(clients.map((client) => client.awaited)).toEqual(awaited)
  })

  test('who disconnects: its partner is at work where it was on turn', () => {
    const { clients } = begin(60_000)
    clients[1].listener().left('The connection was lost.')
    expect(clients.map((client) => client.awaited)).toEqual([true, false])
  })
})
