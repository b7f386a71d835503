import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  afterTurn,
  attemptsLeft,
  nextInQueue,
  queueOrder,
  type Attempt,
} from '../../../main/contract/people/attempts.ts'
import { repeats } from '../../long.ts'

const HOUR = 3_600_000
const at = (hours: number, state: Attempt['state'], isGivenBack = false): Attempt => ({
  ...{ at: hours * HOUR, state, isGivenBack },
})

test('a failed trial gives its attempt back once an hour; refused and void ones do not count', () => {
  expect(attemptsLeft([at(1, 'passed'), at(2, 'waiting')], 5)).toEqual({ used: 2, left: 3 })
  expect(attemptsLeft([at(1, 'refused'), at(2, 'void'), at(3, 'failed')], 5)).toEqual({ used: 0, left: 5 })
  // The second failure within the hour counts, the next after it does not.
  expect(attemptsLeft([at(1, 'failed'), at(1.5, 'failed'), at(2, 'failed')], 5)).toEqual({ used: 1, left: 4 })
  expect(attemptsLeft([at(1.5, 'failed'), at(1, 'failed')], 1)).toEqual({ used: 1, left: 0 })
  expect(attemptsLeft([at(1, 'passed', true)], 1)).toEqual({ used: 0, left: 1 })
  expect(attemptsLeft([at(1, 'passed')], null)).toEqual({ used: 1, left: null })
})

test('failures of any day cost all but one an hour', () => {
  const minutes = fc.array(fc.integer({ min: 0, max: 24 * 60 - 1 }), { maxLength: 60 })
  fc.assert(
    fc.property(minutes, (times) => {
      const failures = times.map((minute) => at(minute / 60, 'failed'))
      const { used } = attemptsLeft(failures, 100)
      const back = failures.length - used
      expect(back).toBeLessThanOrEqual(24)
      expect(back).toBeGreaterThanOrEqual(Math.min(1, failures.length))
    }),
    { numRuns: repeats({ short: 100, long: 5_000 }) },
  )
})

test('teams take turns, and within a team the oldest hand-in comes first, whatever arrives in between', () => {
  const arrivals = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 2 })), {
    minLength: 1,
    maxLength: 60,
  })
  fc.assert(
    fc.property(arrivals, (steps) => {
      let turns: readonly string[] = []
      let waiting: { readonly id: number; readonly team: string }[] = []
      const skipped = new Map<string, number>()
      const serve = (): void => {
        const next = nextInQueue(waiting, turns)
        if (next === null) return expect(waiting).toEqual([])
        expect(queueOrder(waiting, turns)[0]).toBe(next)
        expect(waiting.some(({ team, id }) => team === next.team && id < next.id)).toBe(false)
        waiting = waiting.filter((each) => each !== next)
        turns = afterTurn(turns, next.team)
        skipped.set(next.team, 0)
        for (const team of new Set(waiting.map((each) => each.team)))
          if (team !== next.team) skipped.set(team, (skipped.get(team) ?? 0) + 1)
        // A team waits for one turn of each other team at most.
        for (const count of skipped.values()) expect(count).toBeLessThanOrEqual(3)
      }
      for (const [id, [team, served]] of steps.entries()) {
        waiting.push({ id, team })
        for (let turn = 0; turn < served; turn++) serve()
      }
      while (waiting.length > 0) serve()
    }),
    { numRuns: repeats({ short: 150, long: 5_000 }) },
  )
})

test('a team that hands in two hundred times delays another by one turn', () => {
  const flood = Array.from({ length: 200 }, (_, id) => ({ id, team: 'a' }))
  const order = queueOrder([...flood, { id: 200, team: 'b' }], ['b', 'a'])
  expect(order.findIndex(({ team }) => team === 'b')).toBe(0)
  expect(queueOrder([...flood, { id: 200, team: 'b' }], [])[1]).toMatchObject({ team: 'b' })
})

test('the order of the queue is that of the turns as they will be taken, and a thousand that wait take no time', () => {
  const waiting = fc.uniqueArray(fc.record({ id: fc.nat(500), team: fc.constantFrom('a', 'b', 'c', 'd', 'e') }), {
    selector: ({ id }) => id,
    maxLength: 40,
  })
  const turns = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f'])
  fc.assert(
    fc.property(waiting, turns, (all, before) => {
      const order = []
      let [left, past]: [typeof all, readonly string[]] = [all, before]
      for (let next = nextInQueue(left, past); next !== null; next = nextInQueue(left, past)) {
        const taken = next
        order.push(taken)
        left = left.filter((each) => each !== taken)
        past = afterTurn(past, taken.team)
      }
      expect(queueOrder(all, before)).toEqual(order)
    }),
    { numRuns: repeats({ short: 100, long: 5_000 }) },
  )
  const many = Array.from({ length: 20_000 }, (_, id) => ({ id, team: `team ${id % 1_000}` }))
  const begun = performance.now()
  expect(queueOrder(many, [])).toHaveLength(20_000)
  expect(performance.now() - begun).toBeLessThan(2_000)
})
