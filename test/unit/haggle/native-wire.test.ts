import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { haggle } from '../../../main/referees/haggle/haggle.ts'
import type { Input } from '../../../main/referees/haggle/input.ts'
import { nativeWire } from '../../../main/referees/haggle/native.ts'
import { rules } from '../../../main/referees/haggle/rules.ts'

const config = haggle.config.parse({ seed: 1 })
const seats = haggle.seats(config, 2)
if (typeof seats === 'string') throw new Error(seats)
const all = [4, 1, 1]

/** The dialogue of a seat that has been told that the session begins. */
function begun(seat: 0 | 1) {
  const wire = nativeWire()
  const { counts, values, maxRounds } = rules.initial(config, [], '0'.repeat(64))
  const message = { type: 'start', me: seat, counts, values: values[seat], maxRounds } as const
  wire.joined(0)
  wire.send(message, { number: 1, limitMs: 1_000 }, 0)
  const say = (frame: object | string) => {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
    return wire.receive(Buffer.from(`${text}\n`), 0)
  }
  const turn = (offer: readonly number[] | null) => wire.send({ type: 'turn', offer }, { number: 2, limitMs: 1_000 }, 0)
  const awaits = (...inputs: readonly Input[]) => {
    const state = rules.initial(config, [], '0'.repeat(64))
    for (const input of inputs) expect(rules.apply(state, input)).toBeNull()
    return wire.over!(rules.view(state, seat)).awaits ?? false
  }
  return { say, turn, awaits }
}

const demand = (seat: 0 | 1, value: Extract<Input, { type: 'answer' }>['value']): Input => ({
  type: 'answer',
  seat,
  value,
})
const walk = (seat: 0 | 1): Input => ({ type: 'abort', seat, reason: 'enough' })

describe('whose script is still at work when the session ends has its answer waited for', () => {
  test('the first is at work from the start, before its turn has been asked for', () => {
    expect(begun(0).awaits(walk(1))).toBe(true)
    expect(begun(1).awaits(walk(0))).toBe(false)
  })

  test('not where it has answered, be it early', () => {
    const early = begun(0)
    early.say({ type: 'offer', offer: 'all' })
    expect(early.awaits(walk(1))).toBe(false)
    const answered = begun(0)
    answered.turn(null)
    answered.say({ type: 'offer', offer: all })
    expect(answered.awaits(demand(0, all), walk(1))).toBe(false)
  })

  test('where it has been asked and has not answered', () => {
    const second = begun(1)
    second.turn([0, 0, 0])
    expect(second.awaits(demand(0, all), walk(0))).toBe(true)
  })

  test('when its partner accepts, an original client asks its script once more', () => {
    const [first, second] = [begun(0), begun(1)]
    for (const { turn, say } of [first, second]) {
      turn(null)
      say({ type: 'offer', offer: all })
    }
    expect(first.awaits(demand(0, all), demand(1, null))).toBe(true)
    expect(second.awaits(demand(0, all), demand(1, null))).toBe(false)
  })
})

test.each([
  ['a share', [4, 0, 1], [4, 0, 1]],
  ['no offer', undefined, null],
  ['null', null, null],
  ['zero', 0, null],
  ['an empty text', '', null],
])('an offer that is %s is answered as it is', (_, offer, value) => {
  const { turn, say } = begun(1)
  turn([0, 0, 0])
  expect(say({ type: 'offer', offer })).toEqual([{ type: 'answer', to: 2, value: { value } }])
})

test.each([
  ['deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['long', `[${'0,'.repeat(300_000)}0]`],
  ['of numbers that no history holds', '[1e999,0,0]'],
  ['words', `"${'all '.repeat(10_000)}"`],
  ['an object', '{"length":3,"0":0,"1":0,"2":0}'],
])('an offer that is %s is invalid, and small in a history', (_, offer) => {
  const { turn, say } = begun(1)
  turn([0, 0, 0])
  const [effect] = say(`{"type":"offer","offer":${offer}}`)
  const { value } = (effect as { value: { value: string } }).value
  expect(JSON.stringify(value).length).toBeLessThan(100)
  const state = rules.initial(config, [], '0'.repeat(64))
  rules.apply(state, demand(0, all))
  rules.apply(state, demand(1, value))
  expect(state.ending).toEqual({ type: 'abort', seat: 1, reason: 'Invalid offer' })
})

describe('what a client says after it has ended the session is not read', () => {
  /** A whole message was read, so that it does not count as a part of an unfinished one. */
  const nothing = { type: 'console', text: '' }
  const noise = ['no JSON', { type: 'offer', offer: all }, { type: 'abort' }, { type: 'info', text: 'x' }] as const
  test.each([
    ['accepted', { type: 'offer' }],
    ['made an invalid offer', { type: 'offer', offer: [9, 9, 9] }],
    ['walked away', { type: 'abort', reason: 'enough' }],
  ])('by having %s', (_, frame) => {
    const { turn, say } = begun(1)
    turn([0, 0, 0])
    expect(say(frame)).toHaveLength(1)
    expect(noise.flatMap(say)).toEqual(noise.map(() => nothing))
  })

  test('by an offer out of turn', () => {
    const { say } = begun(1)
    expect(say({ type: 'offer', offer: all })).toEqual([{ type: 'said', value: { threw: 'Unexpected offer' } }])
    expect(noise.flatMap(say)).toEqual(noise.map(() => nothing))
  })

  test('by the last demand of all, which is the second side\u2019s', () => {
    for (const seat of [0, 1] as const) {
      const { turn, say } = begun(seat)
      for (let round = 0; round < config.maxRounds; round++) {
        turn([0, 0, 0])
        expect(say({ type: 'offer', offer: all })).toHaveLength(1)
      }
      expect(noise.flatMap(say).every((effect) => isDeepStrictEqual(effect, nothing))).toBe(seat === 1)
    }
  })
})
