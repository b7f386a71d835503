import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import type { PlayerEvent, TimeBank } from '../../../main/contract/players/player.ts'
import type { Pause, RemoteCall } from '../../../main/contract/players/seat-transport.ts'
import { remotePlayer } from '../../../main/players/remote-player.ts'

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance', 'hrtime'],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

function seated(limits = { startMs: 1_000, messageBytes: 64 }) {
  const events: PlayerEvent[] = []
  const calls: RemoteCall[] = []
  const player = remotePlayer({
    limits,
    emit: (event) => events.push(event),
    call(call) {
      if (call.type === 'check') player.hear({ type: 'checked', check: call.check, pauses: pauses.splice(0) })
      else calls.push(call)
    },
  })
  /** Those of the process that carries the questions, which it has not told yet. */
  const pauses: Pause[] = []
  return { player, events, calls, pauses }
}

/** One who has come, and been asked question 1. */
async function asked(limitMs = 500) {
  const seat = seated()
  const ready = seat.player.ready()
  seat.player.hear({ type: 'joined' })
  await ready
  seat.player.ask(1, 'well?', limitMs)
  return seat
}

const answer = (question: number, value: Json) => ({ type: 'answer', question, value }) as const

test('what is asked and told is handed on, and the answer says how long it took', async () => {
  const { player, events, calls } = await asked()
  player.tell('news')
  vi.advanceTimersByTime(120)
  player.hear(answer(1, { value: [1] }))
  expect(calls).toEqual([
    { type: 'seat' },
    { type: 'ask', question: 1, message: 'well?', limitMs: 500 },
    { type: 'tell', message: 'news' },
  ])
  expect(events).toEqual([{ type: 'answer', to: 1, value: { value: [1] }, tookMs: 120 }])
  vi.advanceTimersByTime(10_000)
  expect(events).toHaveLength(1)
})

test('a player that is late has a fault; what comes afterwards is still told with its number, and no clock starts again', async () => {
  const { player, events, calls } = await asked(500)
  vi.advanceTimersByTime(499)
  expect(events).toEqual([])
  vi.advanceTimersByTime(2)
  expect(events).toMatchObject([
    { type: 'fault', to: 1, gone: false, fault: { kind: 'timeout', text: 'The player gave no answer within 500 ms.' } },
  ])
  expect(calls.at(-1)).toEqual({ type: 'withdraw', question: 1 })
  player.hear(answer(1, 'too late'))
  expect(events[1]).toEqual({ type: 'answer', to: 1, value: 'too late', tookMs: 0 })
  vi.advanceTimersByTime(60_000)
  expect(events).toHaveLength(2)
})

test('a second answer goes to the question that it names, never to the one that follows', async () => {
  const { player, events } = await asked()
  player.hear(answer(1, 'first'))
  player.ask(2, 'and now?', 500)
  player.hear(answer(1, 'again'))
  player.hear(answer(2, 'second'))
  expect(events.map((event) => event.type === 'answer' && [event.to, event.value])).toEqual([
    [1, 'first'],
    [1, 'again'],
    [2, 'second'],
  ])
})

test.each([0, -1, 1.5, 2, Number.NaN])(
  'an answer to question %s, which nobody asked, does not count',
  async (question) => {
    const { player, events } = await asked()
    player.hear(answer(question, 'early'))
    expect(events).toEqual([])
    player.hear(answer(1, 'on time'))
    expect(events).toMatchObject([{ type: 'answer', to: 1, value: 'on time' }])
  },
)

test.each<[string, Json]>([
  ['half a character', '\uD800'],
  ['no number of JSON', -0],
  ['more than it may have', 'x'.repeat(100)],
])('an answer that holds %s is a fault of its question', async (_, value) => {
  const { player, events } = await asked()
  player.hear({ type: 'said', value })
  expect(events).toEqual([])
  player.hear(answer(1, value))
  expect(events).toMatchObject([{ type: 'fault', to: 1, gone: false, fault: { kind: 'protocol' } }])
})

test('a question that is withdrawn runs out of no time', async () => {
  const { player, events, calls } = await asked()
  player.withdraw(1)
  expect(calls.at(-1)).toEqual({ type: 'withdraw', question: 1 })
  vi.advanceTimersByTime(10_000)
  expect(events).toEqual([])
  player.hear(answer(1, 'all the same'))
  expect(events).toMatchObject([{ type: 'answer', to: 1 }])
})

