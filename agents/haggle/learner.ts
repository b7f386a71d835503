import { rest, shares, worth, type Share } from './knowledge/shares.ts'

/** The share of the total that it accepts in its last turn. */
const LEAST = 0.5
/** A partner's first demands are the most informative; later ones are concessions. */
const FADING = 0.8

/**
 * Estimates the partner's values from what it insists on and concedes that: of the demands that are good enough for
 * itself it makes the one that the partner probably likes most. The threshold falls slowly at first, to half in the
 * end.
 */
export default class Learner {
  readonly #counts: Share
  readonly #values: readonly number[]
  readonly #total: number
  readonly #rounds: number
  readonly #last: boolean
  /** By type: how much of it the partner has insisted on, and how much it could have had. */
  readonly #insisted: number[]
  #heard = 0
  #turn = 0

  constructor(me: number, counts: Share, values: readonly number[], rounds: number) {
    this.#counts = counts
    this.#values = values
    this.#total = worth(counts, values)
    this.#rounds = rounds
    this.#last = me === 1
    this.#insisted = counts.map(() => 0)
  }

  offer(offered?: Share): Share | undefined {
    const turn = this.#turn++
    if (offered !== undefined) this.#learn(rest(this.#counts, offered))
    const progress = Math.min(1, turn / Math.max(1, this.#rounds - 1))
    const content = this.#total * (1 - (1 - LEAST) * progress ** 1.5)
    const noMoreTurns = this.#last && turn === this.#rounds - 1
    if (offered !== undefined && worth(offered, this.#values) >= (noMoreTurns ? 1 : content)) return undefined
    return this.#demand(content)
  }

  #learn(demand: Share): void {
    const weight = FADING ** this.#heard++
    for (const [type, count] of this.#counts.entries()) {
      this.#insisted[type]! += (weight * demand[type]!) / count
    }
  }

  #demand(content: number): Share {
    const guess = this.#insisted.map((insisted) => insisted + 0.1)
    let best: Share = this.#counts
    let pleases = -1
    for (const share of shares(this.#counts, this.#values, guess)) {
      const pleasure = worth(rest(this.#counts, share), guess)
      if (worth(share, this.#values) >= content && pleasure > pleases) [best, pleases] = [share, pleasure]
    }
    return best
  }
}
