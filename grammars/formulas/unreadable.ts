/** Thrown by a parser that cannot continue, with the offset in the text. Caught by the function that reads the text. */
export class Unreadable extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** The error for a text that is nested so deeply that the parser could overflow the stack. */
export function tooDeep(at: number): Unreadable {
  return new Unreadable(at, 'This nests too deeply or is too long; name a part of it with define or let.')
}
