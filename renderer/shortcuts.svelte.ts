import { untrack } from 'svelte'

/** Something that a key or the palette can do. */
export interface Verb {
  /** What it does: `Run a new contest`. */
  readonly label: string
  /** Keys in order, as `KeyboardEvent.key` names them: `['g', 'a']`; empty: only in the palette. */
  readonly keys: readonly string[]
  run(): void
}

let offered = $state.raw<readonly (readonly Verb[])[]>([])

/** All verbs that can be done now. */
export const verbs = {
  get now(): readonly Verb[] {
    return offered.flat()
  },
}

/** Offers verbs until the function that comes back is called: `$effect(() => offer([...]))`. */
export function offer(some: readonly Verb[]): () => void {
  // Whoever offers does not depend on what others offer.
  offered = [...untrack(() => offered), some]
  return () => {
    offered = untrack(() => offered).filter((each) => each !== some)
  }
}

/** Does what a key asks for. Keys that are typed into something are left alone. Returns how to stop. */
export function listenForKeys(target: Window): () => void {
  let typed: readonly string[] = []
  let at = 0

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.composedPath()[0] ?? null)) return
    // A second and a half after the first key of a pair, it is forgotten.
    const before = event.timeStamp - at < 1_500 ? typed : []
    typed = [...before, event.key].slice(-2)
    at = event.timeStamp
    const verb = verbs.now.find(({ keys }) => keys.length > 0 && keys.join(' ') === typed.slice(-keys.length).join(' '))
    if (verb === undefined) return
    typed = []
    event.preventDefault()
    verb.run()
  }

  target.addEventListener('keydown', press)
  return () => target.removeEventListener('keydown', press)
}

/** `target` is within a shadow tree where what is typed into is. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('[role="dialog"][aria-modal="true"]') !== null) return true
  return target.matches('textarea, select, input:not([type="checkbox"], [type="radio"], [type="range"])')
}
