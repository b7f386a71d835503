import { setImmediate as nextTurn } from 'node:timers/promises'

/** Turns of the event loop after which everything has been read that had arrived before: a whole poll, and what it put off. */
const TURNS_MIN = 4
const TURNS_MAX = 1_000

/**
 * Resolves when everything that has arrived at this process has been read, so that nobody is blamed for a time in which this process
 * stood still. `messages`: counts what is read; messages of one connection come one a turn.
 */
export async function everythingRead(messages: () => number = () => 0): Promise<void> {
  let before = -1
  for (let turn = 0; turn < TURNS_MAX && (turn < TURNS_MIN || before !== messages()); turn++) {
    before = messages()
    await nextTurn()
  }
}
