import { expect } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { config as speckerConfig } from '../../../main/referees/specker/config.ts'
import { bundle, type StartMessage, type TurnMessage } from '../../../main/referees/specker/messages.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import { generator } from '../../unit/agents-specker/table.ts'
import type { Program } from './python-program.ts'

interface Player {
  turn(view: TurnMessage): unknown
}

/** A match of a program, in seat 0, with a script: who was removed and why, and whether it won. */
export async function playSpecker(
  program: Program,
  settings: Json,
  Other: new (start: StartMessage) => Player,
  seed: number,
): Promise<{ readonly faults: readonly string[]; readonly won: boolean }> {
  const random = Math.random
  Math.random = generator(seed)
  try {
    const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
    const state = rules.initial(speckerConfig.parse(settings), seats, '0'.repeat(64))
    const other = new Other(startMessage(state, 1))
    expect(await program.ask(startMessage(state, 0))).toEqual({ ready: true })
    while (state.turn !== null) {
      const seat = state.turn
      const view = turnMessage(state, seat)
      const answer = seat === 0 ? await program.ask(view) : (JSON.parse(JSON.stringify(other.turn(view))) as unknown)
      expect(rules.apply(state, { type: 'turn', seat, actions: bundle.parse(answer).actions })).toBeNull()
    }
    const [mine, theirs] = rules.outcome(state)!.places
    return { faults: state.removals.map(({ violation }) => violation.text), won: mine!.rank < theirs!.rank }
  } finally {
    program.close()
    Math.random = random
  }
}
