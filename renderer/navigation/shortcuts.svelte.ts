import { untrack } from 'svelte'

/** An action for a shortcut and the palette. */
export interface Verb {
  /** The action: `Run a new contest`. */
  readonly label: string
  /** Other names, for the palette. */
  readonly also?: string
  /** Keys in order, as `KeyboardEvent.key` names them: `['g', 'a']`; empty: only in the palette. */
  readonly keys: readonly string[]
  run(): void
}

let offered = $state.raw<readonly (readonly Verb[])[]>([])

let letters = $state(true)

/** Keys that other programs, such as speech input, may type by mistake: letters, digits and signs, and no others. */
export const letterKeys = {
  get on(): boolean {
    return letters
  },
  set on(to) {
    letters = to
  },
}

/** True if the verb's keys work now. */
export function hasKeys({ keys }: Verb): boolean {
  return keys.length > 0 && (letters || keys.every((key) => key === ' ' || Array.from(key).length > 1))
}

/** All currently available verbs. */
export const verbs = {
  get now(): readonly Verb[] {
    return offered.flat()
  },
}

/** Offers verbs until the returned function is called: `$effect(() => offer([...]))`. */
export function offer(some: readonly Verb[]): () => void {
  // An effect that offers verbs must not depend on those of others.
  offered = [...untrack(() => offered), some]
  return () => {
    offered = untrack(() => offered).filter((each) => each !== some)
  }
}

/** Handles shortcut keys, except while typing into a control. Returns the function to stop. */
export function listenForKeys(target: Window): () => void {
  let typed: readonly string[] = []
  let at = 0

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.composedPath()[0] ?? null)) return
    // The first key of a pair is forgotten after 1.5 s.
    const before = event.timeStamp - at < 1_500 ? typed : []
    typed = [...before, event.key].slice(-2)
    at = event.timeStamp
    const verb = verbs.now.find(
      (each) => hasKeys(each) && each.keys.join(' ') === typed.slice(-each.keys.length).join(' '),
    )
    if (verb === undefined) return
    typed = []
    event.preventDefault()
    verb.run()
  }

  target.addEventListener('keydown', press)
  return () => target.removeEventListener('keydown', press)
}

/** The innermost target, also within a shadow tree. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('[role="dialog"][aria-modal="true"]') !== null) return true
  return target.matches('textarea, select, input:not([type="checkbox"], [type="radio"], [type="range"])')
}
