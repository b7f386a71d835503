import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type RunInPlay, LIVE_EVENTS, type LiveEvent } from '../../../main/contract/game/live-match.ts'
import { createLiveMatches, type LiveMatches } from '../../../main/services/matches/live-matches.ts'

let live: LiveMatches
let changes: string[]

beforeEach(() => {
  vi.useFakeTimers()
  changes = []
  live = createLiveMatches({ onChange: (topic) => changes.push(topic), onPlaying: (contest) => changes.push(contest) })
})
afterEach(() => {
  live.close()
  vi.useRealTimers()
})

const played: RunInPlay = { run: 7, match: 3, game: 'no-such-game', config: {}, entrants: ['a', 'b'] }
const event = (number: number): LiveEvent => ({ number, at: number, lines: [`event ${number}`] })

test('a match is shown while it is watched, and not after it is over', () => {
  const runs = live.runsInPlay('c-1')
  const wanted: boolean[] = []
  const leave = live.attend('c-1', 3)
  expect(live.get('c-1', 3)).toBeNull()
  runs.begun(played, (each) => wanted.push(each))
  expect(wanted).toEqual([true])
  expect(changes).toEqual(['live:c-1/3', 'c-1'])
  expect(live.get('c-1', 3)).toEqual({ run: 7, events: 0, recent: [], scene: null })
  expect(live.playing('c-1')).toMatchObject([{ match: 3 }])
  expect(live.playing('c-2')).toEqual([])

  for (let each = 1; each <= LIVE_EVENTS + 10; each++)
    runs.frame(7, { events: each, recent: [event(each)], scene: `{"at":${each}}` })
  const shown = live.get('c-1', 3)!
  expect(shown).toMatchObject({ run: 7, events: LIVE_EVENTS + 10, scene: `{"at":${LIVE_EVENTS + 10}}` })
  // Topics are told at their own pace, so a spectator may miss frames; what was in them is told again.
  expect(shown.recent.map(({ number }) => number)).toEqual(Array.from({ length: LIVE_EVENTS }, (_, at) => at + 11))

  runs.ended(7)
  expect(live.get('c-1', 3)).toBeNull()
  expect(live.facts('c-1', 3)).toBeNull()
  expect(live.playing('c-1')).toEqual([])
  runs.frame(7, { events: 1, recent: [], scene: null })
  expect(live.get('c-1', 3)).toBeNull()
  leave()
})

test('any number of spectators who come and go make a worker start and stop once', () => {
  const runs = live.runsInPlay('c-1')
  const wanted: boolean[] = []
  runs.begun(played, (each) => wanted.push(each))
  for (let each = 0; each < 10_000; each++) {
    const leave = live.attend('c-1', 3)
    leave()
    leave()
    live.attend('c-1', each + 4)()
  }
  const stays = live.attend('c-1', 3)
  vi.advanceTimersByTime(10_000)
  expect(wanted).toEqual([true])
  runs.frame(7, { events: 1, recent: [event(1)], scene: null })
  stays()
  vi.advanceTimersByTime(10_000)
  expect(wanted).toEqual([true, false])
  // A frame that was on its way is not kept for whoever comes next.
  runs.frame(7, { events: 2, recent: [event(2)], scene: null })
  expect(live.get('c-1', 3)).toEqual({ run: 7, events: 0, recent: [], scene: null })
})

test('a match that is played again is watched again, under its new run', () => {
  const runs = live.runsInPlay('c-1')
  const wanted: string[] = []
  live.attend('c-1', 3)
  runs.begun(played, (each) => wanted.push(`first ${each}`))
  runs.frame(7, { events: 1, recent: [event(1)], scene: null })
  runs.begun({ ...played, run: 8 }, (each) => wanted.push(`second ${each}`))
  runs.ended(7)
  expect(wanted).toEqual(['first true', 'second true'])
  expect(live.get('c-1', 3)).toEqual({ run: 8, events: 0, recent: [], scene: null })
  runs.frame(7, { events: 2, recent: [event(2)], scene: null })
  expect(live.get('c-1', 3)!.events).toBe(0)
})
