import { tick, untrack } from 'svelte'
import { showFailure } from '../parts/states/toasts.svelte.ts'
import { CallFailure } from './client.ts'
import { link } from './link.svelte.ts'

/** Data that a screen loads. `value` stays during a reload, so that nothing moves. */
export interface Resource<T> {
  readonly value: T | undefined
  readonly failure: CallFailure | null
  readonly loading: boolean
  reload(): void
  /** Replaces the loaded value, with one from a topic or a call. */
  set(value: T): void
}

/**
 * Loads now, when what `load` reads synchronously changes, and on reconnection. Call only during component
 * initialization.
 */
export function resource<T>(load: () => Promise<T>): Resource<T> {
  let value = $state.raw<T>()
  let failure = $state.raw<CallFailure | null>(null)
  let loading = $state(true)
  let asked = $state(0)
  let newest = 0
  const unread = showsUnread()

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
        unread.came(failure)
      },
    )
  })
  // Ignores an answer that arrives after the screen is gone.
  $effect(() => () => void (newest += 1))

  return {
    get value() {
      return value
    },
    get failure() {
      unread.read()
      return failure
    },
    get loading() {
      return loading
    },
    reload() {
      // An effect that calls `reload` must not depend on this counter.
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

/**
 * Shows a failure as a message unless the screen reads it at once to show it itself, so that nothing is refused without a
 * word. `came`: there is one; `read`: the screen reads it.
 */
export function showsUnread(): { came(failure: CallFailure): void; read(): void } {
  let isRead = false
  return {
    came(failure) {
      isRead = false
      void tick().then(() => {
        if (!isRead) reportFailure(failure)
      })
    },
    read() {
      isRead = true
    },
  }
}

/** Shows the failure of a call that nobody has asked for. The frame of the window reports a lost connection. */
export function reportFailure(reason: unknown): void {
  const failure = asFailure(reason)
  if (failure.code !== 'disconnected') showFailure(failure)
}

/** Failures of the program have their own message; anything else is a bug in this window. */
export function asFailure(reason: unknown): CallFailure {
  if (reason instanceof CallFailure) return reason
  const message = reason instanceof Error ? reason.message : String(reason)
  return new CallFailure({ code: 'host', message: `Error in this screen: ${message}` })
}
