import type { Config } from '../config.ts'
import type { Input } from '../input.ts'
import { rules } from '../rules.ts'
import type { State } from '../state.ts'

/**
 * Applies the inputs of a history in order. `before` sees the state before each of them, numbered from 0; what it returns
 * is called after it. Throws if the rules refuse an input.
 */
export function foldInputs(
  config: Config,
  players: number,
  inputs: Iterable<Input>,
  before: (state: State, input: Input, number: number) => (() => void) | undefined,
): void {
  const seats = Array.from({ length: players }, (_, id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
  const state = rules.initial(config, seats, '0'.repeat(64))
  let number = 0
  for (const input of inputs) {
    const after = before(state, input, number)
    const refusal = rules.apply(state, input)
    if (refusal !== null) throw new Error(`input ${number} of the history was refused: ${refusal}`)
    after?.()
    number += 1
  }
}
