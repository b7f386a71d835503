import { drawPredicate } from '../../../../grammars/challenges/draw.ts'
import { randomStream } from '../../../contract/random.ts'
import type { Config } from '../config.ts'
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
