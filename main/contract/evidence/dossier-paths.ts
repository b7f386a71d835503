import { exportName } from '../histories/match-link.ts'
import type { ContestId, MatchNumber } from '../ids.ts'

/** The place of an exported match in the folder of a dossier. */
export function historyPathOf(contest: ContestId, match: MatchNumber): string {
  return `histories/${contest}/${exportName({ match })}`
}
