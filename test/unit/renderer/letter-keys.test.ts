import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { letterKeys, listenForKeys, offer } from '../../../renderer/navigation/shortcuts.svelte.ts'

const run = vi.fn()
let ends: readonly (() => void)[] = []
beforeEach(() => {
  run.mockClear()
  const verb = (label: string, ...keys: string[]) => ({ label, keys, run: () => void run(label) })
  const some = [
    verb('new', 'n'),
    verb('go', 'g', 'a'),
    verb('help', '?'),
    verb('next', 'ArrowRight'),
    verb('play', ' '),
  ]
  ends = [listenForKeys(window), offer(some)]
})
afterEach(() => {
  letterKeys.on = true
  ends.forEach((end) => end())
})

function press(...keys: readonly string[]): readonly unknown[] {
  for (const key of keys) window.dispatchEvent(new KeyboardEvent('keydown', { key }))
  return run.mock.calls.flat()
}

test('commands have keys of single letters and signs', () => {
  expect(press('n', 'g', 'a', '?', 'ArrowRight', ' ')).toEqual(['new', 'go', 'help', 'next', 'play'])
})

test('where these are turned off, the other keys still work', () => {
  letterKeys.on = false
  expect(press('n', 'g', 'a', '?', 'ArrowRight', ' ')).toEqual(['next', 'play'])
})
