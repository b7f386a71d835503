import { expect, test } from 'vitest'
import { inputSize } from '../../../main/administrator/procedures/service-desk.ts'

test('counts texts and names, and one for anything', () => {
  expect(inputSize({}, 100)).toEqual({ ok: true, characters: 1 })
  expect(inputSize({ name: 'fior' }, 100)).toEqual({ ok: true, characters: 1 + 4 + 5 })
  expect(inputSize([1, null, true, 'x'], 100)).toEqual({ ok: true, characters: 1 + 3 + 2 })
})

test.each([
  ['one long text', 'x'.repeat(101)],
  ['many short ones', Array.from({ length: 101 }, () => '')],
  ['long names', { ['x'.repeat(101)]: 1 }],
  ['a long list of holes', new Array(1e9)],
])('%s is too much', (_, input) => {
  expect(inputSize(input, 100)).toEqual({ ok: false, message: 'more than 100 characters' })
})

test('depth is limited, without recursion', () => {
  let deep: unknown = 1
  for (let level = 0; level < 1_000_000; level++) deep = [deep]
  expect(inputSize(deep, 1e9)).toEqual({ ok: false, message: 'lists and objects are nested more than 64 levels deep' })
})

test('a circle, which a structured clone may hold, comes to an end', () => {
  const circle: Record<string, unknown> = {}
  circle['a'] = circle
  circle['b'] = [circle, circle]
  expect(inputSize(circle, 10_000).ok).toBe(false)
})
