import type { StartMessage, TurnMessage } from '../../main/referees/specker/messages.ts'
import { genericTrader } from './generic/generic-trader.ts'
import type { Step } from './trade/desk.ts'
import { playTurn, type Trader } from './trade/turn.ts'
import { Vault } from './trade/vault.ts'

/**
 * Knows nothing but the challenge's file: everything that it does is random trial, so it plays every challenge.
 */
export default class Baby {
  readonly #start: StartMessage
  readonly #trader: Trader
  readonly #vault = new Vault()

  constructor(start: StartMessage) {
    this.#start = start
    this.#trader = genericTrader(start)
  }

  turn(view: TurnMessage): { readonly actions: readonly Step[] } {
    return playTurn(this.#trader, this.#start, this.#vault, view)
  }
}
