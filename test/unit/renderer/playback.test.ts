import { expect, test } from 'vitest'
import { createRows } from '../../../renderer/games/event-rows.ts'
import { createOutline } from '../../../renderer/games/match-outline.ts'
import {
  atEnd,
  createPlayback,
  goTo,
  goToAwaited,
  goToEnd,
  goToRow,
  msToNextRow,
  shownPosition,
  shownRow,
  type PlayedMatch,
} from '../../../renderer/screens/match/playback.ts'

/** A match of four events at 0, 100, 100 and 300 ms, the second with three lines, of which `folded` have been read. */
function match(folded: number, changes: Partial<PlayedMatch> = {}): PlayedMatch {
  const lines = [1, 3, 1, 1]
  const times = [0, 100, 100, 300]
  const rows = createRows()
  rows.grow(folded, (event) => lines[event]!)
  const outline = {
    ...createOutline(4, 2, 'public'),
    length: folded,
    at: (event: number) => times[event]!,
    seat: (event: number) => event % 2,
  }
  const read = { folded, reached: folded, broken: null, rows, outline }
  return { positions: 4, marks: [], swings: [], viewer: 'public', ...read, ...changes }
}
const shown = (playback: ReturnType<typeof createPlayback>, open: PlayedMatch): readonly [number, number] => [
  shownPosition(playback, open),
  shownRow(playback, open),
]

test('a row within an event is kept; behind the last row known comes the next position, once it has been read', () => {
  const playback = createPlayback(null)
  expect(shown(playback, match(2))).toEqual([0, -1])
  goToRow(playback, match(2), 2)
  expect(shown(playback, match(2))).toEqual([2, 2])
  goToRow(playback, match(2), 4)
  expect(shown(playback, match(2))).toEqual([2, 1])
  expect(shown(playback, match(4))).toEqual([3, 4])
  goToRow(playback, match(4), -1)
  expect(shown(playback, match(4))).toEqual([0, -1])
})

test('positions beyond either end are brought into the match', () => {
  const playback = createPlayback(null)
  goTo(playback, match(4), 9)
  expect(shown(playback, match(4))).toEqual([4, 5])
  expect(atEnd(playback, match(4))).toBe(true)
  goTo(playback, match(4), -3)
  expect(shown(playback, match(4))).toEqual([0, -1])
  expect(atEnd(playback, match(4))).toBe(false)
})

test('the end is the last row of the last event, whichever that will be', () => {
  const two = { positions: 2 }
  const playback = createPlayback(null)
  goToEnd(playback, match(1, two))
  expect(shown(playback, match(1, two))).toEqual([1, 0])
  expect(shown(playback, match(2, two))).toEqual([2, 3])
})

test('a moment is gone to only once the events up to it have been read, and only once', () => {
  const playback = createPlayback({ at: 100, seat: 0 })
  expect(goToAwaited(playback, match(2))).toBe('none')
  expect(goToAwaited(playback, match(4))).toBe('event')
  expect(shown(playback, match(4))).toEqual([3, 4])
  expect(goToAwaited(playback, match(4))).toBe('none')
})

test('of events at one time the marked one is meant; of a broken match, its last', () => {
  const marked = createPlayback({ at: 100, seat: 1 })
  goToAwaited(marked, match(4, { marks: [{ position: 2, row: 3, seat: 1, kind: 'fault' }] }))
  expect(shown(marked, match(4))).toEqual([2, 3])
  const late = createPlayback({ position: 4, line: 0 })
  expect(goToAwaited(late, match(2))).toBe('none')
  expect(goToAwaited(late, match(2, { broken: 'torn' }))).toBe('line')
  expect(shown(late, match(2))).toEqual([2, 1])
})

test('a choice of the user replaces a moment that is awaited', () => {
  const playback = createPlayback({ position: 3, line: 0 })
  goTo(playback, match(1), 1)
  expect(goToAwaited(playback, match(4))).toBe('none')
})

test('as fast as it was played: the time to the next event, none between lines of one', () => {
  const playback = createPlayback(null)
  playback.speed = 'recorded'
  goTo(playback, match(4), 1)
  expect(msToNextRow(playback, match(4))).toBe(100)
  goToRow(playback, match(4), 1)
  expect(msToNextRow(playback, match(4))).toBe(16)
  goTo(playback, match(4), 3)
  expect(msToNextRow(playback, match(4))).toBe(200)
})
