import { visible } from '../../parts/visible.ts'
import type { Line } from '../game.ts'
import type { Digest, Happening } from './digests.ts'
import { ruleOf } from './rule-names.ts'
import type { PublicEvent } from './rules.ts'

/** How a match is told: names by seat, and amounts as people write them. */
export interface Telling {
  name(seat: number): string
  energy(amount: number): string
}

/** What happened, in one sentence that names everybody. */
export function sentenceOf({ event, seller }: Pick<Happening, 'event' | 'seller'>, { name, energy }: Telling): string {
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
        event.secret === undefined
          ? ''
          : ` and commits to a secret solution of quality ${visible(event.secret.quality)}`
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
      return `${who} comes too late: ${visible(event.text)}`
    case 'removed':
      return `${who} is removed: ${visible(event.text)}`
    case 'voided':
      return `Challenge ${event.challenge} ends without a solution: ${visible(event.text)} ${name(event.buyer)} gets ${energy(event.refund)} back${event.shortfall > 0 ? ` and loses ${energy(event.shortfall)}` : ''}.`
  }
}

/** "challenge", or what kind of one. */
function kindly({ kind = 'classic' }: Extract<PublicEvent, { type: 'offered' }>): string {
  return kind === 'classic' ? 'challenge' : `${kind} challenge`
}

/** What a belief whose f is not its price says. */
function claimed({ f, price }: Extract<PublicEvent, { type: 'offered' }>, energy: Telling['energy']): string {
  return f === undefined || f === price ? '' : `, claiming that quality ${energy(f)} cannot be reached`
}

/** What an event says that nothing follows from: a fault, a line of console, a turn without a trace. */
export function noteOf({ kind, seat, note }: Digest, { name }: Telling): string {
  if (kind === 'close' || seat === null) return 'Trading ends; what is owed is still delivered and solved.'
  if (kind === 'fault') return `${name(seat)}, ${note?.kind ?? 'fault'}: ${visible(note?.text ?? '')}`
  if (kind === 'console') return `${name(seat)} prints: ${visible(note?.text ?? '')}`
  return `${name(seat)} does nothing in this turn.`
}

/** Lines that an event takes: one for every happening, and one where nothing happened. */
export function linesIn({ happenings }: Digest): number {
  return Math.max(1, happenings.length)
}

/** One of them. */
export function lineOf(digest: Digest, part: number, telling: Telling): Line {
  const happening = digest.happenings[part]
  if (happening === undefined) {
    const { kind, seat } = digest
    const text = noteOf(digest, telling)
    if (kind === 'close') return { seat, text, tone: 'plain', rule: { name: 'Rule 10', title: 'Completion' } }
    if (kind === 'turn') return { seat, text, tone: 'plain', rule: { name: 'Rule 2', title: 'Nothing due' } }
    return kind === 'fault'
      ? { seat, text, tone: 'bad', rule: { name: 'Fault', title: '' } }
      : { seat, text, tone: 'console', rule: { name: 'Console', title: '' } }
  }
  const { event } = happening
  const rule = ruleOf(event)
  return {
    seat: event.seat,
    text: sentenceOf(happening, telling),
    tone: event.type === 'removed' ? 'bad' : 'plain',
    rule: { name: `Rule ${rule.number}`, title: rule.title },
  }
}
