import { visible } from '../../parts/visible.ts'
import type { Digest, Origins, PublicEvent } from './specker.ts'

/** How a match is told: names by seat, and amounts as people write them. */
export interface Telling {
  name(seat: number): string
  energy(amount: number): string
  readonly origins: Origins
}

/** What happened, in one sentence that names everybody. */
export function sentenceOf(event: PublicEvent, { name, energy, origins }: Telling): string {
  const who = name(event.seat)
  switch (event.type) {
    case 'offered':
      return `${who} offers challenge ${event.challenge} for ${energy(event.price)}.`
    case 'accepted': {
      const seller = origins.seller.get(event.challenge)
      const from = seller === undefined ? '' : ` from ${name(seller)}`
      return `${who} buys challenge ${event.challenge}${from} for ${energy(event.price)}.`
    }
    case 'reoffered':
      return `${who} undercuts challenge ${event.undercut}: it is challenge ${event.challenge} now, for ${energy(event.price)}.`
    case 'delivered':
      return `${who} delivers the raw material for challenge ${event.challenge}.`
    case 'solved': {
      const seller = origins.seller.get(event.challenge)
      const payer = seller === undefined ? 'The seller' : name(seller)
      return `${who} solves challenge ${event.challenge} with quality ${event.quality}. ${payer} pays ${energy(event.payoff)}.`
    }
    case 'removed':
      return `${who} is removed: ${visible(event.text)}`
    case 'voided':
      return `Challenge ${event.challenge} ends without a solution: ${visible(event.text)} ${name(event.buyer)} gets ${energy(event.refund)} back${event.shortfall > 0 ? ` and loses ${energy(event.shortfall)}` : ''}.`
  }
}

/** What an event says that nothing follows from: a fault, a line of console, a turn without a trace. */
export function noteOf({ kind, seat, note }: Digest, { name }: Telling): string {
  if (kind === 'fault') return `${name(seat)}, ${note?.kind ?? 'fault'}: ${visible(note?.text ?? '')}`
  if (kind === 'console') return `${name(seat)} prints: ${visible(note?.text ?? '')}`
  return `${name(seat)} does nothing in this turn.`
}

/** All sentences of one event. */
export function tellAll(digest: Digest, telling: Telling): readonly string[] {
  if (digest.happenings.length === 0) return [noteOf(digest, telling)]
  return digest.happenings.map(({ event }) => sentenceOf(event, telling))
}
