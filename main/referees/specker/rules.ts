import type { Rules } from '../../contract/game/game.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Outcome } from '../../contract/game/outcome.ts'
import { perform } from './trading/actions.ts'
import type { Config } from './config.ts'
import { excused, neglected } from './turns/duties.ts'
import type { Input } from './input.ts'
import type { Action, TurnMessage } from './messages.ts'
import { removePlayer } from './trading/removal.ts'
import { wasOvertaken, overdue, refusalOf } from './turns/races.ts'
import { initialState, load, save, type State } from './state.ts'
import { announce, debtOf } from './trading/trade.ts'
import type { Turn } from './trading/turn.ts'
import { onePlayerLeft, isOver, nextIsDue, passTurn } from './turns/turns.ts'
import { publicView, turnMessage, type PublicView } from './referee/views.ts'
import { absence, isAbsence, sentence, violationOfFault, type Breach, type Violation } from './trading/violations.ts'

/**
 * The Specker Challenge Game, sections 4 and 5. One input per turn: the bundle of the player on turn, or the fault that
 * replaced it; in asynchronous games, inputs in the order of arrival. Violations in a bundle are found here and remove
 * the player; only inputs out of turn are refused. Decisions where the spec is silent:
 * - Every new offer must be new (rule 3), not only one per turn; offersMin and offersMax count new offers, not
 *   reoffers.
 * - If all offers of the others are free, none can be lowered: one must be accepted (rule 2).
 * - The removal of an opponent in the middle of a bundle (it could not pay) does not harm the bundle's author: actions
 *   on challenges that ended with it are skipped and count as done.
 * - A payoff that leaves a seller with exactly nothing is paid in full and removes the seller by rule 7.
 * - A challenge file that cannot rate any solution voids the sale: the price is refunded as far as the seller's account
 *   stays above 0, and nobody is removed. Players answer for values of their own that cannot be judged (decision 19).
 * - What remains on a removed player's account after the refunds stays there and is its score.
 * - Players that do not get ready are removed together, before the first turn.
 * - When one player is left nothing can be owed: the match ends at once, even in the middle of its bundle.
 * - After maxTurns only players that owe something have a turn.
 */
export const rules: Rules<Config, State, Input, TurnMessage | PublicView> = {
  initial: initialState,
  apply(state, input) {
    const refusal = refusalOf(state, input)
    if (refusal !== null) return refusal
    state.found = []
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
        if (!excused(state, deal)) removePlayer(state, debtOf(deal).debtor, overdue(deal))
      }
    }
    passTurn(state)
    return null
  },
  view: (state, viewer) => (typeof viewer === 'number' ? turnMessage(state, viewer) : publicView(state)),
  save,
  load,
  findings: ({ found }) => (found.length === 0 ? null : found),
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

/** Applies a bundle up to its first violation; earlier actions stand (decision 8). */
function violationIn(state: State, turn: Turn, actions: readonly Action[]): Violation | null {
  for (const [index, action] of actions.entries()) {
    const broken = perform(state, turn, action)
    if (broken !== null) {
      const found = violation(broken, index, `actions.${index} (${action.type}): `)
      if (!wasOvertaken(state, turn.seat, broken)) return found
      state.found.push({ type: 'refused', action: index })
      announce(state, { type: 'refused', seat: turn.seat, action: index, rule: found.rule, text: found.text })
    }
    // The last opponent has just been removed: the match is over, and the rest of the bundle has no effect.
    if (onePlayerLeft(state)) return null
  }
  const broken = state.choices.mode === 'asynchronous' ? null : neglected(state, turn)
  return broken === null ? null : violation(broken, null, 'At the end of the turn: ')
}

function violation(broken: Breach, action: number | null, place: string): Violation {
  return { ...broken, action, text: sentence(place + broken.text) }
}

/**
 * Rule 1 and decisions 8 and 11: players that finished are ranked by account, equal accounts sharing a rank. Removed
 * players follow, the last one removed first; players that were not ready left at the same moment and share the last
 * rank.
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
