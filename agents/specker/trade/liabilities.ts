import type { TurnMessage } from '../../../main/referees/specker/messages.ts'

/** The maximum that a seller may still have to pay for delivered raw material. */
export class Liabilities {
  readonly #open = new Map<number, number>()

  /** Drops what the events settle and adds what is to be delivered now. `worst`: the maximum payoff. */
  update(view: TurnMessage, worst: (entry: TurnMessage['toDeliver'][number]) => number): void {
    for (const event of view.events) {
      if (event.type === 'solved' || event.type === 'voided') this.#open.delete(event.challenge)
    }
    for (const entry of view.toDeliver) this.#open.set(entry.challenge, worst(entry))
  }

  /** In 10^-9 energy. */
  total(): number {
    return [...this.#open.values()].reduce((sum, amount) => sum + amount, 0)
  }
}
