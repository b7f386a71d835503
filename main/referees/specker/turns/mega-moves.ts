import type { SeatId } from '../../../contract/ids.ts'
import type { Action, Step } from '../messages.ts'
import type { State } from '../state.ts'
import { owing } from '../trading/trade.ts'
import { breach, type Breach } from '../trading/violations.ts'

/**
 * Section 4.2, the game for two players, as in chess. A mega-move White/Black: White offers; Black buys some of White's
 * offers or lowers them; White delivers what was sold; Black solves it; White reveals its secrets, if any. Steps in
 * which nothing can be done are skipped. A mega-move Black/White follows, and the two make up a round. Offers that are
 * not bought remain for sale. Every mega-move ends with nothing owed, so no completion rounds are needed (rule 10).
 */
const steps: readonly Step[] = ['offer', 'decide', 'deliver', 'solve', 'reveal']

const stepOf: Readonly<Record<Action['type'], Step>> = {
  offer: 'offer',
  accept: 'decide',
  reoffer: 'decide',
  deliver: 'deliver',
  solve: 'solve',
  reveal: 'reveal',
}

const meant: Readonly<Record<Step, string>> = {
  offer: 'challenges can be offered',
  decide: 'challenges can be accepted or reoffered',
  deliver: 'raw material can be delivered',
  solve: 'raw material can be solved',
  reveal: 'secrets can be revealed',
}

/** Refuses an action that belongs to another step. Always null outside mega-moves. */
export function outOfStep({ step }: State, { type }: Action): Breach | null {
  if (step === null || stepOf[type] === step) return null
  return breach('mega-move', { step, type }, `in this step of the mega-move only ${meant[step]}.`)
}

/** Moves on to the next step in which something can be done; false at the end of the mega-move. `white`: the seller. */
export function nextStep(state: State, white: SeatId): boolean {
  const black = 1 - white
  for (const step of steps.slice(steps.indexOf(state.step!) + 1)) {
    const seat = step === 'decide' || step === 'solve' ? black : white
    const open = step === 'decide' ? state.players[white]!.offers.size > 0 : owing(state, seat)
    if (!open) continue
    state.step = step
    state.turn = seat
    return true
  }
  return false
}
