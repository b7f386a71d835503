import type { Identity } from './identity.ts'

/** Where players of one arena wait for a partner. */
export interface WaitingRoom<P> {
  /** The partner who has waited longest and is somebody else; null: there is none, and the player waits now. */
  enter(player: P): P | null
  /** Nothing where the player does not wait. */
  leave(player: P): void
}

export function createWaitingRoom<P extends { readonly identity: Identity }>(): WaitingRoom<P> {
  // All who wait are the same person: two different ones would have been paired at once. Sets keep their order.
  const waiting = new Set<P>()
  return {
    enter(player) {
      for (const partner of waiting) {
        if (partner.identity === player.identity) break
        waiting.delete(partner)
        return partner
      }
      waiting.add(player)
      return null
    },
    leave: (player) => void waiting.delete(player),
  }
}
