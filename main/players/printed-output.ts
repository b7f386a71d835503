import { consoleRoom } from './console-budget.ts'

/** What an agent prints in a match: it goes with the move in which it was printed, or with the fault that ended that move. */
export interface PrintedOutput {
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

/** `most`: bytes in a match. `show` is given what still fits, never nothing. */
export function printedOf(most: number, show: (text: string) => void): PrintedOutput {
  const room = consoleRoom(most)
  let heard = ''
  const printed: PrintedOutput = {
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
      if (kept !== '') show(kept)
    },
  }
  return printed
}
