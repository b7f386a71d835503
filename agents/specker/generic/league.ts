import type { Challenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { StartMessage } from '../../../main/referees/specker/messages.ts'

/** Whether the match is played in no league of the challenge, or in one that admits the predicate. */
export function leagueAdmits(
  challenge: Challenge,
  { challenge: { config: own }, config }: StartMessage,
  predicate: Json,
): boolean {
  const league = challenge.leagues.find(({ name }) => name === config.league)
  return (league?.admits(own, predicate, config.leagueParameter ?? undefined) ?? null) === null
}
