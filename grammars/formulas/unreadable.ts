/** Thrown out of a parser that cannot go on, with the place in the text. Caught where the text is read. */
export class Unreadable extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** The text is nested beyond all reason; going on would end the stack. */
export function tooDeep(at: number): Unreadable {
  return new Unreadable(at, 'This nests too deeply or is too long; name a part of it with define or let.')
}
