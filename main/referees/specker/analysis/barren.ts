import { drawPredicate } from '../../../../grammars/challenges/draw.ts'
import { randomStream } from '../../../contract/random.ts'
import type { Config } from '../config.ts'
import type { Json } from '../../../contract/json.ts'
import type { State } from '../state.ts'
import { leagueOf } from '../trading/leagues.ts'

/** The number of random predicates that are tried, as many as agents that know only the file try for an offer. */
const TRIED = 10
/** Rules use no chance: the random search always uses the same numbers. */
const STREAM = '9'.repeat(64)

/**
 * The fault of a challenge file whose own properties draw nothing that can be played: no predicate, or for ten of them no raw
 * material with a feasible solution. Then no player owes an offer, raw material or a solution (decision 20). null: something
 * can be drawn, or the contest is an earlier one.
 */
export function barrenness(state: State): string | null {
  if (state.choices.judgement !== 'complete') return null
  const known = found.get(state.config)
  if (known !== undefined) return known
  const fault = faultOf(state)
  found.set(state.config, fault)
  return fault
}

/** Drawing may take long where it fails. */
const found = new WeakMap<Config, string | null>()

/** The pieces of raw material of a predicate that are tried, as many as before a file is blamed for one of them. */
const PIECES = 3

/**
 * True if the file's properties draw raw material with a solution for this predicate. Only such a predicate must be offered
 * (decision 21). In earlier contests every legal one is taken for such. `key`: the same for equal predicates.
 */
export function isPlayable({ challenge, choices, config }: State, predicate: Json, key: string): boolean {
  if (choices.judgement !== 'complete') return true
  const known = playable.get(config) ?? new Map<string, boolean>()
  playable.set(config, known)
  const before = known.get(key)
  if (before !== undefined) return before
  // The numbers begin anew for each predicate, so that the answer depends on nothing else.
  const random = randomStream(STREAM)
  const settings = config.challengeConfig
  const draws = Array.from({ length: PIECES }).some(() => {
    const instance = challenge.sampler.instance(settings, predicate, random)
    return instance.ok && challenge.sampler.solution(settings, instance.value, random).ok
  })
  known.set(key, draws)
  return draws
}

/** By predicate. */
const playable = new WeakMap<Config, Map<string, boolean>>()

function faultOf(state: State): string | null {
  const { challenge, config } = state
  const settings = config.challengeConfig
  const random = randomStream(STREAM)
  let last = ''
  for (let tried = 0; tried < TRIED; tried++) {
    const predicate = drawPredicate(challenge, settings, leagueOf(state), random)
    if (predicate === undefined) return 'No legal predicate was found by random sampling.'
    const instance = challenge.sampler.instance(settings, predicate, random)
    const solution = instance.ok ? challenge.sampler.solution(settings, instance.value, random) : instance
    if (solution.ok) return null
    last = solution.error
  }
  return last
}
