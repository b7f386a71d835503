import type { Classes } from '../../../main/contract/procedures/classes.ts'
import { may } from '../../caller.svelte.ts'
import { subscribe } from '../../connection/client.ts'

/** The classes of the window and what is being made, as the program reports them; null: the window shows one class alone, or it is not known yet. */
export function followClasses(): { readonly value: Classes | null } {
  let value = $state.raw<Classes | null>(null)
  $effect(() => (may('classes.get') ? subscribe('classes', (now) => void (value = now)) : undefined))
  return {
    get value() {
      return value
    },
  }
}
