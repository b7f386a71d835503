import type { SeatId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { Action, PublicEvent } from '../messages.ts'
import type { State } from '../state.ts'

/** The details of an event: the challenge's predicate, raw material and solution as far as they are known. */
export interface Evidence {
  readonly predicate: Json | null
  readonly instance: Json | null
  readonly solution: Json | null
}

/** The offers and the debts before an event; deals and offers are replaced, never modified. */
export interface PublicDebts {
  readonly deals: State['deals']
  readonly offers: State['market']['offers']
}

export function debtsIn({ deals, market }: State): PublicDebts {
  return { deals: new Map(deals), offers: new Map(market.offers) }
}

/** The seat that offers or sells the challenge of an event; null: unknown. */
export function sellerOf(event: PublicEvent, own: Action | null, { deals, offers }: PublicDebts): SeatId | null {
  const challenge = challengeOf(event, own)
  return challenge === null ? null : ((deals.get(challenge) ?? offers.get(challenge))?.seller ?? null)
}

/** The evidence of an event. `own`: the action that caused the event, if there is one. */
export function evidenceOf(event: PublicEvent, own: Action | null, { deals, offers }: PublicDebts): Evidence {
  const challenge = challengeOf(event, own)
  const deal = challenge === null ? undefined : deals.get(challenge)
  const offer = challenge === null ? undefined : (deal ?? offers.get(challenge))
  const predicate = own?.type === 'offer' ? own.predicate : (offer?.predicate ?? null)
  const material = own?.type === 'deliver' ? own.instance : (deal?.material?.instance ?? null)
  return {
    predicate,
    instance: showsMaterial(event, own) ? material : null,
    solution: own?.type === 'solve' || own?.type === 'reveal' ? own.solution : null,
  }
}

/** The challenge's number before the event; null: the event concerns no challenge. */
function challengeOf(event: PublicEvent, own: Action | null): number | null {
  if (event.type === 'reoffered') return event.undercut
  if (event.type !== 'removed' && event.type !== 'refused') return event.challenge
  return own === null || own.type === 'offer' ? null : own.challenge
}

function showsMaterial({ type }: PublicEvent, own: Action | null): boolean {
  const shown = ['delivered', 'solved', 'revealed', 'deliver', 'solve', 'reveal']
  return shown.includes(type) || shown.includes(own?.type ?? '')
}
