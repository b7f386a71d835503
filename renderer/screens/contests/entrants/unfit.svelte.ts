import type { ContestDraft } from '../../../../main/contract/procedures/procedures.ts'
import { contestDraft } from '../../../../main/contract/procedures/procedures.ts'
import { call, CallFailure } from '../../../connection/client.ts'
import { reportFailure } from '../../../connection/resource.svelte.ts'
import type { Unfit } from './fitness.ts'

/** Idle time after a change before the program is asked, in ms. */
const STILL = 250

/** The settings of a contest that decide which agents can play it. */
export type GivenSettings = Pick<ContestDraft, 'game' | 'config'>

/** The settings of a contest as the program reads them; null: their form is not valid. */
export function settingsGiven(game: string, config: unknown): GivenSettings | null {
  const parsed = contestDraft.shape.config.safeParse(config)
  return parsed.success ? { game, config: parsed.data } : null
}

/**
 * Which agents that ship with a game cannot play with these settings; asks whenever they have changed. null: they are not
 * valid. Call only during component initialization.
 */
export function createUnfit(given: () => GivenSettings | null): {
  readonly reasons: Unfit
  /** True once the program has answered for the first time. */
  readonly known: boolean
} {
  let reasons = $state.raw<Unfit>(new Map())
  let known = $state(false)
  const asked = $derived(JSON.stringify(given()))

  $effect(() => {
    const settings = JSON.parse(asked) as GivenSettings | null
    if (settings === null) return
    let stale = false
    const timer = setTimeout(() => {
      call('contests.unfit', settings).then(
        (found) => {
          if (stale) return
          reasons = new Map(found.map(({ agent, why }) => [agent, why]))
          known = true
        },
        (failure: unknown) => {
          if (!stale) known = true
          // The estimate says what is wrong with the settings.
          if (!stale && !(failure instanceof CallFailure && failure.code === 'refused')) reportFailure(failure)
        },
      )
    }, STILL)
    return () => {
      stale = true
      clearTimeout(timer)
    }
  })

  return {
    get reasons() {
      return reasons
    },
    get known() {
      return known
    },
  }
}
