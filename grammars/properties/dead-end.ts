import type { Path } from './path.ts'
import type { Reach } from './plan.ts'

/** Why a value cannot be made. `reach`: what it depends on; `end`: the budget is spent, and nothing made anew will help. */
export class DeadEnd {
  readonly at: number | null
  readonly message: string
  readonly reach: Reach | 'end'
  readonly steps: readonly (string | number)[]

  constructor(at: number | null, message: string, reach: Reach | 'end', steps: readonly (string | number)[] = []) {
    this.at = at
    this.message = message
    this.reach = reach
    this.steps = steps
  }

  /** As seen from what it is a part of. */
  within(step: string | number): DeadEnd {
    return new DeadEnd(this.at, this.message, this.reach, [step, ...this.steps])
  }

  /** As seen from outside of the object that it depends on. */
  outside(reach: Reach): DeadEnd {
    return this.reach === 'end' ? this : new DeadEnd(this.at, this.message, reach, this.steps)
  }

  get path(): Path {
    return this.steps.reduce<Path>((inside, step) => ({ inside, step }), null)
  }
}
