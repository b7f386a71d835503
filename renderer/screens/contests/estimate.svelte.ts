import type { ContestDraft } from '../../../main/contract/procedures.ts'
import { call } from '../../client.ts'
import { asFailure } from '../../resource.svelte.ts'

/** What the program says of a contest before it exists. */
export interface Estimate {
  /** null: not known, or not yet. `ms` null: no contest has run here that would tell. */
  readonly answer: { readonly matches: number; readonly ms: number | null } | null
  /** Why the contest cannot be; '' where it can. */
  readonly refusal: string
  readonly busy: boolean
}

/** ms without a change before the program is asked. */
const STILL = 250

/** Asks whenever the draft has changed and then stands still. null: there is none. Only while a component is being made. */
export function createEstimate(draft: () => ContestDraft | null): Estimate {
  let answer = $state.raw<Estimate['answer']>(null)
  let refusal = $state('')
  let busy = $state(false)

  $effect(() => {
    const asked = draft()
    let stale = false
    busy = asked !== null
    // An old estimate would be about another contest.
    if (asked === null) {
      answer = null
      refusal = ''
      return
    }
    const told = (estimate: Estimate['answer'], reason: string): void => {
      if (stale) return
      answer = estimate
      refusal = reason
      busy = false
    }
    const timer = setTimeout(() => {
      call('contests.estimate', { draft: asked }).then(
        (estimate) => told(estimate, ''),
        (reason: unknown) => told(null, asFailure(reason).message),
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
