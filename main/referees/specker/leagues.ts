import type { Json } from '../../contract/json.ts'
import type { State } from './state.ts'

/** Why the match's league does not admit a predicate (section 5.3), which is in canonical form; null: it does. */
export function notAdmitted({ challenge, config, choices }: State, predicate: Json): string | null {
  const { league, leagueParameter } = choices
  const found = challenge.leagues.find(({ name }) => name === league)
  return found?.admits(config.challengeConfig, predicate, leagueParameter ?? undefined) ?? null
}
