import type { Rules } from '../../contract/game.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { perform } from './actions.ts'
import type { Config } from './config.ts'
import { neglected } from './duties.ts'
import type { Input } from './input.ts'
import type { Action, TurnMessage } from './messages.ts'
import { removePlayer } from './removal.ts'
import { outrun, overdue, refusalOf } from './races.ts'
import { initialState, load, save, type State } from './state.ts'
import { announce, debtOf } from './trade.ts'
import type { Turn } from './turn.ts'
import { deserted, isOver, nextIsDue, passTurn } from './turns.ts'
import { publicView, turnMessage, type PublicView } from './views.ts'
import { absence, isAbsence, sentence, violationOfFault, type Breach, type Violation } from './violations.ts'

/**
 * The Specker Challenge Game, sections 4 and 5. One input a turn: the bundle of the player whose turn it is, or the fault
 * that he had instead; in the asynchronous game inputs in the order of their arrival. What a bundle breaks is found here and
 * removes the player; refused is only what is nobody's turn. Where the spec is silent:
 * - Every new offer must be new (rule 3), not only one a turn; offersMin and offersMax count new offers, not reoffers.
 * - Where all that others offer is free, nothing can be lowered: one must be accepted (rule 2).
 * - An opponent removed in the middle of a bundle (he could not pay) is no trap for its author: actions on what ended
 *   with him are passed over and count as done.
 * - A payoff that leaves a seller with exactly nothing is paid in full, and removes him for rule 7.
 * - A challenge file that cannot tell a quality voids the sale: the price goes back, as far as the seller's account stays
 *   above 0, and nobody is removed.
 * - What remains on a removed player's account after the refunds stays there and is his score.
 * - Players who do not get ready are removed together, before the first turn.
 * - When one player is left nothing can be owed: the match ends at once, in the middle of his bundle if need be.
 * - After maxTurns only players who owe something have a turn.
 */
export const rules: Rules<Config, State, Input, TurnMessage | PublicView> = {
  initial: initialState,
  apply(state, input) {
    const refusal = refusalOf(state, input)
    if (refusal !== null) return refusal
    switch (input.type) {
      case 'turn':
        takeTurn(state, input.seat, input.actions, input.seen ?? state.dropped + state.events.length)
        break
      case 'fault':
        if (input.ready === undefined) removePlayer(state, input.seat, violationOfFault(input.fault))
        else {
          removePlayer(state, input.seat, absence(input.fault, state.challenge.name))
          if (!nextIsDue(state, input.seat)) return null
        }
        break
      case 'close':
        state.round += 1
        break
      case 'overdue': {
        const deal = state.deals.get(input.challenge)!
        removePlayer(state, debtOf(deal).debtor, overdue(deal))
      }
    }
    passTurn(state)
    return null
  },
  view: (state, viewer) => (typeof viewer === 'number' ? turnMessage(state, viewer) : publicView(state)),
  save,
  load,
  outcome: (state) => (isOver(state) ? ranking(state) : null),
  removals: ({ removals }) =>
    removals.map(({ seat, round, violation }) => {
      const { rule, action, values, text } = violation
      return { seat, round, rule, action, values: { ...values }, text }
    }),
}

function takeTurn(state: State, seat: SeatId, actions: readonly Action[], seen: number): void {
  const player = state.players[seat]!
  player.told = Math.max(player.told, seen)
  const turn: Turn = { seat, offered: 0, accepted: 0, reoffered: 0, ended: new Set() }
  const found = violationIn(state, turn, actions)
  if (found !== null) removePlayer(state, seat, found)
}

/** Applies a bundle up to its first violation; what came before stands (decision 8). */
function violationIn(state: State, turn: Turn, actions: readonly Action[]): Violation | null {
  for (const [index, action] of actions.entries()) {
    const broken = perform(state, turn, action)
    if (broken !== null) {
      const found = violation(broken, index, `actions.${index} (${action.type}): `)
      if (!outrun(state, turn.seat, broken)) return found
      announce(state, { type: 'refused', seat: turn.seat, action: index, rule: found.rule, text: found.text })
    }
    // The last opponent has just been removed: the match is over and the rest of the bundle without meaning.
    if (deserted(state)) return null
  }
  const broken = state.choices.mode === 'asynchronous' ? null : neglected(state, turn)
  return broken === null ? null : violation(broken, null, 'At the end of the turn: ')
}

function violation(broken: Breach, action: number | null, place: string): Violation {
  return { ...broken, action, text: sentence(place + broken.text) }
}

/**
 * Rule 1 and decisions 8 and 11: by account among those who finished, equal accounts sharing a rank; below them the
 * removed, the last one removed first; those who were not ready for the match left at the same moment and share the last rank.
 */
function ranking({ players, removals }: State): Outcome {
  const order = removals.map(({ seat }) => seat)
  const absent = removals.filter(({ violation }) => isAbsence(violation)).length
  const reasons = new Map(removals.map(({ seat, violation }) => [seat, violation.text]))
  const finished = players.filter((player) => !player.removed)
  return {
    places: players.map(({ account, removed }, seat) => ({
      seat,
      rank: removed
        ? 1 + players.length - Math.max(absent, 1 + order.indexOf(seat))
        : 1 + finished.filter((other) => other.account > account).length,
      score: account,
      removed,
      ...(removed ? { reason: reasons.get(seat)! } : {}),
    })),
  }
}
