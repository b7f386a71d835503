import { expect, test } from 'vitest'
import { weigh } from '../../../main/administrator/procedures/weigh.ts'

test('counts texts and names, and one for anything', () => {
  expect(weigh({}, 100)).toEqual({ ok: true, characters: 1 })
  expect(weigh({ name: 'fior' }, 100)).toEqual({ ok: true, characters: 1 + 4 + 5 })
  expect(weigh([1, null, true, 'x'], 100)).toEqual({ ok: true, characters: 1 + 3 + 2 })
})

test.each([
  ['one long text', 'x'.repeat(101)],
  ['many short ones', Array.from({ length: 101 }, () => '')],
  ['long names', { ['x'.repeat(101)]: 1 }],
  ['a long list of holes', new Array(1e9)],
])('%s is too much', (_, input) => {
  expect(weigh(input, 100)).toEqual({ ok: false, message: 'more than 100 characters' })
})

test('depth is limited, without recursion', () => {
  let deep: unknown = 1
  for (let level = 0; level < 1_000_000; level++) deep = [deep]
  expect(weigh(deep, 1e9)).toEqual({ ok: false, message: 'more than 64 lists and objects in each other' })
})

test('a circle, which a structured clone may hold, comes to an end', () => {
  const circle: Record<string, unknown> = {}
  circle['a'] = circle
  circle['b'] = [circle, circle]
  expect(weigh(circle, 10_000).ok).toBe(false)
})
