import { expect, test } from 'vitest'
import type { Fault } from '../../../main/contract/faults.ts'
import type { Post, Seat } from '../../../main/contract/game/table.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { LimitAllowance } from '../../../main/contract/limits.ts'
import type { Player, PlayerEvent, TimeBank } from '../../../main/contract/players/player.ts'
import { createTable, HostFault, Interrupted, type OpenTable } from '../../../main/worker/table.ts'
import { failure } from '../../refusal.ts'

const SEATS: readonly Seat[] = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
const FIRST: Post = { seat: 0, body: 0 }
const SECOND: Post = { seat: 1, body: 0 }
const CRASH: Fault = { kind: 'crash', text: 'It fell over.' }

/** A table whose players do nothing by themselves: the test speaks for them. */
function quietTable(early: readonly PlayerEvent[] = [], allowance: LimitAllowance = {}, seats = SEATS) {
  const written: string[] = []
  const asked: [number, number, Json][] = []
  const closed: number[] = []
  const banks: (TimeBank | undefined)[] = []
  const speak: ((event: PlayerEvent) => void)[] = []
  const table: OpenTable = createTable({
    seats,
    seed: 'ab'.repeat(32),
    seeds: 'hmac',
    allowance,
    log: {
      input: (_, audience, input) => written.push(`input ${JSON.stringify(audience)} ${JSON.stringify(input)}`),
      fault: (_, post, question, fault) => written.push(`fault ${String(post.seat)} ${String(question)} ${fault.kind}`),
      console: (_, post, text) => written.push(`console ${String(post.seat)} ${text}`),
    },
    seatPlayer({ id }, emit): Player {
      speak[id] = emit
      if (id === 0) early.forEach(emit)
      return {
        ready: () => Promise.resolve(),
        ask(question, message, _limitMs, bank) {
          asked.push([id, question, message])
          banks.push(bank)
        },
        tell: () => undefined,
        withdraw: () => undefined,
        close: () => closed.push(id),
      }
    },
  })
  return { table, written, asked, closed, banks, speak: (seat: number, event: PlayerEvent) => speak[seat]!(event) }
}

const ask = (table: OpenTable, post: Post): number => table.ask({ post, message: 'well?', limitMs: 1000 })

test('an answer goes to the question that it names; what nobody waits for any more is late', async () => {
  const { table, speak } = quietTable()
  const first = ask(table, FIRST)
  table.withdraw(first)
  const second = ask(table, FIRST)
  speak(0, { type: 'answer', to: first, value: 'old', tookMs: 5 })
  speak(0, { type: 'answer', to: second, value: 'new', tookMs: 1 })
  speak(0, { type: 'answer', to: second, value: 'twice', tookMs: 1 })
  expect(await table.next(Infinity)).toMatchObject({ type: 'answer', to: first, late: true, value: 'old' })
  expect(await table.next(Infinity)).toMatchObject({ type: 'answer', to: second, late: false, value: 'new' })
  expect(await table.next(Infinity)).toMatchObject({ type: 'answer', to: second, late: true, value: 'twice' })
})

test('a post that owes an answer cannot be asked again, a dismissed one not at all', () => {
  const { table } = quietTable()
  ask(table, FIRST)
  expect(() => ask(table, FIRST)).toThrow(failure('post 0.0', 'owes'))
  ask(table, SECOND)
  table.dismiss(1)
  expect(() => ask(table, SECOND)).toThrow(failure('post 1.0', 'dismissed'))
  expect(() => ask(table, { seat: 0, body: 1 })).toThrow(failure('no', 'post 0.1'))
})

test('arrivals keep their order across posts, and `time` comes when none does', async () => {
  const { table, speak } = quietTable()
  await table.ready()
  const a = ask(table, FIRST)
  const b = ask(table, SECOND)
  speak(1, { type: 'said', value: 'hello' })
  speak(1, { type: 'answer', to: b, value: 2, tookMs: 0 })
  speak(0, { type: 'answer', to: a, value: 1, tookMs: 0 })
  const seen = [await table.next(Infinity), await table.next(Infinity), await table.next(Infinity)]
  expect(seen.map((arrival) => (arrival === 'time' ? arrival : [arrival.post.seat, arrival.type]))).toEqual([
    [1, 'said'],
    [1, 'answer'],
    [0, 'answer'],
  ])
  expect(await table.next(table.now() + 5)).toBe('time')
})

test('a deadline may be farther off than any timer', async () => {
  const { table, speak } = quietTable()
  await table.ready()
  const next = table.next(table.now() + 2 ** 33)
  await new Promise((resolve) => setTimeout(resolve, 5))
  speak(0, { type: 'said', value: 'late' })
  expect(await next).toMatchObject({ type: 'said', value: 'late' })
})

test('a fault is written down, settles its question, and a post that is gone answers every later question with it', async () => {
  const { table, speak, written, asked } = quietTable()
  const question = ask(table, FIRST)
  speak(0, { type: 'fault', fault: CRASH, gone: true })
  expect(await table.next(Infinity)).toMatchObject({ type: 'fault', to: question, gone: true })
  const next = ask(table, FIRST)
  expect(await table.next(Infinity)).toMatchObject({ type: 'fault', to: next, gone: true, fault: CRASH })
  expect(asked).toHaveLength(1)
  expect(written).toEqual([`fault 0 ${String(question)} crash`])
})

