import type { Script } from './client.ts'

/** As example.js: takes half of everything or more, else wants what is worth something. */
export const half: Script = class {
  readonly #counts: readonly number[]
  readonly #values: readonly number[]
  readonly #log: (text: unknown) => void
  constructor(
    _me: number,
    counts: readonly number[],
    values: readonly number[],
    _rounds: number,
    log: (text: unknown) => void,
  ) {
    this.#counts = counts
    this.#values = values
    this.#log = log
  }
  offer(o: readonly number[] | undefined): readonly number[] | undefined {
    const total = this.#counts.reduce((sum, count, type) => sum + count * this.#values[type]!, 0)
    this.#log(`${String(o)} of ${total}`)
    if (o !== undefined && o.reduce((sum, count, type) => sum + count * this.#values[type]!, 0) * 2 >= total) return
    return this.#counts.map((count, type) => (this.#values[type]! > 0 ? count : 0))
  }
}

/** Takes whatever is offered, and offers everything. */
export const soft: Script = class {
  readonly #counts: readonly number[]
  constructor(_me: number, counts: readonly number[]) {
    this.#counts = counts
  }
  offer(o: readonly number[] | undefined): readonly number[] | undefined {
    return o === undefined ? this.#counts.map(() => 0) : undefined
  }
}

/** Wants everything, always. */
export const hard: Script = class {
  readonly #counts: readonly number[]
  constructor(_me: number, counts: readonly number[]) {
    this.#counts = counts
  }
  offer(): readonly number[] {
    return this.#counts
  }
}

/** Gives always the same answer. */
export function constant(answer: unknown): Script {
  return class {
    offer(): unknown {
      return answer
    }
  }
}
