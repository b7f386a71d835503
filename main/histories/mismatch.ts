/** A fault in a line of a history, in words, and where two values differ, both of them. */
export interface Mismatch {
  readonly message: string
  /** The value that follows from the rest of the file, or from the rules of the game. */
  readonly expected?: string
  /** The value in the line. */
  readonly found?: string
}

/** The maximum number of characters of either value. */
const VALUE_MAX = 2_000

/** `expected` and `found` are shortened if they are long. */
export function mismatch(message: string, expected: string | number, found: string | number): Mismatch {
  return { message, expected: shortened(String(expected)), found: shortened(String(found)) }
}

/** The message alone, where there is nothing to compare; null stays null. */
export function asMismatch(message: string | null): Mismatch | null {
  return message === null ? null : { message }
}

function shortened(text: string): string {
  return text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX)}…`
}
