import { expect, test } from 'vitest'
import type { Ticket, Tickets } from '../../../main/services/contests/engine/ticket.ts'
import { createTicketQueue } from '../../../main/services/contests/engine/ticket-queue.ts'

const ticket = (match: number, engaged?: readonly string[]): Ticket => {
  return { match, attempt: 1, seed: 'a'.repeat(64), entrants: [], ...(engaged === undefined ? {} : { engaged }) }
}
const nobody = new Set<string>()

test('of ten million tickets none is made before its turn; those that need not be played are passed over', () => {
  const made: number[] = []
  const tickets: Tickets = {
    length: 10_000_000,
    at(index) {
      made.push(index)
      return index % 3 === 0 ? undefined : ticket(index)
    },
  }
  const queue = createTicketQueue(tickets)
  expect(made).toEqual([])
  expect([1, 2, 3].map(() => queue.take(nobody)?.match)).toEqual([1, 2, 4])
  expect(made).toEqual([0, 1, 2, 3, 4])
})

test('what was put back is next, the last first, and at the end nothing is left', () => {
  const queue = createTicketQueue([0, 1, 2].map((match) => ticket(match)))
  const [first, second] = [queue.take(nobody)!, queue.take(nobody)!]
  queue.putBack(first)
  queue.putBack(second)
  expect([1, 2, 3, 4].map(() => queue.take(nobody)?.match)).toEqual([1, 0, 2, undefined])
})

test('an entrant that is engaged is skipped, however far the next one is, and is next when free', () => {
  // Pair by pair, as in a contest of ordered pairs: ann's matches fill the beginning.
  const names = ['ann', 'bob', 'carl', 'dora']
  const pairs = names.flatMap((a) => names.flatMap((b) => (a === b ? [] : [[a, b] as const])))
  const seeds = 3_000
  const tickets: Tickets = {
    length: pairs.length * seeds,
    at: (index) => ticket(index, pairs[Math.floor(index / seeds)]!),
  }
  const queue = createTicketQueue(tickets)
  const first = queue.take(nobody)!
  expect(first.engaged).toEqual(['ann', 'bob'])
  // Whoever asks again looks further.
  let second = queue.take(new Set(first.engaged))
  for (let asked = 0; second === undefined && asked < 100; asked++) second = queue.take(new Set(first.engaged))
  expect(second?.engaged?.toSorted()).toEqual(['carl', 'dora'])
  expect(queue.take(new Set(names))).toBeUndefined()
  expect(queue.take(new Set(second?.engaged))?.match).toBe(1)
  const rest: number[] = []
  for (let next = queue.take(nobody); next !== undefined; next = queue.take(nobody)) rest.push(next.match)
  const all = [first.match, second!.match, 1, ...rest]
  expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: tickets.length }, (_, index) => index))
})
