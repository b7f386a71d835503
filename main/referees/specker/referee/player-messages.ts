import type { Ms } from '../../../contract/clock.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Input } from '../input.ts'
import type { Action, Protocol, PublicEvent, RemovedMessage, StartMessage, TurnMessage } from '../messages.ts'
import type { Removal, State } from '../state.ts'
import { removedMessage, startMessage, turnMessage } from './views.ts'

/**
 * Makes the messages for players, each in the protocol that it chose. Protocol 3 contains more than the state, so that
 * the states of older histories do not change: the raw material and solutions of all players. Both are public from
 * their delivery on; they are kept until every player has been told of them.
 */
export interface PlayerMessages {
  start(seat: SeatId): StartMessage
  /** The message of a turn. `since`: the number of public events that the player has been told of. */
  turn(seat: SeatId, since?: number): TurnMessage
  removed(removal: Removal): RemovedMessage
  /** A player may request protocol 3 in its answer to `start`; nothing else changes its protocol. */
  choose(seat: SeatId, protocol: Protocol | undefined): void
  /** Records an input that was applied; `before`: the number of public events before it. */
  note(input: Input, before: number): void
}

/** `timeslot`: the actual time that a player has for an answer. */
export function createPlayerMessages(state: State, timeslot: Ms): PlayerMessages {
  const full = new Set<SeatId>()
  const materials = new WeakMap<PublicEvent, Partial<PublicEvent>>()
  // Protocol 3 contains everything of protocol 2, even in games that begin with protocol 1.
  const spelledOut = (): State => ({ ...state, protocol: 2 })

  const eventInFull = (event: PublicEvent): PublicEvent => {
    const kind = event.type === 'offered' ? { kind: event.kind ?? 'classic' } : {}
    return { ...event, ...kind, ...materials.get(event) } as PublicEvent
  }

  return {
    start: (seat) => startMessage(state, seat, timeslot),
    turn(seat, since) {
      if (!full.has(seat)) return turnMessage(state, seat, since)
      const { challenge, config } = startMessage(spelledOut(), seat, timeslot)
      const told = turnMessage(spelledOut(), seat, since)
      return {
        ...told,
        protocol: 3,
        me: seat,
        challenge: { name: challenge.name, config: challenge.config },
        config,
        events: told.events.map(eventInFull),
      }
    },
    removed(removal) {
      const told = removedMessage(state, removal)
      return full.has(removal.seat) ? { ...told, protocol: 3 } : told
    },
    choose(seat, protocol) {
      if (protocol === 3) full.add(seat)
    },
    note(input, before) {
      if (input.type !== 'turn' || full.size === 0) return
      for (const event of state.events.slice(Math.max(0, before - state.dropped))) {
        const material = materialOf(state, event, input.actions)
        if (material !== null) materials.set(event, material)
      }
    },
  }
}

/** The fields of the action behind an event that the event lacks: the first action of its kind for the challenge. */
function materialOf({ market }: State, event: PublicEvent, actions: readonly Action[]): Partial<PublicEvent> | null {
  const made = <T extends Action['type']>(type: T): Extract<Action, { readonly type: T }> =>
    actions.find(
      (action) =>
        action.type === type && 'challenge' in action && 'challenge' in event && action.challenge === event.challenge,
    ) as Extract<Action, { readonly type: T }>
  switch (event.type) {
    case 'offered': {
      // It left with its seller in the same turn, so nobody could have bought it.
      const offer = market.offers.get(event.challenge)
      return offer === undefined ? null : { predicate: offer.predicate }
    }
    case 'delivered':
      return { instance: made('deliver').instance }
    case 'solved':
      return { solution: made('solve').solution }
    case 'revealed': {
      const { solution, nonce } = made('reveal')
      return { solution, nonce }
    }
    default:
      return null
  }
}
