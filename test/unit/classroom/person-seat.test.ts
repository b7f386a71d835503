import { expect, test, vi } from 'vitest'
import { createPersonSeat } from '../../../main/services/matches/human-seat.ts'
import { eraseGame } from '../../../main/contract/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { RemoteCall, RemoteEvent } from '../../../main/contract/seat-transport.ts'
import { haggle } from '../../../main/referees/haggle/haggle.ts'

const START = { type: 'start', me: 0, counts: [1, 1, 1], values: [1, 2, 7], maxRounds: 2 }
const TURN = { type: 'turn', offer: null }

function seated() {
  const heard: RemoteEvent[] = []
  const onChange = vi.fn()
  const seat = createPersonSeat(eraseGame(haggle), onChange)
  const call = (what: RemoteCall): void => seat.seatTransport(what, (event) => heard.push(event))
  const ask = (question: number, message: Json): void => call({ type: 'ask', question, message, limitMs: 60_000 })
  return { seat, heard, call, ask, onChange }
}

test('a person is ready at once, and is asked for moves alone', () => {
  const { seat, heard, call, ask } = seated()
  call({ type: 'seat' })
  ask(1, START)
  expect(heard).toEqual([{ type: 'joined' }, { type: 'answer', question: 1, value: { value: null } }])
  expect(seat.question()).toBeNull()
  ask(2, TURN)
  expect(seat.question()).toMatchObject({ number: 2 })
  expect(seat.question()!.msLeft).toBeLessThanOrEqual(60_000)
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
  expect(seat.question()).toBeNull()
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

test('who leaves is gone for the match, also one who left before it began', () => {
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
