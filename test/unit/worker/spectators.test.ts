import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LIVE_EVENTS, type LiveFrame } from '../../../main/contract/game/live-match.ts'
import { createSpectators, type Spectators } from '../../../main/worker/spectators.ts'

let frames: LiveFrame[]
let moves = 0
let spectators: Spectators
const line = (text: string) => [{ text, rule: null }]
const move = (text = `move ${moves + 1}`): void => {
  moves += 1
  spectators.event(moves, spectators.watched ? line(text) : null)
}

beforeEach(() => {
  vi.useFakeTimers()
  frames = []
  moves = 0
  spectators = createSpectators(['one', 'two'], (frame) => frames.push(frame))
})
afterEach(() => {
  spectators.close()
  vi.useRealTimers()
})

test('nothing is made while nobody watches; who comes sees how the match stands at once', () => {
  const scene = vi.fn(() => ({ moves }))
  spectators.begin(scene)
  for (let each = 0; each < 1_000; each++) move()
  vi.advanceTimersByTime(10_000)
  expect(frames).toEqual([])
  expect(scene).not.toHaveBeenCalled()
  spectators.watch(true)
  expect(frames).toEqual([{ events: 1_000, recent: [], scene: '{"moves":1000}' }])
})

test('inputs are shown at most five times a second, the last ones too, and nothing when nothing happens', () => {
  spectators.begin(() => ({ moves }))
  spectators.watch(true)
  move()
  move()
  expect(frames).toHaveLength(1)
  vi.advanceTimersByTime(200)
  expect(frames).toHaveLength(2)
  expect(frames[1]).toEqual({
    events: 2,
    recent: [
      { number: 1, at: 1, lines: ['move 1'] },
      { number: 2, at: 2, lines: ['move 2'] },
    ],
    scene: '{"moves":2}',
  })
  for (let each = 0; each < 1_000; each++) {
    move()
    vi.advanceTimersByTime(1)
  }
  expect(frames.length).toBeLessThanOrEqual(8)
  vi.advanceTimersByTime(200)
  expect(frames.at(-1)!.events).toBe(1_002)
  const shown = frames.length
  vi.advanceTimersByTime(60_000)
  expect(frames).toHaveLength(shown)
})

test('a large scene is shown less often', () => {
  spectators.begin(() => ({ map: 'x'.repeat(3_000_000) }))
  spectators.watch(true)
  move()
  vi.advanceTimersByTime(2_900)
  expect(frames).toHaveLength(1)
  vi.advanceTimersByTime(200)
  expect(frames).toHaveLength(2)
})

test('a match that has not begun shows nothing until it has', () => {
  spectators.watch(true)
  expect(frames).toEqual([])
  spectators.begin(() => null)
  expect(frames).toEqual([{ events: 0, recent: [], scene: null }])
})

test('what agents wrote is bounded, and so are the inputs of a frame', () => {
  spectators.begin(() => null)
  spectators.watch(true)
  spectators.event(
    1,
    Array.from({ length: 80 }, () => ({ text: `${'x'.repeat(499)}\u{1F600}`, rule: null })),
  )
  vi.advanceTimersByTime(200)
  const [event] = frames.at(-1)!.recent
  expect(event!.lines).toHaveLength(50)
  // The limit does not cut a pair of surrogates in half.
  expect(event!.lines![0]).toBe(`${'x'.repeat(499)}\uFFFD`)
  for (let each = 0; each < 5_000; each++) move()
  vi.advanceTimersByTime(200)
  const { recent, events } = frames.at(-1)!
  expect(recent).toHaveLength(LIVE_EVENTS)
  expect(recent.at(-1)!.number).toBe(events)
})

test('after the last spectator has gone, or the match is over, there are no more frames', () => {
  spectators.begin(() => null)
  spectators.watch(true)
  move()
  spectators.watch(false)
  move()
  vi.advanceTimersByTime(1_000)
  expect(frames).toHaveLength(1)
  spectators.watch(true)
  // Events in the meantime were not kept.
  expect(frames.at(-1)).toEqual({ events: 2, recent: [], scene: null })
  move()
  spectators.close()
  vi.advanceTimersByTime(1_000)
  expect(frames).toHaveLength(2)
})
