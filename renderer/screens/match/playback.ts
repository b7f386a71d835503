import type { OpenMatch } from '../../games/game.ts'
import type { MatchOutline } from '../../games/match-outline.ts'

/** Lines a second, or `recorded`: as fast as the match was played. */
export type Speed = number | 'recorded'

export const speeds: readonly { readonly speed: Speed; readonly label: string }[] = [
  { speed: 1, label: '1 a second' },
  { speed: 3, label: '3 a second' },
  { speed: 10, label: '10 a second' },
  { speed: 50, label: '50 a second' },
  { speed: 'recorded', label: 'as it was played' },
]

/** A time on the match clock in ms, Infinity for the last mark, and the seat concerned. */
export interface Moment {
  readonly at: number
  readonly seat: number | null
}

/** A line of an event: the event's position, and the line's number from 0. */
export interface MoveLine {
  readonly position: number
  readonly line: number
}

/** The playback of a match. A position is a number of events; rows are those of the event list, one for each line of an event. */
export interface Playback {
  /** The position asked for; it may lie beyond the events folded so far. */
  target: number
  /** The row chosen within the event; LAST: its last row; -1: its first. */
  picked: number
  playing: boolean
  speed: Speed
  /** The moment to start at, until the fold has come so far; null: reached, or replaced by a choice of the user. */
  awaited: Moment | MoveLine | null
}

/** The parts of an open match that playback depends on. */
export type PlayedMatch = Pick<
  OpenMatch,
  'positions' | 'folded' | 'reached' | 'broken' | 'rows' | 'outline' | 'marks' | 'swings' | 'viewer'
>

/** For `picked`: the last row of the event, even if it is not known yet. */
const LAST = Infinity

export function createPlayback(moment: Moment | MoveLine | null): Playback {
  return { target: 0, picked: -1, playing: false, speed: 3, awaited: moment }
}

/** The position shown: the target, or as near to it as the match has been folded. */
export function shownPosition({ target }: Playback, match: PlayedMatch): number {
  return target <= match.folded ? target : Math.min(target, match.reached)
}

/** The row shown: the one chosen within the event, else its first; -1 at the beginning. */
export function shownRow(playback: Playback, match: PlayedMatch): number {
  const { picked } = playback
  const { rows } = match
  const position = shownPosition(playback, match)
  if (position === 0) return -1
  if (picked === LAST) return (rows.first(position) || rows.length) - 1
  const chosen = picked >= 0 && picked < rows.length && rows.at(picked).index === position - 1
  return chosen ? picked : rows.first(position - 1)
}

/** Goes to a position; positions out of range are brought into it. */
export function goTo(playback: Playback, match: PlayedMatch, position: number): void {
  playback.awaited = null
  playback.picked = -1
  playback.target = Math.max(0, Math.min(match.positions, position))
}

/** Goes to a row; beyond the last one, to the next position as soon as the match has been folded so far. */
export function goToRow(playback: Playback, match: PlayedMatch, row: number): void {
  const { rows } = match
  if (row >= rows.length) return goTo(playback, match, shownPosition(playback, match) + 1)
  goTo(playback, match, row < 0 ? 0 : rows.at(row).index + 1)
  playback.picked = row
}

/** Goes to the last row of the match. */
export function goToEnd(playback: Playback, match: PlayedMatch): void {
  goTo(playback, match, match.positions)
  playback.picked = LAST
}

/**
 * Goes to the moment that is awaited, once enough of the match has been folded. Returns `event` if the moment was one of the match
 * clock, whose event is to be shown, and `none` if nothing was done.
 */
export function goToAwaited(playback: Playback, match: PlayedMatch): 'event' | 'line' | 'none' {
  const { awaited } = playback
  const { folded, outline, rows } = match
  if (awaited === null || folded === 0) return 'none'
  if ('position' in awaited) {
    if (folded < Math.min(awaited.position, match.positions) && match.broken === null) return 'none'
    const target = Math.min(awaited.position, folded)
    playback.target = target
    playback.picked = target === 0 ? -1 : rows.first(target - 1) + awaited.line
    playback.awaited = null
    return 'line'
  }
  if (folded < match.positions && match.broken === null && outline.at(folded - 1) <= awaited.at) return 'none'
  // If several events share that moment, such as an agent's output and its crash, the marked one is meant.
  const mark = markAt(outline, match.marks, awaited.at, awaited.seat)
  playback.target = mark?.position ?? positionOf(outline, awaited.at, awaited.seat)
  playback.picked = mark?.row ?? -1
  playback.awaited = null
  return 'event'
}

/** True if no row follows the one shown. */
export function atEnd(playback: Playback, match: PlayedMatch): boolean {
  return shownPosition(playback, match) >= match.positions && shownRow(playback, match) >= match.rows.length - 1
}

/** ms until the next row is due while playing. */
export function msToNextRow(playback: Playback, match: PlayedMatch): number {
  const { rows, outline } = match
  const position = shownPosition(playback, match)
  const row = shownRow(playback, match)
  const next = row + 1 < rows.length ? rows.at(row + 1).index : position
  return delayOf(playback.speed, outline.at(next) - (position === 0 ? 0 : outline.at(position - 1)))
}

/** ms until the next line is shown. `gap`: ms between the two on the match clock. No pause is longer than 3 s. */
export function delayOf(speed: Speed, gap: number): number {
  return speed === 'recorded' ? Math.max(16, Math.min(3_000, gap)) : 1_000 / speed
}

/** The row of the mark after (1) or before (-1) a row, or null. Marks are in ascending order. */
export function nextMark(marks: readonly { readonly row: number }[], row: number, way: 1 | -1): number | null {
  const rows = marks.map((mark) => mark.row).filter((each) => (way === 1 ? each > row : each < row))
  if (rows.length === 0) return null
  return rows.reduce((nearest, each) => (way === 1 ? Math.min(nearest, each) : Math.max(nearest, each)))
}

/** The mark of a seat at a moment of the match clock; at Infinity its last one. */
export function markAt<M extends { readonly position: number; readonly seat: number }>(
  outline: Pick<MatchOutline, 'at'>,
  marks: readonly M[],
  at: number,
  seat: number | null,
): M | undefined {
  const own = marks.filter((mark) => mark.seat === seat)
  return at === Infinity ? own.at(-1) : own.find((mark) => outline.at(mark.position - 1) === at)
}

/** The position after the first event of a seat at or after a moment of the match clock; without one, after the first of any seat. */
export function positionOf(
  outline: Pick<MatchOutline, 'length' | 'at' | 'seat'>,
  at: number,
  seat: number | null,
): number {
  let later: number | null = null
  for (let event = 0; event < outline.length; event++) {
    if (outline.at(event) < at) continue
    later ??= event + 1
    if (seat === null || outline.seat(event) === seat) return event + 1
  }
  return later ?? outline.length
}
