import type { ContestDraft } from '../../../../main/contract/procedures/procedures.ts'
import { call } from '../../../connection/client.ts'
import { asFailure } from '../../../connection/resource.svelte.ts'

/** The program's estimate for a contest before it is created. */
export interface Estimate {
  /** null: unknown. `ms` null: no contest has run here yet that would give an estimate. */
  readonly answer: { readonly matches: number; readonly ms: number | null } | null
  /** Why the contest cannot be created; '' if it can. */
  readonly refusal: string
  readonly busy: boolean
}

/** Idle time after a change before the program is asked, in ms. */
const STILL = 250

/** Asks whenever the draft has changed and editing pauses. null: no draft. Call only during component initialization. */
export function createEstimate(draft: () => ContestDraft | null): Estimate {
  let answer = $state.raw<Estimate['answer']>(null)
  let refusal = $state('')
  let busy = $state(false)

  $effect(() => {
    const asked = draft()
    let stale = false
    busy = asked !== null
    // An old estimate would be for another contest.
    if (asked === null) {
      answer = null
      refusal = ''
      return
    }
    const settle = (estimate: Estimate['answer'], reason: string): void => {
      if (stale) return
      answer = estimate
      refusal = reason
      busy = false
    }
    const timer = setTimeout(() => {
      call('contests.estimate', { draft: asked }).then(
        (estimate) => settle(estimate, ''),
        (reason: unknown) => settle(null, asFailure(reason).message),
      )
    }, STILL)
    return () => {
      stale = true
      clearTimeout(timer)
    }
  })

  return {
    get answer() {
      return answer
    },
    get refusal() {
      return refusal
    },
    get busy() {
      return busy
    },
  }
}
