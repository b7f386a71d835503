import { tick } from 'svelte'
import { running } from '../../frame/running.svelte.ts'
import { links } from '../../navigation/links.ts'

/** A question of the first screen that is asked while the window is being drawn. */
export interface Early<Args extends readonly unknown[], Asked> {
  /** Asks now if the window begins at the first screen. `hash`: the fragment of its address. */
  ask(hash: string, ...args: Args): void
  /** Returns the question that was asked already, once, if nothing has happened since; else it asks now. */
  take(...args: Args): Asked
}

/** True for the fragments of the addresses with which a window begins at the first screen. */
export const beginsAtFirstScreen = (hash: string): boolean => ['', '#', '#/', links.class].includes(hash)

/**
 * `listen`: calls its listener when an answer is out of date, until each of the functions that it returns is called. Another address, and a contest
 * that begins or ends, make it so, too.
 */
export function early<Args extends readonly unknown[], Asked>(
  listen: (listener: () => void) => readonly (() => void)[],
  ask: (...args: Args) => Asked,
): Early<Args, Asked> {
  /** One that no screen has taken. `states`: of the running contests then. */
  let asked: { readonly value: Asked; readonly states: string | null } | null = null
  let ends: readonly (() => void)[] = []
  const stopListening = (): void => {
    for (const end of ends) end()
    ends = []
  }
  return {
    ask(hash, ...args) {
      if (!beginsAtFirstScreen(hash)) return
      const forget = (): void => void (asked = null)
      window.addEventListener('hashchange', forget, { once: true })
      stopListening()
      ends = listen(forget)
      asked = { value: ask(...args), states: running.states }
    },
    take(...args) {
      const value = asked?.states === running.states ? asked.value : ask(...args)
      asked = null
      // The screen listens from then on.
      void tick().then(stopListening)
      return value
    },
  }
}
