import { expect, test } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { Player, PlayerEvent } from '../../../main/contract/players/player.ts'
import { cows } from '../../../main/referees/cows/cows.ts'
import type { Input } from '../../../main/referees/cows/input.ts'
import { mapText } from '../../../main/referees/cows/maps/map-file.ts'
import type { Message, PerceptionMessage } from '../../../main/referees/cows/messages.ts'
import { createTable } from '../../../main/worker/table.ts'

const game = eraseGame(cows)
/** Open ground with two herders a team: moves of the first team's first herder to the east lead from column 2 on. */
const map = mapText({
  rows: ['......c.....', ...Array<string>(11).fill('............')],
  corrals: [
    { x0: 0, y0: 0, x1: 1, y1: 1 },
    { x0: 10, y0: 10, x1: 11, y1: 11 },
  ],
  herders: [
    [
      [2, 5],
      [2, 7],
    ],
    [
      [9, 5],
      [9, 7],
    ],
  ],
})

/** A body's reaction to a question: an answer, `never`, or a fault. */
type Reaction = Json | 'never' | 'crash' | 'gone'
type Mind = (message: Message, body: number) => Reaction

function player(mind: Mind, emit: (event: PlayerEvent) => void): Player {
  return {
    ready: () => Promise.resolve(),
    ask(question, message, _limitMs, _bank, body = 0) {
      const reaction = mind(message as Message, body)
      if (reaction === 'never') return
      const fault = { kind: 'crash' as const, text: 'It fell over.' }
      if (reaction === 'crash' || reaction === 'gone')
        emit({
          type: 'fault',
          to: question,
          fault,
          gone: reaction === 'gone',
          ...(reaction === 'gone' ? {} : { body }),
        })
      else emit({ type: 'answer', to: question, value: reaction, tookMs: 0, body })
    },
    tell: () => undefined,
    withdraw: () => undefined,
    close: () => undefined,
  }
}

const steady: Mind = (message) => (message.type === 'start' ? { ready: true } : { action: 'skip' })

/** Plays some steps on the real table: the actions by step, and what the first team was told. */
async function played(mind: Mind, steps: number, moveMs = 60_000) {
  const read = game.config({ map, steps, failure: 0, profile: 'server-2008' })
  if (!read.ok) throw new Error(read.error)
  const seats = game.seats(read.value, 2)
  if (typeof seats === 'string') throw new Error(seats)
  const inputs: Input[] = []
  const told: { readonly message: Message; readonly body: number }[] = []
  const table = createTable({
    seats,
    seed: '0'.repeat(64),
    seeds: 'hmac',
    log: {
      input: (_at, _audience, input) => inputs.push(input as Input),
      fault: () => undefined,
      console: () => undefined,
    },
    seatPlayer: ({ id }, emit) => {
      const own: Mind = (message, body) => {
        told.push({ message, body })
        return mind(message, body)
      }
      return player(id === 0 ? own : steady, emit)
    },
  })
  await table.ready()
  const fold = await game.conduct(table, read.value, '0'.repeat(64), { startMs: 60_000, moveMs })
  table.close()
  return {
    actions: inputs.map((input) => input.actions[0]),
    others: inputs.map((input) => input.actions[1]),
    told,
    fold,
  }
}

const perceptions = (told: readonly { readonly message: Message; readonly body: number }[]) =>
  told.flatMap(({ message, body }) => (message.type === 'perception' ? [{ ...message, body }] : []))

test('every body is started with its team’s own corral, and asked for an action in every step', async () => {
  const { told, actions } = await played(
    (message, body) => (message.type === 'start' ? { ready: true } : { action: body === 0 ? 'east' : 'north' }),
    3,
  )
  const start = { type: 'start', opponent: 'seat 1', steps: 3, width: 12, height: 12 }
  const corral = { x0: 0, y0: 0, x1: 1, y1: 1 }
  expect(told.slice(0, 2)).toEqual([0, 1].map((body) => ({ message: { ...start, corral }, body })))
  expect(perceptions(told).map(({ step, body, x, y }) => [step, body, x, y])).toEqual([
    [0, 0, 2, 5],
    [0, 1, 2, 7],
    [1, 0, 3, 5],
    [1, 1, 2, 6],
    [2, 0, 4, 5],
    [2, 1, 2, 5],
  ])
  expect(actions).toEqual(Array(3).fill(['east', 'north']))
})

test('a body that does not answer in time skips, and the others play on', async () => {
  const slow: Mind = (message, body) => {
    if (message.type === 'start') return { ready: true }
    return body === 0 && message.step === 1 ? 'never' : { action: 'east' }
  }
  // The table gives up some time after the limit; the players report their own time-outs in matches.
  const { actions, others, told } = await played(slow, 3, 10)
  expect(actions).toEqual([
    ['east', 'east'],
    [null, 'east'],
    ['east', 'east'],
  ])
  expect(others).toEqual(Array(3).fill(['skip', 'skip']))
  expect(perceptions(told).map(({ x }: PerceptionMessage) => x)).toEqual([2, 2, 3, 3, 3, 4])
})

test('a crash costs a body its action in this step, and an answer to another question does too', async () => {
  const odd: Mind = (message, body) => {
    if (message.type === 'start') return { ready: true }
    if (body === 1) return message.step === 0 ? 'crash' : { action: 'south' }
    return message.step === 1 ? { ready: true } : { action: 'west' }
  }
  expect((await played(odd, 3)).actions).toEqual([
    ['west', null],
    [null, 'south'],
    ['west', 'south'],
  ])
})

test('a team whose program has ended skips to the end, and its score stands', async () => {
  const dying: Mind = (message, body) => {
    if (message.type === 'start') return { ready: true }
    return message.step === 1 && body === 0 ? 'gone' : { action: 'east' }
  }
  const { actions, others, told, fold } = await played(dying, 4)
  expect(actions.slice(2)).toEqual(Array(2).fill([null, null]))
  expect(others).toEqual(Array(4).fill(['skip', 'skip']))
  expect(perceptions(told).some(({ step }) => step > 1)).toBe(false)
  expect(fold.outcome()!.places.map(({ rank, removed }) => [rank, removed])).toEqual([
    [1, false],
    [1, false],
  ])
})

test('a body that fails at the start is asked in every step all the same', async () => {
  const late: Mind = (message, body) => {
    if (message.type === 'start') return body === 0 ? 'crash' : { ready: true }
    return { action: 'east' }
  }
  expect((await played(late, 2)).actions).toEqual(Array(2).fill(['east', 'east']))
})
