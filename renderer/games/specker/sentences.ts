import { ruleOf } from '../../../main/referees/specker/narration/rule-names.ts'
import { sentenceOf, type Telling } from '../../../main/referees/specker/narration/sentences.ts'
import { visible } from '../../parts/lists/visible.ts'
import type { SeatId } from '../../../main/contract/ids.ts'
import type { Happening } from '../../../main/referees/specker/narration/happenings.ts'
import type { Line, Swing } from '../game.ts'
import type { Digest } from './digests.ts'

/** The text of an event without consequences: a fault, a line of the console, a turn without a trace. */
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
    if (kind === 'close')
      return { seat, text, tone: 'plain', rule: { name: 'Rule 10', title: 'Completion', number: 10 } }
    if (kind === 'turn') return { seat, text, tone: 'plain', rule: { name: 'Rule 2', title: 'Nothing due', number: 2 } }
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
    rule: { name: `Rule ${rule.number}`, ...rule },
  }
}

/** A seat's loss in a turn, by one challenge or several, in one sentence; null: the viewer did not know of it. */
export function swingOf({ happenings }: Digest, swing: Swing, { name, energy }: Telling): string | null {
  const happening = happenings[swing.line]
  if (happening === undefined) return null
  const { event, seller, answered } = happening
  const lost = -swing.amount
  const parts = happenings.filter((each) => concerns(each, swing.seat)).map(({ event }) => event)
  if (parts.length > 1) {
    const numbers = parts.flatMap((part) =>
      'challenge' in part && typeof part.challenge === 'number' ? [String(part.challenge)] : [],
    )
    return `${name(swing.seat)} loses ${energy(lost)} in one turn, on challenges ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}.`
  }
  if (event.type === 'voided') {
    const of = `${name(swing.seat)} loses ${energy(lost)} on challenge ${event.challenge}`
    return answered
      ? `${of}: the secret was not revealed as promised, and ${name(event.buyer)} is paid ${energy(event.refund)}.`
      : `${of}: ${name(event.seat)} cannot pay all of it back.`
  }
  if (event.type !== 'solved' || seller === null) return null
  const of = `${name(swing.seat)} loses ${energy(lost)} on challenge ${event.challenge}`
  return swing.seat === seller
    ? `${of}: sold for ${energy(event.payoff - lost)}, and ${name(event.seat)} is paid ${energy(event.payoff)} for the solution.`
    : `${of}: bought from ${name(seller)} for ${energy(event.payoff + lost)}, and paid ${energy(event.payoff)} for the solution.`
}

/** True if a sale of a seat was settled, was void and not paid back in full, or cost more because a secret did not hold. */
function concerns({ event, seller, answered }: Happening, seat: SeatId): boolean {
  if (event.type === 'voided' && answered) return event.refund > 0 && (event.buyer === seat || event.seat === seat)
  if (event.type === 'voided') return event.shortfall > 0 && event.buyer === seat
  return event.type === 'solved' && seller !== null && (event.seat === seat || seller === seat)
}
