/** The part of Electron's `powerSaveBlocker` that is used. */
interface Blocker {
  start(type: 'prevent-app-suspension'): number
  stop(id: number): unknown
}

/**
 * Keeps the machine from sleeping while contests run or the class is open to the network; the screen may go dark. The status line of the
 * window says so. A deadline of a closed class needs no machine that is awake: what it wants is done afterwards, by its own time. Returns
 * the number of the block; null: there is none.
 */
export function keepAwake(
  state: { readonly awake: number | null; readonly isOnNetwork: boolean; readonly running: readonly unknown[] },
  blocker: Blocker,
): number | null {
  const { awake, isOnNetwork, running } = state
  if (isOnNetwork || running.length > 0) return awake ?? blocker.start('prevent-app-suspension')
  if (awake !== null) blocker.stop(awake)
  return null
}
