import { flushSync } from 'svelte'

/** Makes something that lives by effects, as a component would; `end` takes the component away. */
export function withEffects<T>(make: (effect: (run: () => void) => void) => T): { readonly value: T; end(): void } {
  let value!: T
  const end = $effect.root(() => {
    value = make((run) => {
      $effect(run)
    })
  })
  flushSync()
  return { value, end }
}
