import { askWhoCalls } from '../caller.svelte.ts'
import { sharedClient } from '../connection/client.ts'

/**
 * Follows a topic that not everybody may follow, once it is known who is at the window; called once, by the window. `begin`: subscribes and returns
 * the function to unsubscribe; null: this person may not.
 */
export function followForCaller(begin: () => (() => void) | null): () => void {
  let end: (() => void) | null = null
  let isOver = false
  const follow = async (): Promise<void> => {
    await askWhoCalls()
    if (end === null && !isOver) end = begin()
  }
  const leave = sharedClient().onLink((state) => {
    // Without a connection there is another one later, which asks again.
    if (state === 'up' && end === null) void follow().catch(() => undefined)
  })
  return () => {
    isOver = true
    leave()
    end?.()
  }
}
