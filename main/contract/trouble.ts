/**
 * Something that a person must be told, in one clear sentence that names the thing and the place.
 * verdict: the thing was examined and failed. usage: the request or a file is wrong. host: the machine is in the way.
 */
export class Trouble extends Error {
  override readonly name = 'Trouble'
  readonly kind: 'verdict' | 'usage' | 'host'

  constructor(kind: 'verdict' | 'usage' | 'host', message: string) {
    super(message)
    this.kind = kind
  }
}
