import type { SeatId } from '../../../../main/contract/ids.ts'
import type { Action } from '../../../../main/referees/specker/messages.ts'
import type { PlayerView } from '../../../../main/referees/specker/player-view.ts'
import { count } from '../../../words.ts'
import { exact } from '../energy.ts'

/** A requirement of a turn, and whether a bundle meets it. */
export interface Duty {
  /** The number of the rule in section 4.3. */
  readonly rule: number
  readonly text: string
  readonly done: boolean
}

/** The requirements of a player's turn, for display; the rules themselves decide whether the turn is valid. */
export function dutiesOf(
  known: PlayerView,
  actions: readonly Action[],
  name: (seat: SeatId) => string,
): readonly Duty[] {
  const { turn } = known
  const has = (type: Action['type'], challenge: number): boolean =>
    actions.some((action) => action.type === type && 'challenge' in action && action.challenge === challenge)
  return [
    ...(turn.toReveal ?? []).map(({ challenge, buyer }) => ({
      rule: 4,
      text: `Reveal the secret of challenge ${challenge} to ${name(buyer)}. This is done for you.`,
      done: has('reveal', challenge),
    })),
    ...turn.toSolve.map(({ challenge, seller }) => ({
      rule: 4,
      text: `Solve challenge ${challenge}, which you bought from ${name(seller)}.`,
      done: has('solve', challenge),
    })),
    ...turn.toDeliver.map(({ challenge, buyer }) => ({
      rule: 4,
      text: `Deliver the raw material for challenge ${challenge} to ${name(buyer)}.`,
      done: has('deliver', challenge),
    })),
    ...acceptOrReoffer(known, actions),
    ...newOffers(known, actions),
  ]
}

/** Rule 2 and decision 3. */
function acceptOrReoffer({ config, me, turn }: PlayerView, actions: readonly Action[]): readonly Duty[] {
  if (!mayTrade(turn)) return []
  const others = turn.store.filter(({ seller }) => seller !== me)
  if (others.length === 0) return []
  const dear = others.filter(({ price }) => price > 0)
  const lowered = new Set(actions.flatMap((action) => (action.type === 'reoffer' ? [action.challenge] : [])))
  const least = `by at least ${exact(config.mindec)}, or to 0`
  const bought = actions.some(({ type }) => type === 'accept')
  const enough =
    config.acceptOrReoffer === 'one' ? lowered.size > 0 : dear.every(({ challenge }) => lowered.has(challenge))
  const done = bought || (lowered.size > 0 && enough)
  const offered = count(others.length, 'challenge')
  if (dear.length === 0) return [{ rule: 2, text: `Others offer ${offered} at price 0: accept one of them.`, done }]
  const some = others.length === 1 ? 'accept it or lower it' : 'accept one of them or lower '
  const which = others.length === 1 ? '' : config.acceptOrReoffer === 'one' ? 'one' : 'every one that costs something'
  return [{ rule: 2, text: `Others offer ${offered}: ${some}${which} ${least}.`, done }]
}

/** Rule 3. */
function newOffers({ config, turn }: PlayerView, actions: readonly Action[]): readonly Duty[] {
  const { offersMin, offersMax } = config
  if (!mayOffer(turn) || offersMin === 0) return []
  const offered = actions.filter(({ type }) => type === 'offer').length
  const text = `Offer at least ${count(offersMin, 'new challenge')}, and ${offersMax} at most.`
  return [{ rule: 3, text, done: offered >= offersMin }]
}

/** True if challenges of others can be accepted and lowered now. */
export function mayTrade({ trading, step }: PlayerView['turn']): boolean {
  return trading && (step === undefined || step === 'decide')
}

/** True if new challenges can be offered now. */
export function mayOffer({ trading, step }: PlayerView['turn']): boolean {
  return trading && (step === undefined || step === 'offer')
}

/** An obligation of somebody else to this player. */
export interface Waiting {
  readonly challenge: number
  readonly owes: 'the raw material' | 'the solution' | 'the secret'
  readonly debtor: SeatId
  /** The price of the challenge, in 10^-9 energy. */
  readonly price: number
}

/** The obligations of others to this player. */
export function waitingFor({ deals, me }: PlayerView): readonly Waiting[] {
  return deals.flatMap(({ challenge, seller, buyer, price, material, answer }): readonly Waiting[] => {
    if (buyer === me && material === null) return [{ challenge, owes: 'the raw material', debtor: seller, price }]
    if (buyer === me && answer !== undefined) return [{ challenge, owes: 'the secret', debtor: seller, price }]
    if (seller === me && material !== null && answer === undefined) {
      return [{ challenge, owes: 'the solution', debtor: buyer, price }]
    }
    return []
  })
}

/** The place of a turn in the match; turns of completion follow the trading rounds. */
export function roundWords({ config, turn }: PlayerView): string {
  return turn.round > config.maxTurns ? 'Completion' : `Round ${turn.round} of ${config.maxTurns}`
}

/** The purpose of a turn, in words. */
export function stepWords({ trading, step }: PlayerView['turn']): string {
  switch (step) {
    case 'offer':
      return 'you are White, and offer.'
    case 'decide':
      return 'you are Black, and accept or lower.'
    case 'deliver':
      return 'you are White, and deliver.'
    case 'solve':
      return 'you are Black, and solve.'
    case 'reveal':
      return 'you are White, and reveal your secrets.'
    default:
      return trading ? 'it is your turn.' : 'trading is over, and you do what you owe.'
  }
}
