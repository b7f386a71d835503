import { STEPS } from '../formulas/index.ts'
import type { Challenge } from './challenge.ts'

/** The most steps of formulas that are evaluated together, from above. Infinity: no bound is known. */
export interface EffortRange {
  readonly what: string
  /** With the default settings, and with the largest that the challenge accepts. */
  readonly usual: number
  readonly most: number
  /** True if an evaluation may be stopped by the limit of steps, so that it refuses an honest player's value. */
  readonly overLimit: boolean
}

/** The steps that judging takes with the largest values that are legal and feasible, for each part of a challenge. */
export function effortsOf(challenge: Challenge): readonly EffortRange[] {
  const defaults = challenge.config({})
  if (!defaults.ok) return []
  const usual = challenge.efforts(defaults.value)
  return challenge.efforts(challenge.largestConfig).map(({ what, steps }, index) => {
    return { what, usual: usual[index]!.steps, most: steps, overLimit: !(steps <= STEPS) }
  })
}

/** A sentence about a part whose evaluation may reach the limit. */
export function effortSentence({ what, usual, most }: EffortRange): string {
  const many = (steps: number): string => (Number.isFinite(steps) ? steps.toLocaleString('en') : 'any number of')
  return (
    `With the largest settings the evaluation of "${what}" may take ${many(most)} steps (by default ${many(usual)}); ` +
    `at ${many(STEPS)} steps it stops, and an honest value is refused.`
  )
}
