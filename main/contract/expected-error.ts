/**
 * Something that a person must be told, in one clear sentence that names the thing and the place.
 * verdict: the thing was examined and failed. usage: the request or a file is wrong. host: the machine is in the way.
 * conflict: what is to be changed is not any more what it was when the change began. stopped: a person has stopped what can only be had whole.
 */
export class ExpectedError extends Error {
  override readonly name = 'ExpectedError'
  readonly kind: 'verdict' | 'usage' | 'conflict' | 'host' | 'stopped'

  constructor(kind: ExpectedError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
