import type { ErrorCode } from './error-codes.ts'

/**
 * An error to show to a person. Its message is one sentence that names the thing concerned and its place; its code says the same to
 * programs.
 * - verdict: a check ran and failed
 * - usage: the request or a file is wrong
 * - conflict: the thing to change was changed by someone else in the meantime
 * - host: a problem of this machine
 * - stopped: a person stopped the operation, which has no partial result
 */
export class ExpectedError extends Error {
  override readonly name = 'ExpectedError'
  readonly kind: 'verdict' | 'usage' | 'conflict' | 'host' | 'stopped'
  readonly code: ErrorCode
  /** Lines to read below the message, such as a compiler's log: a stranger's text, at most 64 kB. */
  readonly details: string | null

  constructor(kind: ExpectedError['kind'], code: ErrorCode, message: string, details: string | null = null) {
    super(message)
    this.kind = kind
    this.code = code
    this.details = details
  }
}
