import { fraction, fromText, toText, type Fraction } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { StartMessage, TurnMessage } from '../../../main/referees/specker/messages.ts'
import { isRecord, type Challenge } from '../knowledge/challenge.ts'
import { challengeOf, knows } from '../knowledge/known.ts'
import { satisfiedWeight, type Formula, type Solved } from '../solvers/formula.ts'
import { ENERGY, termsOf, type Desk, type Step } from './desk.ts'
import { stockOf, type Stock } from './stock.ts'
import { playTurn, type Trader } from './turn.ts'
import { Vault, type KnownSecret } from './vault.ts'
import { payoffOf } from './worth.ts'

/** The differences between agents. The duties that keep a player in the game are the same for all. */
export interface Style {
  /** Raw material of at most `most` constraints for a challenge that I sold. `secret`: I have to solve it too. */
  material(items: readonly number[], most: number, secret: boolean): Json
  /** `due`: the number of formulas to solve together. */
  solve(formula: Formula, due: number): Solved
  /** Accepts and reoffers; if rule 2 requires more, that is done at minimum cost. */
  buy(desk: Desk): void
  /** Makes new offers; if rule 3 requires more, they are added at the highest price. */
  sell(desk: Desk): void
  /** A secret challenge was solved below the quality that its seller promised. */
  missed?(): void
}

/**
 * Makes an agent as contests load it: a class with one object per match. `elsewhere`: how it trades a challenge that it
 * has no knowledge of; if absent, it does not play such challenges.
 */
export function agent(
  styleOf: (challenge: Challenge, stock: Stock, start: StartMessage) => Style,
  elsewhere?: (start: StartMessage) => Trader,
) {
  return class {
    readonly #start: StartMessage
    readonly #trader: Trader
    readonly #vault = new Vault()

    constructor(start: StartMessage) {
      this.#start = start
      if (elsewhere !== undefined && !knows(start)) {
        this.#trader = elsewhere(start)
        return
      }
      const challenge = challengeOf(start)
      const stock = stockOf(challenge, start)
      this.#trader = traderOf(challenge, stock, styleOf(challenge, stock, start), start)
    }

    turn(view: TurnMessage): { readonly actions: readonly Step[] } {
      return playTurn(this.#trader, this.#start, this.#vault, view)
    }
  }
}

/**
 * The capacity of one bundle: at some 50 bytes per constraint it stays below a megabyte, the default limit of a
 * message.
 */
const CONSTRAINTS_A_TURN = 15_000

/** Combines a style with the duties of the game. The result is legal whatever the style does. */
function traderOf(challenge: Challenge, stock: Stock, style: Style, start: StartMessage): Trader {
  const { profitFactor = 1 } = start.config
  /** By raw material, because styles deliver the same again. */
  const secrets = new WeakMap<object, KnownSecret>()
  const secretOf = (instance: Json, due: number): KnownSecret | undefined => {
    if (!isRecord(instance)) return undefined
    const known = secrets.get(instance)
    if (known !== undefined) return known
    const formula = challenge.formula(instance)
    if (formula === undefined) return undefined
    const { values } = style.solve(formula, due)
    const secret = { solution: challenge.solution(values), quality: toText(qualityOf(formula, values)) }
    secrets.set(instance, secret)
    return secret
  }
  return {
    read: (predicate) => challenge.read(predicate),
    predicate: (items) => challenge.predicate(items),
    material({ predicate, kind }, due) {
      const most = Math.max(1, Math.floor(CONSTRAINTS_A_TURN / due))
      const instance = style.material(challenge.read(predicate) ?? [], most, kind === 'secret')
      if (kind !== 'secret') return { instance }
      const secret = secretOf(instance, due)
      return secret && { instance, secret }
    },
    solution(entry, due) {
      const formula = challenge.formula(entry.instance)
      if (formula === undefined) return undefined
      const { values } = style.solve(formula, due)
      const promised = entry.secret === undefined ? null : fromText(entry.secret.quality)
      const payoff = payoffOf(termsOf(entry), qualityOf(formula, values), promised, profitFactor)
      if (promised !== null && payoff === 0) style.missed?.()
      return { solution: challenge.solution(values), payoff }
    },
    buy: (desk) => style.buy(desk),
    sell(desk) {
      style.sell(desk)
      fillOffers(desk, stock)
    },
  }
}

function qualityOf(formula: Formula, values: ArrayLike<number>): Fraction {
  return formula.totalWeight === 0 ? fraction(1) : fraction(satisfiedWeight(formula, values), formula.totalWeight)
}

/**
 * Rule 3 if a style has offered too little: single items, then pairs and so on, at the highest possible prices. If
 * there are fewer predicates than required offers, another pass goes below the prices of the last one.
 */
function fillOffers(desk: Desk, stock: Stock): void {
  for (let before = Infinity; desk.owed() > 0 && desk.owed() < before;) {
    before = desk.owed()
    for (const items of stock.all()) {
      for (const kind of desk.kinds) if (desk.owed() > 0) desk.offer(items, ENERGY, kind)
      if (desk.owed() === 0) break
    }
  }
}
