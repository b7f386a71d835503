import type { Json } from '../../../main/contract/json.ts'
import type { StartMessage, TurnMessage } from '../../../main/referees/specker/messages.ts'
import type { Challenge } from '../knowledge/challenge.ts'
import { challengeOf } from '../knowledge/known.ts'
import { satisfiedWeight, type Formula, type Solved } from '../solvers/formula.ts'
import { Desk, ENERGY, type Offer, type Step } from './desk.ts'

/** What makes one agent differ from another. The duties that keep a player in the game are the same for all. */
export interface Style {
  /** Raw material, of `most` constraints at most, for a predicate that was bought from me. */
  material(items: readonly number[], most: number): Json
  solve(formula: Formula): Solved
  /** Accepts and reoffers; what rule 2 still wants afterwards is done at least cost. */
  buy(desk: Desk): void
  /** New offers; what rule 3 still wants afterwards is added at the highest price. */
  sell(desk: Desk): void
}

/** An agent as the contest loads it: a class whose objects play one match each. */
export function agent(styleOf: (challenge: Challenge, start: StartMessage) => Style) {
  return class {
    readonly #start: StartMessage
    readonly #challenge: Challenge
    readonly #style: Style

    constructor(start: StartMessage) {
      this.#start = start
      this.#challenge = challengeOf(start)
      this.#style = styleOf(this.#challenge, start)
    }

    turn(view: TurnMessage): { readonly actions: readonly Step[] } {
      return playTurn(this.#style, this.#start, this.#challenge, view)
    }
  }
}

/** What one bundle may carry: at some 50 bytes a constraint it stays below a megabyte, the default limit of a message. */
const CONSTRAINTS_A_TURN = 15_000

/** One turn: obligations first, since they bring money, then the market. Legal whatever the style does. */
function playTurn(
  style: Style,
  start: StartMessage,
  challenge: Challenge,
  view: TurnMessage,
): { readonly actions: readonly Step[] } {
  const desk = new Desk(start, challenge, view)
  const most = Math.max(1, Math.floor(CONSTRAINTS_A_TURN / Math.max(1, view.toDeliver.length)))
  for (const entry of view.toDeliver) {
    desk.deliver(entry.challenge, style.material(challenge.read(entry.predicate) ?? [], most))
  }
  for (const entry of view.toSolve) {
    const formula = challenge.formula(entry.instance)
    if (formula === undefined) continue
    const { values } = style.solve(formula)
    desk.solve(entry, challenge.solution(values), payoffOf(formula, values))
  }
  if (view.trading) {
    style.buy(desk)
    settleDuty(desk)
    style.sell(desk)
    fillOffers(desk, challenge)
  }
  return { actions: desk.actions }
}

/** What the seller owes for an assignment: its quality in 10^-9 energy, rounded down. */
function payoffOf(formula: Formula, values: ArrayLike<number>): number {
  if (formula.totalWeight === 0) return ENERGY
  return Number((BigInt(satisfiedWeight(formula, values)) * BigInt(ENERGY)) / BigInt(formula.totalWeight))
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

/**
 * Rule 3 where a style has offered too little: single items, then pairs and so on, as dear as they can be. Where there
 * are fewer predicates than offers owed, another pass goes below the prices of the last one.
 */
function fillOffers(desk: Desk, { items, spares }: Challenge): void {
  const all = [...items, ...spares]
  for (let before = Infinity; desk.owed() > 0 && desk.owed() < before;) {
    before = desk.owed()
    for (let size = 1; size <= all.length && desk.owed() > 0; size++) {
      for (const chosen of combinations(all, size)) {
        if (desk.owed() === 0) break
        // Every predicate needs one item that can be delivered; combinations keep the order, so it comes first.
        if (items.includes(chosen[0]!)) desk.offer(chosen, ENERGY)
      }
    }
  }
}

function* combinations(items: readonly number[], size: number, from = 0): Generator<number[]> {
  if (size === 0) {
    yield []
    return
  }
  for (let at = from; at <= items.length - size; at++) {
    for (const rest of combinations(items, size - 1, at + 1)) yield [items[at]!, ...rest]
  }
}
