import type { Path } from '../path.ts'
import type { Reach } from '../plan.ts'

/**
 * Why a value cannot be generated. `reach`: what this depends on; `end`: the budget is used up, so retrying is useless.
 */
export class DeadEnd {
  readonly at: number | null
  readonly message: string
  readonly reach: Reach | 'end'
  readonly steps: readonly (string | number)[]
  /** True if a formula reached a limit of the language. */
  readonly limit: boolean

  constructor(
    at: number | null,
    message: string,
    reach: Reach | 'end',
    steps: readonly (string | number)[] = [],
    limit = false,
  ) {
    this.at = at
    this.message = message
    this.reach = reach
    this.steps = steps
    this.limit = limit
  }

  /** The same dead end as seen from the containing value. */
  within(step: string | number): DeadEnd {
    return new DeadEnd(this.at, this.message, this.reach, [step, ...this.steps], this.limit)
  }

  /** The same dead end as seen from outside the object on which it depends. */
  outside(reach: Reach): DeadEnd {
    return this.reach === 'end' ? this : new DeadEnd(this.at, this.message, reach, this.steps, this.limit)
  }

  get path(): Path {
    return this.steps.reduce<Path>((inside, step) => ({ inside, step }), null)
  }
}
