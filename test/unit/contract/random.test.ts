import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { drawNext, randomState, randomStream, type RandomState } from '../../../main/contract/random.ts'

const seed = hash('sha256', 'Brescia, 1512')

test('a stream that is a value gives the numbers of the stream, also when it is saved and loaded between them', () => {
  const stream = randomStream(seed)
  let state = randomState(seed)
  for (let draw = 0; draw < 1_000; draw++) {
    const loaded = JSON.parse(JSON.stringify(state) satisfies Json) as RandomState
    const next = drawNext(loaded)
    expect(next.value).toBe(stream())
    state = next.state
  }
})

test('drawing leaves the state as it is, and the state of no hash is stuck', () => {
  const state = randomState('0'.repeat(64))
  const values = new Set<number>()
  for (let draw = 0, at = state; draw < 100; draw++) {
    const { value, state: after } = drawNext(at)
    values.add(value)
    at = after
  }
  expect(values.size).toBeGreaterThan(90)
  expect(state).toEqual(randomState('0'.repeat(64)))
  expect(drawNext(state)).toEqual(drawNext(state))
})
