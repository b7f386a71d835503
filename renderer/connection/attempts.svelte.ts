import { asFailure } from './resource.svelte.ts'

/** The calls of one form or row of buttons. A Refusal beside them shows `problem`. */
export interface Attempts {
  /** True while a call runs. */
  readonly busy: boolean
  /** Why the last one was refused; '' if it was not. */
  readonly problem: string
  /** Resolves to true if `work` succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>
  /** Forgets the refusal. */
  clear(): void
}

export function createAttempts(): Attempts {
  let running = $state(0)
  let problem = $state('')
  return {
    get busy() {
      return running > 0
    },
    get problem() {
      return problem
    },
    async run(work) {
      running += 1
      problem = ''
      try {
        await work()
        return true
      } catch (reason) {
        problem = asFailure(reason).message
        return false
      } finally {
        running -= 1
      }
    },
    clear: () => void (problem = ''),
  }
}
