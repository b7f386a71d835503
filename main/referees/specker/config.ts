import { z } from 'zod'
import type { Challenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../contract/json.ts'
import { readOnce } from './challenge-memo.ts'
import { ENERGY } from './messages.ts'

/** Section 4.1's (init, maxTurns, timeslot, mindec) and what the rules of section 4.3 leave to the educator. */
export type Config = {
  /** The whole text of a .challenge file. */
  readonly challenge: string
  /** The challenge's own settings, such as maxVars; checked, with its defaults filled in. */
  readonly challengeConfig: Json
  /** Each player's account at the start, in 10^-9 energy. */
  readonly init: number
  /** Rounds in which challenges are traded. The time slot of rule 8 is the contest's limit for a move. */
  readonly maxTurns: number
  /** Least decrement of a reoffer (rule 5), in 10^-9 energy. */
  readonly mindec: number
  /** New offers a turn (rule 3); reoffers do not count. */
  readonly offersMin: number
  readonly offersMax: number
  /** Rule 2: who accepts nothing must reoffer `all` challenges of the others, or at least `one`. */
  readonly acceptOrReoffer: 'all' | 'one'
  /** `fixed`: seat 0 begins each round. `rotating`: seat 0 begins the first round, seat 1 the second, and so on. */
  readonly order: 'fixed' | 'rotating'
}

const fields = z.strictObject({
  challenge: z.string().min(1).max(1_000_000),
  challengeConfig: z.json().default({}),
  init: z
    .int()
    .min(1)
    .default(10 * ENERGY),
  maxTurns: z.int().min(1).max(100_000).default(20),
  mindec: z
    .int()
    .min(1)
    .max(ENERGY)
    .default(ENERGY / 100),
  offersMin: z.int().min(0).max(1_000).default(1),
  offersMax: z.int().min(1).max(1_000).default(10),
  acceptOrReoffer: z.enum(['all', 'one']).default('all'),
  order: z.enum(['fixed', 'rotating']).default('fixed'),
})

/** Parses a config, reads its challenge and fills in the challenge's own settings. */
export const config: z.ZodType<Config> = fields.transform((value, context): Config => {
  const complain = (path: keyof Config, message: string): never => {
    context.addIssue({ code: 'custom', path: [path], message })
    return z.NEVER
  }
  if (value.offersMin > value.offersMax) return complain('offersMin', 'must not be above offersMax')
  const { challenge, problems } = readOnce(value.challenge)
  if (challenge === null) {
    const { at, message } = problems[0]!
    return complain('challenge', `line ${at.line}, column ${at.column}: ${message}`)
  }
  const own = challenge.config(value.challengeConfig)
  return own.ok ? { ...value, challengeConfig: own.value } : complain('challengeConfig', own.error)
})

/** The challenge of a config that was parsed by the schema. */
export function challengeOf(parsed: Config): Challenge {
  const { challenge, problems } = readOnce(parsed.challenge)
  if (challenge === null) throw new Error(`the challenge cannot be read: ${problems[0]?.message ?? 'no reason given'}`)
  return challenge
}
