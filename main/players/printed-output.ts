import type { ConsoleRoom } from './console-budget.ts'

/** What an agent prints in a match: it goes with the move in which it was printed, or with the fault that ended that move. */
export interface PrintedOutput {
  /** The body that speaks: what is printed goes with it. Absent: the first. */
  speaker: number | undefined
  /** Heard on the side; kept together with what was printed before it. */
  hear(text: string): void
  /** What was heard since the last move, for a fault that carries it. */
  take(): string
  /** The move is over: what was heard is shown. */
  pass(): void
  /** Is shown at once. */
  show(text: string): void
}

/** What is printed between two answers is kept together up to so many characters. */
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
