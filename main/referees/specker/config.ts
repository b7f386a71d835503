import * as z from 'zod'
import { type Challenge, type League, readChallenge, type ReadChallenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../contract/json.ts'
import { choicesOf, withoutStandards, type Choices } from './choices.ts'
import { kindsOf } from './kinds.ts'
import { ENERGY } from './messages.ts'

/**
 * The parameters of section 4.1 (init, maxTurns, mindec; timeslot is among the choices) and what the rules of section
 * 4.3 leave open.
 */
export type Config = {
  /** The full text of a .challenge file. */
  readonly challenge: string
  /** The challenge's own settings, such as maxVars; checked and complete. */
  readonly challengeConfig: Json
  /** Each player's account at the start, in 10^-9 energy. */
  readonly init: number
  /** The number of rounds with trading. In mega-moves a round consists of White's and Black's. */
  readonly maxTurns: number
  /** The minimum decrement of a reoffer (rule 5), in 10^-9 energy. */
  readonly mindec: number
  /**
   * The number of new offers per turn (rule 3), without reoffers. Asynchronous: offersMax is the maximum at a time, and
   * there is no minimum.
   */
  readonly offersMin: number
  readonly offersMax: number
  /** Rule 2: a player that accepts nothing must reoffer `all` challenges of the others, or at least `one`. */
  readonly acceptOrReoffer: 'all' | 'one'
  /**
   * Synchronous: which seat begins. `fixed`: seat 0 in each round. `rotating`: seat 0 in the first round, seat 1 in the
   * second, and so on.
   */
  readonly order: 'fixed' | 'rotating'
} & Partial<Choices>

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
  mode: z.enum(['synchronous', 'asynchronous', 'mega-moves']).exactOptional(),
  duration: z.int().min(1).max(86_400_000).exactOptional(),
  timeslot: z.int().min(1).max(86_400_000).nullable().exactOptional(),
  variant: z.enum(['classic', 'belief', 'secret', 'base-ball']).exactOptional(),
  profitFactor: z.number().min(0).max(1_000).exactOptional(),
  f: z.enum(['price', 'free']).exactOptional(),
  falseSecrets: z.enum(['as-promised', 'as-true']).exactOptional(),
  judgement: z.enum(['lenient', 'strict', 'full', 'thorough', 'complete']).exactOptional(),
  league: z.string().max(64).nullable().exactOptional(),
  leagueParameter: z.int().nullable().exactOptional(),
})

/** Parses a config, reads its challenge and completes the challenge's own settings. */
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
  if (!own.ok) return complain('challengeConfig', own.error)
  const { league } = choicesOf(value)
  const found = challenge.leagues.find(({ name }) => name === league)
  if (league !== null && found === undefined) return complain('league', unknownLeague(challenge, league))
  const wrong = wrongParameter(found, value.leagueParameter ?? null)
  if (wrong !== null) return complain('leagueParameter', wrong)
  const variant = value.variant ?? (found?.secret === true ? 'base-ball' : 'classic')
  if (found?.secret === true && !kindsOf({ variant }).includes('secret')) {
    return complain('variant', `the league ${found.name} sells secret challenges; its variant is base-ball or secret`)
  }
  const { falseSecrets, judgement, ...others } = value
  const lies = falseSecrets !== undefined && kindsOf({ variant }).includes('secret') ? { falseSecrets } : {}
  // Unlike the others these are kept even with their original values, because the defaults of new contests differ.
  const judged = judgement === undefined ? {} : { judgement }
  return { ...withoutStandards({ ...others, variant, challengeConfig: own.value }), ...lies, ...judged }
})

function unknownLeague({ name, leagues }: Challenge, league: string): string {
  const known = leagues.map((one) => one.name).join(', ')
  return `the challenge ${name} has no league "${league}"${known === '' ? '' : `; its leagues are ${known}`}`
}

function wrongParameter(league: League | undefined, parameter: number | null): string | null {
  if (parameter === null) return null
  const wanted = league?.parameter
  if (wanted === undefined)
    return league === undefined ? 'there is no league' : `the league ${league.name} wants no number`
  const { name, low, high } = wanted
  return parameter >= low && parameter <= high ? null : `${name} must be ${low} to ${high}, not ${parameter}`
}

/** The defaults of a new contest. In recorded configs, absent settings keep their original meaning. */
export const newContestSettings = { order: 'rotating', falseSecrets: 'as-true', judgement: 'complete' } as const

/** The config of a new contest made from an older one. */
export function renewed(older: Config): Config {
  const { falseSecrets, ...always } = newContestSettings
  const lies = kindsOf(choicesOf(older)).includes('secret') ? { falseSecrets } : {}
  return { ...always, ...lies, ...older }
}

/** The challenge of a config that was parsed by the schema. */
export function challengeOf(parsed: Config): Challenge {
  const { challenge, problems } = readOnce(parsed.challenge)
  if (challenge === null) throw new Error(`the challenge cannot be read: ${problems[0]?.message ?? 'no reason given'}`)
  return challenge
}

/** More than any classroom plays at a time; each cached challenge takes a few hundred kilobytes. */
const KEPT = 16
const known = new Map<string, ReadChallenge>()

/** `readChallenge`, cached by source text: all matches of a contest share one result. */
function readOnce(source: string): ReadChallenge {
  const read = known.get(source) ?? readChallenge(source)
  known.delete(source)
  known.set(source, read)
  if (known.size > KEPT) known.delete(known.keys().next().value!)
  return read
}
