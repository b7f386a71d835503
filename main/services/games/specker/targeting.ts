import { targeting, type Encounter, type Targeting } from '../../contests/statistics/targeting.ts'
import { encountersOf } from '../../../referees/specker/analysis/encounters.ts'
import { readExports, type ReadExports } from './exported-matches.ts'

/** The targeting that the matches of a contest show. */
export interface ExportsTargeting extends ReadExports {
  /** The clearest first. */
  readonly agents: readonly Targeting[]
}

/** Tests exported matches for targeting. Throws like `readExports`. */
export async function targetingIn(files: readonly string[], key: string | undefined): Promise<ExportsTargeting> {
  const encounters: Encounter[] = []
  const read = await readExports(files, key, ({ match, entrants, config, inputs }) => {
    for (const each of encountersOf(config, entrants.length, inputs))
      encounters.push({ ...each, agent: entrants[each.seat]!, other: entrants[each.other]!, match })
  })
  return { ...read, agents: targeting(encounters) }
}