test('what a player emits while it is being seated is not lost', async () => {
  const { table } = quietTable([{ type: 'fault', fault: CRASH, gone: true }])
  expect(await table.next(Infinity)).toMatchObject({ at: 0, post: FIRST, type: 'fault', to: null })
})

test('nothing arrives from a dismissed seat, not even what was already there; its console is still kept', async () => {
  const { table, speak, closed, written } = quietTable()
  speak(0, { type: 'said', value: 'unread' })
  table.dismiss(0)
  table.dismiss(0)
  speak(0, { type: 'said', value: 'too late' })
  speak(0, { type: 'console', text: 'bye' })
  speak(1, { type: 'said', value: 'me' })
  expect(await table.next(Infinity)).toMatchObject({ post: SECOND, value: 'me' })
  expect(closed).toEqual([0])
  expect(written).toEqual(['console 0 bye'])
})

test('a host fault and an outside kill end the match, pending and later reads alike', async () => {
  const host = quietTable()
  const pending = host.table.next(Infinity)
  host.speak(1, { type: 'fault', fault: { kind: 'host', text: 'The machine stood still.' }, gone: false })
  await expect(pending).rejects.toThrow(HostFault)
  await expect(host.table.next(Infinity)).rejects.toThrow('The machine stood still.')
  expect(host.written).toEqual([])
  const killed = quietTable()
  killed.speak(0, { type: 'interrupted', reason: 'killed' })
  await expect(killed.table.next(Infinity)).rejects.toThrow(Interrupted)
})

test('random streams depend on seed and name alone', () => {
  const one = quietTable().table
  const other = quietTable().table
  const drawn = (next: () => number): number[] => Array.from({ length: 4 }, () => next())
  expect(drawn(one.random('deal'))).toEqual(drawn(other.random('deal')))
  expect(drawn(one.random('deal'))).not.toEqual(drawn(one.random('other')))
  expect(drawn(one.random('deal')).every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32)).toBe(true)
})

test('a seat has one time bank for the match; what begins its work does not draw on it', () => {
  const { table, banks } = quietTable([], { bankMs: 500, strikes: 2 })
  const start = table.ask({ post: FIRST, message: 'ready?', limitMs: 1000, start: true })
  table.withdraw(start)
  const first = ask(table, FIRST)
  table.withdraw(first)
  ask(table, FIRST)
  ask(table, SECOND)
  expect(banks).toEqual([undefined, ...[1, 2, 3].map(() => ({ bankMs: 500, strikes: 2, leftMs: 500, struck: 0 }))])
  expect(banks[1]).toBe(banks[2])
  expect(banks[1]).not.toBe(banks[3])
})

test('without an allowance there is no bank', () => {
  const { table, banks } = quietTable()
  ask(table, FIRST)
  expect(banks).toEqual([undefined])
})

test('a strike is written down; the referee is not told, and goes on waiting for the answer', async () => {
  const { table, written, speak } = quietTable([], { strikes: 1 })
  const question = ask(table, FIRST)
  speak(0, { type: 'strike', to: question, fault: { kind: 'timeout', text: 'Strike 1 of 1.' } })
  speak(0, { type: 'answer', to: question, value: 'at last', tookMs: 1500 })
  expect(written).toEqual([`fault 0 ${question} timeout`])
  expect(await table.next(Infinity)).toMatchObject({ type: 'answer', to: question, late: false, value: 'at last' })
})

test('the bodies of a seat are asked at the same time; what ends their player ends it for all of them', async () => {
  const { table, written, speak, closed } = quietTable(
    [],
    {},
    SEATS.map((seat) => ({ ...seat, bodies: 3 })),
  )
  const [a, b, c] = [0, 1, 2].map((body) => ask(table, { seat: 0, body }))
  speak(0, { type: 'answer', to: c!, value: 'third', tookMs: 1, body: 2 })
  expect(await table.next(Infinity)).toMatchObject({ post: { seat: 0, body: 2 }, to: c, late: false })
  speak(0, { type: 'fault', to: b!, fault: CRASH, gone: false, body: 1 })
  expect(await table.next(Infinity)).toMatchObject({ post: { seat: 0, body: 1 }, to: b, gone: false })
  speak(0, { type: 'fault', fault: CRASH, gone: true })
  expect(await table.next(Infinity)).toMatchObject({ post: { seat: 0, body: 0 }, to: a, gone: true })
  expect(await table.next(Infinity)).toMatchObject({ post: { seat: 0, body: 1 }, to: null, gone: true })
  expect(await table.next(Infinity)).toMatchObject({ post: { seat: 0, body: 2 }, to: null, gone: true })
  // Written down for who owed an answer, not once a body.
  expect(written).toEqual([`fault 0 ${String(b)} crash`, `fault 0 ${String(a)} crash`])
  const later = ask(table, { seat: 0, body: 2 })
  expect(await table.next(Infinity)).toMatchObject({ post: { body: 2 }, to: later, gone: true })
  // If each body has a connection of its own, one that is gone leaves the others.
  speak(1, { type: 'fault', fault: CRASH, gone: true, body: 1 })
  expect(await table.next(Infinity)).toMatchObject({ post: { seat: 1, body: 1 }, gone: true })
  ask(table, { seat: 1, body: 0 })
  expect(await table.next(0)).toBe('time')
  table.dismiss(1)
  expect(closed).toEqual([1])
})
