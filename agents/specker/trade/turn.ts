import type { Json } from '../../../main/contract/json.ts'
import type { StartMessage, TurnMessage } from '../../../main/referees/specker/messages.ts'
import { Desk, type Offer, type Step, type Wares } from './desk.ts'
import type { KnownSecret, Vault } from './vault.ts'

/** How a player fulfils its obligations and trades, for any challenge. */
export interface Trader extends Wares {
  /**
   * Raw material for a challenge that I sold, when `due` are due together; for a secret challenge with the best
   * solution that I have. undefined: I have none.
   */
  material(
    entry: TurnMessage['toDeliver'][number],
    due: number,
  ): { readonly instance: Json; readonly secret?: KnownSecret } | undefined
  /** `payoff`: the minimum that its seller owes for it, in 10^-9 energy. undefined: I have no solution. */
  solution(
    entry: TurnMessage['toSolve'][number],
    due: number,
  ): { readonly solution: Json; readonly payoff: number } | undefined
  /** Accepts and reoffers; if rule 2 requires more, that is done at minimum cost. */
  buy(desk: Desk): void
  /** Makes new offers, as many as rule 3 requires. */
  sell(desk: Desk): void
}

/**
 * Plays one turn: first obligations, which bring money, then the market. With mega-moves only what the step permits.
 * `vault`: the secrets of one match.
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
    fulfilDuty(desk)
  }
  if (view.trading && (step === undefined || step === 'offer')) trader.sell(desk)
  return { actions: desk.actions }
}

/** Rule 2 at minimum risk: buys the cheapest affordable offer, otherwise lowers everything as little as possible. */
function fulfilDuty(desk: Desk): void {
  if (!desk.dutyOpen()) return
  let cheapest: Offer | undefined
  for (const offer of desk.others()) {
    if (desk.affords(offer) && offer.price < (cheapest?.price ?? Infinity)) cheapest = offer
  }
  if (cheapest !== undefined) desk.accept(cheapest)
  else lowerAll(desk)
}

/**
 * Makes the reoffers that rule 2 requires with the minimum decrement: of all offers of others, or of the most expensive
 * one.
 */
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
