import type { Admission } from '../../../grammars/challenges/draw.ts'
import type { Challenge } from '../../../grammars/challenges/index.ts'
import type { StartMessage } from '../../../main/referees/specker/messages.ts'

/** The league of the match; null: none. */
export function leagueOf(challenge: Challenge, { config }: StartMessage): Admission | null {
  const league = challenge.leagues.find(({ name }) => name === config.league)
  return league === undefined ? null : { league, parameter: config.leagueParameter ?? null }
}
