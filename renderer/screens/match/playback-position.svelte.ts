import type { OpenMatch } from '../../games/game.ts'
import { knownSwings } from '../../games/swings.ts'
import {
  atEnd,
  createPlayback,
  goTo,
  goToAwaited,
  goToEnd,
  goToRow,
  msToNextRow,
  nextMark,
  shownPosition,
  shownRow,
  type Moment,
  type MoveLine,
  type Speed,
} from './playback.ts'

/** The place in a match and the ways to others. Positions count events. */
export interface PlaybackPosition {
  /** The position shown: the one asked for, or as near to it as the match has been folded. */
  readonly position: number
  /** The row of the event list: the one chosen within the event, else its first; -1: the beginning. */
  readonly row: number
  readonly playing: boolean
  speed: Speed
  /** Goes to a position and stops there. */
  seek(to: number): void
  /** To the next line (1) or the one before (-1), and stops there. */
  step(way: 1 | -1): void
  /** To the last line known, and stops there. */
  end(): void
  pick(row: number): void
  /** To the next mark (1) or the one before (-1), if any; in a match without marks, of the largest swings. */
  mark(way: 1 | -1): void
  /** As `mark`, to the next of the largest swings. */
  swing(way: 1 | -1): void
  /** Plays on, from the beginning if the end is reached; or pauses. */
  play(): void
}

/**
 * Playback bound to the match of a screen. Call only during component initialization. `moment`: the start, reached once the fold has
 * come so far. `onlook`: an event is to be shown by itself, not only passed.
 */
export function createPlaybackPosition(
  match: () => OpenMatch | null,
  moment: Moment | MoveLine | null,
  onlook: () => void,
): PlaybackPosition {
  const playback = $state(createPlayback(moment))
  const position = $derived.by(() => {
    const open = match()
    return open === null ? 0 : shownPosition(playback, open)
  })
  const row = $derived.by(() => {
    const open = match()
    return open === null ? -1 : shownRow(playback, open)
  })

  /** Stops, and goes elsewhere if a match is open. */
  function stopAnd(go: (open: OpenMatch) => void): void {
    const open = match()
    playback.playing = false
    if (open !== null) go(open)
  }
  function lookAt(to: number | null): void {
    if (to === null) return
    stopAnd((open) => goToRow(playback, open, to))
    onlook()
  }

  $effect(() => {
    const open = match()
    if (open !== null && goToAwaited(playback, open) === 'event') onlook()
  })
  $effect(() => {
    const open = match()
    if (!playback.playing || open === null) return
    if (atEnd(playback, open) || open.broken !== null) {
      playback.playing = false
      return
    }
    const next = row + 1
    const timer = setTimeout(() => goToRow(playback, open, next), msToNextRow(playback, open))
    return () => clearTimeout(timer)
  })

  return {
    get position() {
      return position
    },
    get row() {
      return row
    },
    get playing() {
      return playback.playing
    },
    get speed() {
      return playback.speed
    },
    set speed(to) {
      playback.speed = to
    },
    seek: (to) => stopAnd((open) => goTo(playback, open, to)),
    step: (way) => stopAnd((open) => goToRow(playback, open, row + way)),
    end: () => stopAnd((open) => goToEnd(playback, open)),
    pick(to) {
      const rows = match()?.rows
      if (rows !== undefined && to >= 0 && to < rows.length) lookAt(to)
    },
    mark(way) {
      const open = match()
      // In a match without marks, the signs on the line are those of swings.
      const marks = open === null ? [] : open.marks.length > 0 ? open.marks : knownSwings(open, position)
      lookAt(nextMark(marks, row, way))
    },
    swing(way) {
      const open = match()
      lookAt(nextMark(open === null ? [] : knownSwings(open, position), row, way))
    },
    play() {
      const open = match()
      if (!playback.playing && open !== null && atEnd(playback, open)) goTo(playback, open, 0)
      playback.playing = !playback.playing
    },
  }
}
