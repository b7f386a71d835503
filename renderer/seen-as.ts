import type { SeenPerson } from '../main/contract/people/caller.ts'
import { askWhoCalls } from './caller.svelte.ts'
import { sharedClient } from './connection/client.ts'
import { links } from './navigation/links.ts'
import { showFailure } from './parts/states/toasts.svelte.ts'

/** The window, which is shown anew when it is seen as somebody else: all that it holds was for the former one. */
interface Shown {
  /** Ends its subscriptions. */
  hide(): Promise<void>
  show(): void
}
let shown: Shown | null = null

/** Called once, by the window. */
export function followView(window: Shown): void {
  shown = window
}

/** Shows the class as a student, or a guest, sees it, until the page is loaded again; null: as oneself. Changes are refused meanwhile. */
export async function seeAs(person: SeenPerson | null): Promise<void> {
  const before = location.hash
  await shown?.hide()
  sharedClient().lookAs(person)
  try {
    await askWhoCalls()
  } catch (reason) {
    // The student has left the class, for example.
    sharedClient().lookAs(null)
    showFailure(reason)
  }
  // A person who has gone to another screen meanwhile stays there.
  if (location.hash === before) location.hash = links.class
  shown?.show()
}
