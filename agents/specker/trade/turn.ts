import type { Json } from '../../../main/contract/json.ts'
import type { StartMessage, TurnMessage } from '../../../main/referees/specker/messages.ts'
import { Desk, type Offer, type Step, type Wares } from './desk.ts'
import type { Known, Vault } from './vault.ts'

/** How a player meets its obligations and trades, whatever the challenge. */
export interface Trader extends Wares {
  /**
   * Raw material for a challenge that was bought from me, when `due` are due together; with the best solution of it that I
   * have, where it is a secret challenge. undefined: I have none.
   */
  material(
    entry: TurnMessage['toDeliver'][number],
    due: number,
  ): { readonly instance: Json; readonly secret?: Known } | undefined
  /** `payoff`: what its seller owes for it at least, in 10^-9 energy. undefined: I have no solution. */
  solution(
    entry: TurnMessage['toSolve'][number],
    due: number,
  ): { readonly solution: Json; readonly payoff: number } | undefined
  /** Accepts and reoffers; what rule 2 still wants afterwards is done at least cost. */
  buy(desk: Desk): void
  /** New offers, as many as rule 3 wants. */
  sell(desk: Desk): void
}

/**
 * One turn: obligations first, since they bring money, then the market. With mega-moves only what the step allows. `vault`
 * keeps the secrets of one match.
 */
export function playTurn(
  trader: Trader,
  start: StartMessage,
  vault: Vault,
  view: TurnMessage,
): { readonly actions: readonly Step[] } {
  const desk = new Desk(start, trader, view)
  for (const entry of view.toDeliver) {
    const material = trader.material(entry, view.toDeliver.length)
    if (material === undefined) continue
    const { instance, secret } = material
    const told = entry.kind === 'secret' && secret !== undefined ? vault.close(entry.challenge, secret) : undefined
    desk.deliver(entry.challenge, instance, told)
  }
  for (const entry of view.toSolve) {
    const answer = trader.solution(entry, view.toSolve.length)
    if (answer !== undefined) desk.solve(entry, answer.solution, answer.payoff)
  }
  for (const { challenge } of view.toReveal ?? []) {
    const opened = vault.open(challenge)
    if (opened !== undefined) desk.reveal(challenge, opened.solution, opened.nonce)
  }
  for (const event of view.events) {
    if (event.type === 'revealed' || event.type === 'voided') vault.forget(event.challenge)
  }
  const { step } = view
  if (view.trading && (step === undefined || step === 'decide')) {
    trader.buy(desk)
    settleDuty(desk)
  }
  if (view.trading && (step === undefined || step === 'offer')) trader.sell(desk)
  return { actions: desk.actions }
}

/** Rule 2 at least risk: the cheapest offer that can be paid, else everything lowered as little as possible. */
function settleDuty(desk: Desk): void {
  if (!desk.dutyOpen()) return
  let cheapest: Offer | undefined
  for (const offer of desk.others()) {
    if (desk.affords(offer) && offer.price < (cheapest?.price ?? Infinity)) cheapest = offer
  }
  if (cheapest !== undefined) desk.accept(cheapest)
  else lowerAll(desk)
}

/** Lowers what rule 2 wants lowered by the least decrement: all that others offer, or only the dearest. */
export function lowerAll(desk: Desk): void {
  const offers = desk.others().filter((offer) => offer.price > 0)
  if (desk.config.acceptOrReoffer === 'one') {
    const dearest = offers.reduce<Offer | undefined>(
      (a, b) => (a === undefined || b.price > a.price ? b : a),
      undefined,
    )
    if (dearest !== undefined) desk.reoffer(dearest, desk.lowered(dearest))
    return
  }
  for (const offer of offers) desk.reoffer(offer, desk.lowered(offer))
}
