import { expect, test, vi } from 'vitest'
import { createPersonSeat } from '../../../main/services/contests/human/human-seat.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { RemoteCall, RemoteEvent } from '../../../main/contract/players/seat-transport.ts'
import { haggle } from '../../../main/referees/haggle/haggle.ts'

const START = { type: 'start', me: 0, counts: [1, 1, 1], values: [1, 2, 7], maxRounds: 2 }
const TURN = { type: 'turn', offer: null }

function seated(bodies = 1) {
  const heard: (RemoteEvent & { readonly body?: number })[] = []
  const onChange = vi.fn()
  const seat = createPersonSeat(eraseGame(haggle), bodies, onChange)
  const call = (what: RemoteCall, body = 0): void =>
    seat.seatTransport(what, (event) => heard.push(body === 0 ? event : { ...event, body }), body)
  const ask = (question: number, message: Json, body = 0): void =>
    call({ type: 'ask', question, message, limitMs: 60_000 }, body)
  return { seat, heard, call, ask, onChange }
}

test('a person is ready at once, and is asked for moves alone', () => {
  const { seat, heard, call, ask } = seated()
  call({ type: 'seat' })
  ask(1, START)
  expect(heard).toEqual([{ type: 'joined' }, { type: 'answer', question: 1, value: { value: null } }])
  expect(seat.questions()).toEqual([])
  ask(2, TURN)
  expect(seat.questions()).toMatchObject([{ number: 2, body: 0 }])
  expect(seat.questions()[0]!.msLeft).toBeLessThanOrEqual(60_000)
  expect(seat.dialogue()).toEqual([
    { from: 'table', value: START },
    { from: 'table', value: TURN },
  ])
})

test('only the open question is answered, and once', () => {
  const { seat, heard, call, ask, onChange } = seated()
  call({ type: 'seat' })
  ask(1, START)
  expect(seat.answer(1, { value: [1, 0, 0] })).toBe(false)
  ask(2, TURN)
  expect(seat.answer(3, { value: [1, 0, 0] })).toBe(false)
  onChange.mockClear()
  expect(seat.answer(2, { value: [1, 0, 0] })).toBe(true)
  expect(onChange).toHaveBeenCalledOnce()
  expect(seat.answer(2, { value: null })).toBe(false)
  expect(heard.slice(2)).toEqual([{ type: 'answer', question: 2, value: { value: [1, 0, 0] } }])
  expect(seat.dialogue().at(-1)).toEqual({ from: 'person', value: { value: [1, 0, 0] } })
})

test('a question whose time is up is not open any more', () => {
  const { seat, call, ask } = seated()
  call({ type: 'seat' })
  ask(1, TURN)
  call({ type: 'withdraw', question: 1 })
  expect(seat.questions()).toEqual([])
  expect(seat.answer(1, { value: null })).toBe(false)
})

test('what is said unasked is said at any time, but neither before the beginning nor after the end', () => {
  const { seat, heard, call } = seated()
  expect(seat.answer(null, { threw: 'early' })).toBe(false)
  call({ type: 'seat' })
  expect(seat.answer(null, { threw: 'enough' })).toBe(true)
  call({ type: 'close' })
  expect(seat.answer(null, { threw: 'late' })).toBe(false)
  expect(heard).toEqual([{ type: 'joined' }, { type: 'said', value: { threw: 'enough' } }])
})

test('an entrant that leaves is gone for the match, also one who left before it began', () => {
  const early = seated()
  early.seat.leave('Gone before.')
  early.call({ type: 'seat' })
  expect(early.heard).toEqual([{ type: 'left', reason: 'Gone before.' }])

  const { seat, heard, call, ask } = seated()
  call({ type: 'seat' })
  ask(1, TURN)
  seat.leave('Gone.')
  expect(seat.answer(1, { value: null })).toBe(false)
  expect(heard.slice(1)).toEqual([{ type: 'left', reason: 'Gone.' }])
})

test('a person with several bodies answers for each of them, in any order', () => {
  const { seat, heard, call, ask } = seated(3)
  for (const body of [0, 1, 2]) call({ type: 'seat' }, body)
  for (const body of [0, 1, 2]) ask(1 + body, START, body)
  for (const body of [0, 1, 2]) ask(4 + body, TURN, body)
  expect(seat.questions()).toMatchObject([
    { number: 4, body: 0 },
    { number: 5, body: 1 },
    { number: 6, body: 2 },
  ])
  heard.length = 0
  expect(seat.answer(6, { value: null })).toBe(true)
  expect(heard).toEqual([{ type: 'answer', question: 6, value: { value: null }, body: 2 }])
  call({ type: 'close' }, 1)
  expect(seat.questions()).toMatchObject([{ number: 4 }])
  expect(seat.answer(5, { value: null })).toBe(false)
  seat.leave('Gone.')
  expect(heard.slice(1)).toEqual([
    { type: 'left', reason: 'Gone.' },
    { type: 'left', reason: 'Gone.', body: 2 },
  ])
})

test('of several bodies the beginning and the newest lines of each are kept', () => {
  const { seat, call, ask } = seated(2)
  for (const body of [0, 1]) call({ type: 'seat' }, body)
  for (const body of [0, 1]) ask(1 + body, START, body)
  for (let number = 3; number < 200; number += 1) {
    ask(number, { type: 'turn', offer: null, number }, number % 2)
    expect(seat.answer(number, { value: [number] })).toBe(true)
  }
  expect(seat.dialogue().map(({ value, body = 0 }) => [body, JSON.stringify(value)])).toEqual([
    [0, JSON.stringify(START)],
    [1, JSON.stringify(START)],
    [0, '{"type":"turn","offer":null,"number":198}'],
    [0, '{"value":[198]}'],
    [1, '{"type":"turn","offer":null,"number":199}'],
    [1, '{"value":[199]}'],
  ])
})

test('before a verdict everything that has arrived is passed on, with the pauses of this process', async () => {
  const { seat, heard, call, ask } = seated()
  call({ type: 'seat' })
  ask(2, TURN)
  // It arrives after the check, and is read before it is answered.
  setImmediate(() => seat.answer(2, { value: null }))
  call({ type: 'check', check: 1 })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80)
  await vi.waitUntil(() => heard.some(({ type }) => type === 'checked'))
  expect(heard.map(({ type }) => type)).toEqual(['joined', 'answer', 'checked'])
  const stood = heard.flatMap(({ pauses = [] }) => pauses).reduce((sum, { ms }) => sum + ms, 0)
  expect(stood).toBeGreaterThan(60)
  seat.close()
})
