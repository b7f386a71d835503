import type { Ms } from '../../contract/clock.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Input } from './input.ts'
import type { Action, Protocol, PublicEvent, RemovedMessage, StartMessage, TurnMessage } from './messages.ts'
import type { Removal, State } from './state.ts'
import { removedMessage, startMessage, turnMessage } from './views.ts'

/**
 * Tells players what they may know, each in the protocol of his choice. Protocol 3 has more than the state keeps, so that the
 * states of older histories stay what they were: the raw material and the solutions of everybody. Both are public from the
 * moment of their delivery; they are remembered as long as somebody has not been told of them.
 */
export interface Teller {
  start(seat: SeatId): StartMessage
  /** What a player is asked with. `since`: how many public events he has been told of. */
  turn(seat: SeatId, since?: number): TurnMessage
  removed(removal: Removal): RemovedMessage
  /** With his answer to `start` a player may ask for protocol 3; nothing else changes what is spoken in a match. */
  choose(seat: SeatId, protocol: Protocol | undefined): void
  /** An input was applied when there had been so many public events. */
  note(input: Input, before: number): void
}

/** `timeslot`: how long a player really has for an answer. */
export function createTeller(state: State, timeslot: Ms): Teller {
  const full = new Set<SeatId>()
  const materials = new WeakMap<PublicEvent, Partial<PublicEvent>>()
  // In protocol 3 everything that protocol 2 has is there, also in the game that is told in the words of protocol 1.
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

/** What an event does not say of the action that made it. The first action of its kind for a challenge is the one that did. */
function materialOf({ market }: State, event: PublicEvent, actions: readonly Action[]): Partial<PublicEvent> | null {
  const made = <T extends Action['type']>(type: T): Extract<Action, { readonly type: T }> =>
    actions.find(
      (action) => action.type === type && 'challenge' in action && action.challenge === event['challenge'],
    ) as Extract<Action, { readonly type: T }>
  switch (event.type) {
    case 'offered': {
      // Gone with its seller in the same turn: nobody could have bought it.
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
