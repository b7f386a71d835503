import type { Admission } from '../../../../grammars/challenges/draw.ts'
import type { Json } from '../../../contract/json.ts'
import type { State } from '../state.ts'

type Setting = Pick<State, 'challenge' | 'config' | 'choices'>

/** The league of a match; null: none. */
export function leagueOf({ challenge, choices }: Setting): Admission | null {
  const league = challenge.leagues.find(({ name }) => name === choices.league)
  return league === undefined ? null : { league, parameter: choices.leagueParameter }
}

/** Why the match's league does not admit a predicate (section 5.3), which must be in canonical form; null: it does. */
export function notAdmitted(setting: Setting, predicate: Json): string | null {
  const found = leagueOf(setting)
  return found?.league.admits(setting.config.challengeConfig, predicate, found.parameter ?? undefined) ?? null
}
