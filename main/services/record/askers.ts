import { ExpectedError } from '../../contract/expected-error.ts'

/** Somebody who asks: each has one question answered at a time. */
export interface Asker {
  /** Different for different people. */
  readonly who: string
  /** The questions that they may have answered at a time. */
  readonly atATime: number
}

/** The questions that are being answered, by who asks them. */
export interface Askers {
  /**
   * Answers a question. `request`: by which it can be stopped. Rejects with ExpectedError 'usage' if others of this asker are being
   * answered.
   */
  answer<T>(asker: Asker, request: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Stops a question of this asker; no effect if it is over. */
  stop(who: string, request: string): void
}

export function createAskers(): Askers {
  const underway = new Map<string, Map<string, AbortController>>()
  return {
    async answer({ who, atATime }, request, ask) {
      const own = underway.get(who) ?? new Map<string, AbortController>()
      if (own.size >= atATime || own.has(request))
        throw new ExpectedError(
          'usage',
          'busy',
          'Another question of yours is still being answered: wait for it, or stop it.',
        )
      underway.set(who, own)
      const control = new AbortController()
      own.set(request, control)
      try {
        return await ask(control.signal)
      } finally {
        own.delete(request)
        if (own.size === 0) underway.delete(who)
      }
    },
    stop: (who, request) => underway.get(who)?.get(request)?.abort(),
  }
}
