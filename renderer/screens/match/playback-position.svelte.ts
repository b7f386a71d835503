import type { OpenMatch } from '../../games/game.ts'
import { knownSwings } from '../../games/swings.ts'
import { delayOf, markAt, nextMark, positionOf, type Speed } from './playback.ts'

/** ms on the match clock, Infinity for the last mark, and the seat that it is about. */
export interface Moment {
  readonly at: number
  readonly seat: number | null
}

/** A line of an event: its position, and which of its lines, from 0. */
export interface MoveLine {
  readonly position: number
  readonly line: number
}

/** Where in a match one is, and how one gets elsewhere. Positions count events. */
export interface PlaybackPosition {
  /** Where one wants to be, as far on the way there as the match has been folded. */
  readonly position: number
  /** The row of the event list: the one that was chosen within the event, else its first; -1: the beginning. */
  readonly row: number
  readonly playing: boolean
  speed: Speed
  /** Goes to a position and stops there. */
  seek(to: number): void
  /** To the next line (1) or the one before (-1), and stops there. */
  step(way: 1 | -1): void
  /** To the last line that can be looked at, and stops there. */
  end(): void
  pick(row: number): void
  /** To the next mark (1) or the one before (-1), where there is one. */
  mark(way: 1 | -1): void
  /** As `mark`, to the next of the largest swings. */
  swing(way: 1 | -1): void
  /** Plays on, from the beginning where the end is reached; or pauses. */
  play(): void
}

/** Instead of a chosen row: the last one of the event, whichever that will be. */
const LAST = Infinity

/**
 * Made while a component is set up. `moment`: where to begin, gone to once the fold has come so far. `onlook`: an event itself
 * is to be looked at, not just gone past.
 */
export function createPlaybackPosition(
  match: () => OpenMatch | null,
  moment: Moment | MoveLine | null,
  onlook: () => void,
): PlaybackPosition {
  let target = $state(0)
  let picked = $state(-1)
  let playing = $state(false)
  let speed = $state<Speed>(3)
  let awaited = $state.raw(moment)

  const positions = $derived(match()?.positions ?? 0)
  const position = $derived.by(() => {
    const open = match()
    if (open === null) return 0
    return target <= open.folded ? target : Math.min(target, open.reached)
  })
  const row = $derived.by(() => {
    const open = match()
    if (open === null || position === 0) return -1
    const { rows } = open
    if (picked === LAST) return (rows.first(position) || rows.length) - 1
    const chosen = picked >= 0 && picked < rows.length && rows.at(picked).index === position - 1
    return chosen ? picked : rows.first(position - 1)
  })

  function go(to: number): void {
    awaited = null
    picked = -1
    target = Math.max(0, Math.min(positions, to))
  }
  function seek(to: number): void {
    playing = false
    go(to)
  }
  /** To a row; behind the last one to the next position, as soon as the match has been folded so far. */
  function goToRow(to: number): void {
    const rows = match()?.rows
    if (rows === undefined || to >= rows.length) return go(position + 1)
    go(to < 0 ? 0 : rows.at(to).index + 1)
    picked = to
  }

  function lookAt(to: number | null): void {
    if (to === null) return
    playing = false
    goToRow(to)
    onlook()
  }

  $effect(() => {
    const open = match()
    if (awaited === null || open === null || open.folded === 0) return
    const { outline, rows } = open
    if ('position' in awaited) {
      const { position: wanted, line } = awaited
      if (open.folded < Math.min(wanted, positions) && open.broken === null) return
      target = Math.min(wanted, open.folded)
      picked = target === 0 ? -1 : rows.first(target - 1) + line
      awaited = null
      return
    }
    if (open.folded < positions && open.broken === null && outline.at(open.folded - 1) <= awaited.at) return
    // Of several events at the very moment, such as what an agent printed and that it crashed, a marked one is meant.
    const mark = markAt(outline, open.marks, awaited.at, awaited.seat)
    target = mark?.position ?? positionOf(outline, awaited.at, awaited.seat)
    picked = mark?.row ?? -1
    awaited = null
    onlook()
  })
  $effect(() => {
    const open = match()
    if (!playing || open === null) return
    if (atEnd(open) || open.broken !== null) {
      playing = false
      return
    }
    const timer = setTimeout(() => goToRow(row + 1), delayOf(speed, gapBehind(open)))
    return () => clearTimeout(timer)
  })

  /** Nothing follows the row that is looked at. */
  const atEnd = ({ rows }: OpenMatch): boolean => position >= positions && row >= rows.length - 1

  /** ms on the match clock from this row to the next one. */
  function gapBehind({ rows, outline }: OpenMatch): number {
    const next = row + 1 < rows.length ? rows.at(row + 1).index : position
    return outline.at(next) - (position === 0 ? 0 : outline.at(position - 1))
  }

  return {
    get position() {
      return position
    },
    get row() {
      return row
    },
    get playing() {
      return playing
    },
    get speed() {
      return speed
    },
    set speed(to) {
      speed = to
    },
    seek,
    step(way) {
      playing = false
      goToRow(row + way)
    },
    end() {
      playing = false
      go(positions)
      picked = LAST
    },
    pick(to) {
      const rows = match()?.rows
      if (rows === undefined || to < 0 || to >= rows.length) return
      playing = false
      goToRow(to)
      onlook()
    },
    mark(way) {
      lookAt(nextMark(match()?.marks ?? [], row, way))
    },
    swing(way) {
      const open = match()
      lookAt(nextMark(open === null ? [] : knownSwings(open, position), row, way))
    },
    play() {
      const open = match()
      if (!playing && open !== null && atEnd(open)) go(0)
      playing = !playing
    },
  }
}
