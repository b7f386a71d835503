import type { Limits } from '../contract/limits.ts'

/** The printed text of an agent in a match: it goes with the move in which it was printed, or with the fault that ended that move. */
export interface PrintedOutput {
  /** The body that speaks: what is printed goes with it. Absent: the first. */
  speaker: number | undefined
  /** Heard on the side; kept together with what was printed before it. */
  hear(text: string): void
  /** Takes the text since the last move, for a fault that carries it. */
  take(): string
  /** The move is over: what was heard is shown. */
  pass(): void
  /** Is shown at once. */
  show(text: string): void
}

/** Text printed between two answers is kept together up to this many characters. */
const together = 65_536

/** `show` is given what still fits into the room, never nothing. */
export function printedOf(room: ConsoleRoom, show: (text: string, speaker?: number) => void): PrintedOutput {
  let heard = ''
  const printed: PrintedOutput = {
    speaker: undefined,
    hear(text) {
      heard += text
      if (heard.length >= together) printed.pass()
    },
    take() {
      const text = heard
      heard = ''
      return text
    },
    pass() {
      const text = printed.take()
      if (text !== '') printed.show(text)
    },
    show(text) {
      const kept = room.take(text)
      if (kept !== '') show(kept, printed.speaker)
    },
  }
  return printed
}

/** A bound on the printed text of a match that is kept. */
export interface ConsoleRoom {
  /** The part of a text that still fits, perhaps empty; behind the part that does not, a word says so, once. */
  take(text: string): string
}

/** Room for `most` bytes of UTF-8. */
export function consoleRoom(most: number): ConsoleRoom {
  let room = most
  return {
    take(text) {
      if (room < 0) return ''
      const bytes = Buffer.from(text.toWellFormed(), 'utf8')
      if (bytes.length <= room) {
        room -= bytes.length
        return bytes.toString('utf8')
      }
      const kept = wholeCharacters(bytes, room)
      room = -1
      return `${kept}\n[the rest of the console was dropped]\n`
    },
  }
}

/** The longest beginning within `room` bytes that ends with a whole character. */
function wholeCharacters(bytes: Buffer, room: number): string {
  let end = room
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString('utf8')
}

/**
 * The allowance of a seat in one match. Bodies with processes or connections of their own share it. Their processes are
 * counted together: see `Watched.budget`.
 */
export interface SeatBudget {
  readonly console: ConsoleRoom
}

/** The whole budget of a seat, for one match. */
export const seatBudget = ({ consoleBytes }: Pick<Limits, 'consoleBytes'>): SeatBudget => ({
  console: consoleRoom(consoleBytes),
})
