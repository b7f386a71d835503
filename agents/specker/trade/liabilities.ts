import type { TurnMessage } from '../../../main/referees/specker/messages.ts'

/** What a seller may still have to pay for raw material that is out. */
export class Liabilities {
  readonly #open = new Map<number, number>()

  /** Forgets what the events say is settled, and adds what is to be delivered now. `worst`: the payoff it can come to. */
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