test('a player that leaves is gone for good, with the question that was open', async () => {
  const { player, events, calls } = await asked()
  player.hear({ type: 'left', reason: 'The window was closed.' })
  player.hear({ type: 'left', reason: 'Once more.' })
  player.hear(answer(1, 'from beyond'))
  player.hear({ type: 'joined' })
  vi.advanceTimersByTime(10_000)
  expect(events).toEqual([
    { type: 'fault', to: 1, fault: { kind: 'crash', text: 'The window was closed.' }, gone: true },
  ])
  const before = calls.length
  player.ask(2, 'anybody?', 500)
  player.tell('nobody')
  player.close()
  expect(calls).toHaveLength(before)
})

test('a player that does not come in time is gone; one that leaves before the beginning too', async () => {
  const absent = seated()
  const ready = absent.player.ready()
  vi.advanceTimersByTime(1_001)
  await ready
  expect(absent.events).toMatchObject([{ type: 'fault', gone: true, fault: { kind: 'timeout' } }])

  const leaving = seated()
  const never = leaving.player.ready()
  leaving.player.hear({ type: 'left', reason: 'Changed their mind.' })
  await never
  expect(leaving.events).toMatchObject([{ type: 'fault', gone: true, fault: { kind: 'crash' } }])
})

test('after the end nothing is said any more, and the carrier is told once', async () => {
  const { player, events, calls } = await asked()
  player.close()
  player.close()
  player.hear(answer(1, 'late'))
  player.hear({ type: 'left', reason: 'Gone.' })
  vi.advanceTimersByTime(10_000)
  expect(events).toEqual([])
  expect(calls.filter(({ type }) => type === 'close')).toHaveLength(1)
})

test('the time bank is drawn on before a fault', async () => {
  const seat = seated()
  const ready = seat.player.ready()
  seat.player.hear({ type: 'joined' })
  await ready
  const bank: TimeBank = { bankMs: 300, strikes: 0, leftMs: 300, struck: 0 }
  seat.player.ask(1, 'well?', 500, bank)
  vi.advanceTimersByTime(600)
  seat.player.hear(answer(1, 'slowly'))
  expect(seat.events).toMatchObject([{ type: 'answer', to: 1, value: 'slowly', tookMs: 600 }])
  expect(bank.leftMs).toBe(200)
})

/** A pause of so many ms that ends now. */
function pauseOf(ms: number): Pause {
  const to = Number(process.hrtime.bigint()) / 1e6
  return { from: to - ms, to, ms }
}

test("a person's time stands still while the process that carries their answer does", async () => {
  const { player, events, pauses } = await asked(500)
  vi.advanceTimersByTime(450)
  pauses.push(pauseOf(400))
  vi.advanceTimersByTime(400)
  expect(events).toEqual([])
  player.hear(answer(1, 'in time'))
  expect(events).toMatchObject([{ type: 'answer', to: 1, value: 'in time' }])
})

test('a person that is silent is late when their own time is over', async () => {
  const { events, pauses } = await asked(500)
  vi.advanceTimersByTime(450)
  pauses.push(pauseOf(400))
  vi.advanceTimersByTime(440)
  expect(events).toEqual([])
  vi.advanceTimersByTime(100)
  expect(events).toMatchObject([{ type: 'fault', to: 1, fault: { kind: 'timeout' } }])
})

test('an answer that the process has not passed on yet is passed on before a verdict', async () => {
  const events: PlayerEvent[] = []
  const checks: number[] = []
  const limits = { startMs: 1_000, messageBytes: 64 }
  const call = (each: RemoteCall): void => void (each.type === 'check' && checks.push(each.check))
  const player = remotePlayer({ limits, emit: (event) => events.push(event), call })
  const ready = player.ready()
  player.hear({ type: 'joined' })
  await ready
  player.ask(1, 'well?', 500)
  vi.advanceTimersByTime(3_000)
  expect([events, checks.length]).toEqual([[], 1])
  player.hear(answer(1, 'here'))
  player.hear({ type: 'checked', check: checks[0]! })
  expect(events).toMatchObject([{ type: 'answer', to: 1 }])
})
