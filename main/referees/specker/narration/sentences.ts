import type { PublicEvent } from '../messages.ts'
import type { Happening } from './happenings.ts'

/** How names and amounts are written: names by seat, amounts for people. */
export interface Telling {
  name(seat: number): string
  energy(amount: number): string
  /** A text that an agent may have written. */
  text(untrusted: string): string
  /** The name of the match's challenge file; absent: it is not known. */
  readonly challenge?: string
}

/** True if a sale ended because the challenge file could not judge it. The other reasons are the two of removal.ts. */
export function isFileAtFault({ text }: Extract<PublicEvent, { type: 'voided' }>): boolean {
  return !/^The (seller|buyer) was removed\b/.test(text)
}

/** An event in one sentence that names all seats involved. */
export function sentenceOf(
  { event, seller }: Pick<Happening, 'event' | 'seller'>,
  { name, energy, text, challenge }: Telling,
): string {
  const who = name(event.seat)
  switch (event.type) {
    case 'offered':
      return `${who} offers ${kindly(event)} ${event.challenge} for ${energy(event.price)}${claimed(event, energy)}.`
    case 'accepted': {
      const from = seller === null ? '' : ` from ${name(seller)}`
      return `${who} buys challenge ${event.challenge}${from} for ${energy(event.price)}.`
    }
    case 'reoffered':
      return `${who} undercuts challenge ${event.undercut}: it is challenge ${event.challenge} now, for ${energy(event.price)}.`
    case 'delivered':
      return `${who} delivers the raw material for challenge ${event.challenge}${
        event.secret === undefined ? '' : ` and commits to a secret solution of quality ${text(event.secret.quality)}`
      }.`
    case 'solved': {
      const payer = seller === null ? 'The seller' : name(seller)
      const claim = event.discounted === undefined ? '' : event.discounted ? ': it is discounted' : ': it stands'
      const paid = event.discounted === false ? 'nothing' : energy(event.payoff)
      return `${who} solves challenge ${event.challenge} with quality ${event.quality}${claim}. ${payer} pays ${paid}.`
    }
    case 'revealed':
      return `${who} reveals the secret of challenge ${event.challenge}: a solution of quality ${event.quality}, as promised.`
    case 'refused':
      return `${who} comes too late: ${text(event.text)}`
    case 'removed':
      return `${who} is removed: ${text(event.text)}`
    case 'voided':
      return `Challenge ${event.challenge} ends early${isFileAtFault(event) ? fileAtFault(challenge) : ''}: ${text(event.text)} ${refunded(event, name, energy)}`
  }
}

function fileAtFault(challenge: string | undefined): string {
  return `, and no player is at fault, but the challenge file${challenge === undefined ? '' : ` ${challenge}`}`
}

/** The payment to the buyer of a sale that ended early. */
function refunded(
  { buyer, refund, shortfall }: Extract<PublicEvent, { type: 'voided' }>,
  name: Telling['name'],
  energy: Telling['energy'],
): string {
  if (refund === 0 && shortfall === 0) return `Nothing more is owed to ${name(buyer)}.`
  const unpaid = shortfall === 0 ? '' : `; ${energy(shortfall)} of its claim stays unpaid`
  return `${name(buyer)} receives ${refund === 0 ? 'nothing' : energy(refund)}${unpaid}.`
}

/** "challenge", or its kind. */
function kindly({ kind = 'classic' }: Extract<PublicEvent, { type: 'offered' }>): string {
  return kind === 'classic' ? 'challenge' : `${kind} challenge`
}

/** The claim of a belief whose f is not its price. */
function claimed({ f, price }: Extract<PublicEvent, { type: 'offered' }>, energy: Telling['energy']): string {
  return f === undefined || f === price ? '' : `, claiming that quality ${energy(f)} cannot be reached`
}
