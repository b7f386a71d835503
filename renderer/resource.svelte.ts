import { untrack } from 'svelte'
import { CallFailure } from './client.ts'
import { link } from './link.svelte.ts'

/** Something that a screen loads. `value` stays while it is loaded again, so that nothing jumps. */
export interface Resource<T> {
  readonly value: T | undefined
  readonly failure: CallFailure | null
  readonly loading: boolean
  reload(): void
  /** Puts a value in place of the loaded one: what a topic or a call has brought. */
  set(value: T): void
}

/**
 * Loads now, when what `load` reads synchronously changes, and when the connection comes back. Only while a component is
 * being made.
 */
export function resource<T>(load: () => Promise<T>): Resource<T> {
  let value = $state.raw<T>()
  let failure = $state.raw<CallFailure | null>(null)
  let loading = $state(true)
  let asked = $state(0)
  let newest = 0

  $effect(() => {
    void asked
    void link.epoch
    const mine = ++newest
    loading = true
    load().then(
      (loaded) => {
        if (mine !== newest) return
        value = loaded
        failure = null
        loading = false
      },
      (reason: unknown) => {
        if (mine !== newest) return
        failure = asFailure(reason)
        loading = false
      },
    )
  })
  // An answer that arrives after the screen has gone is nobody's.
  $effect(() => () => void (newest += 1))

  return {
    get value() {
      return value
    },
    get failure() {
      return failure
    },
    get loading() {
      return loading
    },
    reload() {
      // An effect that reloads does not depend on how often it has.
      asked = untrack(() => asked) + 1
    },
    set(to) {
      newest += 1
      value = to
      failure = null
      loading = false
    },
  }
}

/** Failures of the program have their own words; anything else is a fault of this window. */
export function asFailure(reason: unknown): CallFailure {
  if (reason instanceof CallFailure) return reason
  const message = reason instanceof Error ? reason.message : String(reason)
  return new CallFailure({ code: 'host', message: `This screen has a fault: ${message}` })
}
