import { ExpectedError } from '../../contract/expected-error.ts'

interface Underway {
  readonly control: AbortController
  /** Settles when it is over. */
  readonly over: Promise<null>
}

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
   * Answers a question. `request`: by which it can be stopped. If as many of this asker are being answered as may be, the oldest is
   * stopped: perhaps nobody waits for it any more. Rejects with ExpectedError 'usage' if this very request is being answered.
   */
  answer<T>(asker: Asker, request: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Stops a question of this asker; no effect if it is over. */
  stop(who: string, request: string): void
}

export function createAskers(): Askers {
  const underway = new Map<string, Map<string, Underway>>()
  return {
    async answer({ who, atATime }, request, ask) {
      const own = underway.get(who) ?? new Map<string, Underway>()
      underway.set(who, own)
      if (own.has(request))
        throw new ExpectedError('usage', 'busy', 'This question is being answered already: wait for it, or stop it.')
      const control = new AbortController()
      const { promise: over, resolve } = Promise.withResolvers<null>()
      const before = [...own.values()]
      own.set(request, { control, over })
      try {
        const tooMany = before.slice(0, Math.max(0, before.length + 1 - atATime))
        for (const each of tooMany) each.control.abort()
        for (const each of tooMany) await each.over
        if (control.signal.aborted) throw new ExpectedError('stopped', 'stopped', 'The question was stopped.')
        return await ask(control.signal)
      } finally {
        own.delete(request)
        resolve(null)
        if (own.size === 0 && underway.get(who) === own) underway.delete(who)
      }
    },
    stop: (who, request) => underway.get(who)?.get(request)?.control.abort(),
  }
}
