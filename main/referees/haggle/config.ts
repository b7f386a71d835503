import * as z from 'zod'
import { scenariosOf, type Scenarios, type ScenarioSpace } from './scenario.ts'

/** The largest seed. The smallest is 1, because 0 meant "any" in the original. */
export const SEED_MAX = 2 ** 32 - 1

/** The settings of a session: the parameters of haggle.js with their defaults. */
export interface Config extends ScenarioSpace {
  /** The number of rounds; each side has one turn per round. */
  readonly maxRounds: number
  /** The number of the scenario; null: derived from the match's own seed. */
  readonly seed: number | null
  /** The rank of a side that walks away: last; if absent, the rank that its score of 0 shares. */
  readonly walkingAway?: 'last' | 'shares'
  /** The reason of an invalid offer says what is wrong with it; if absent, it is `Invalid offer`, as in the original. */
  readonly invalidOffers?: 'explained' | 'plain'
}

const fields = z.strictObject({
  types: z.int().min(2).max(10).default(3),
  minObjects: z.int().min(1).max(10).default(1),
  maxObjects: z.int().min(1).max(100).default(6),
  totalValue: z.int().min(1).default(10),
  maxRounds: z.int().min(1).max(100_000).default(5),
  generator: z.enum(['original', 'corrected']).default('original'),
  seed: z.int().min(1).max(SEED_MAX).nullable().default(null),
  walkingAway: z.enum(['last', 'shares']).exactOptional(),
  invalidOffers: z.enum(['explained', 'plain']).exactOptional(),
})

/** The defaults of a new contest. In recorded configs, absent settings mean `shares` and `plain`. */
export const newContestSettings = { walkingAway: 'last', invalidOffers: 'explained' } as const

/** Parses a config and checks that it has scenarios. */
export const config: z.ZodType<Config> = fields.superRefine((value, context) => {
  const scenarios = spaceOf(value)
  if (typeof scenarios === 'string') context.addIssue({ code: 'custom', message: scenarios })
})

/** A cache of the last space: the sessions of a contest share theirs. */
let last: { readonly key: string; readonly scenarios: Scenarios | string } | null = null

/** The scenarios of a config, or a sentence that says why there are none. */
export function spaceOf({ types, minObjects, maxObjects, totalValue, generator }: ScenarioSpace): Scenarios | string {
  const key = [types, minObjects, maxObjects, totalValue, generator].join(' ')
  if (last?.key !== key) {
    last = { key, scenarios: scenariosOf({ types, minObjects, maxObjects, totalValue, generator }) }
  }
  return last.scenarios
}
